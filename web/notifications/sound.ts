import { store } from '../lib/store.ts';
import { storedAtom } from '../lib/stored-atom.ts';

/** Whether a new order is heard in this browser. On until switched off. */
export const soundAtom = storedAtom<boolean>(
  'order-sound',
  {
    safeParse: (value) =>
      typeof value === 'boolean' ? { success: true, data: value } : { success: false },
  },
  true,
);

/** Milliseconds in which of several tabs only one rings. */
const TOGETHER = 1_500;
/** The two strokes of the bell: when each begins, in seconds, and its pitch. */
const STROKES = [
  { at: 0, pitch: 880 },
  { at: 0.16, pitch: 1318.5 },
] as const;
const LENGTH = 0.9;

let context: AudioContext | undefined;

/** Keeps to what is chosen in the other tabs. Returns how to stop. */
export function followSound(): () => void {
  return store.sub(soundAtom, () => {});
}

/**
 * Browsers keep a page silent until it is touched. Waits for the first touch or key, so that the
 * bell can ring later. Returns how to stop waiting.
 */
export function unlockSound(): () => void {
  // A browser without sound stays silent.
  if (typeof AudioContext === 'undefined') return () => {};
  const unlock = () => {
    context ??= new AudioContext();
    void context.resume().then(stop, () => undefined);
  };
  const stop = () => {
    document.removeEventListener('pointerdown', unlock);
    document.removeEventListener('keydown', unlock);
  };
  document.addEventListener('pointerdown', unlock);
  document.addEventListener('keydown', unlock);
  return stop;
}

/** Rings for a new order, unless switched off or not allowed yet. Of several tabs one rings. */
export async function ring(): Promise<void> {
  const audio = context;
  if (!store.get(soundAtom) || audio?.state !== 'running') return;
  if (!('locks' in navigator)) {
    strike(audio);
    return;
  }
  await navigator.locks.request('order-sound', { ifAvailable: true }, async (lock) => {
    if (!lock) return;
    strike(audio);
    await new Promise((resolve) => setTimeout(resolve, TOGETHER));
  });
}

function strike(audio: AudioContext): void {
  for (const { at, pitch } of STROKES) {
    const start = audio.currentTime + at;
    const tone = audio.createOscillator();
    const volume = audio.createGain();
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(0.0001, start);
    volume.gain.exponentialRampToValueAtTime(0.25, start + 0.01);
    volume.gain.exponentialRampToValueAtTime(0.0001, start + LENGTH);
    tone.connect(volume).connect(audio.destination);
    tone.start(start);
    tone.stop(start + LENGTH);
  }
}
