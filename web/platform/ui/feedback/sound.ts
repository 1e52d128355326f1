import { isBoolean } from '../../api/check.ts';
import { listen, stopAll } from '../../hooks/listen.ts';
import { store } from '../../session/session.ts';
import { storedAtom, tryStorage } from '../../session/stored-atom.ts';

/** Whether new orders play a sound in this browser. On by default. */
export const soundAtom = storedAtom<boolean>('order-sound', isBoolean, true);

/** Whether the sound is repeated until somebody looks. Off by default. */
export const soundRepeatAtom = storedAtom<boolean>('order-sound-repeat', isBoolean, false);

/** The time between two repeats of the sound. */
export const SOUND_REPEAT_MS = 30_000;
/** Tabs count these 30 s each on their own, so a bit less is enough between the sounds of two. */
const MIN_PAUSE_MS = 25_000;
/** When a tab of this browser last played the sound, in localStorage. */
const PLAYED_AT_KEY = 'order-sound-at';

/** Only one of several tabs plays the sound within this time. */
const RING_LOCK_MS = 1_500;
/** The two tones of the sound, with start time and frequency. */
const TONES = [
  { startSeconds: 0, frequencyHz: 880 },
  { startSeconds: 0.16, frequencyHz: 1318.5 },
] as const;
const TONE_SECONDS = 0.9;

let context: AudioContext | undefined;

/** Follows the choices of other tabs. Returns a function that stops this. */
export function followSoundSetting(): () => void {
  return stopAll(...[soundAtom, soundRepeatAtom].map((choice) => store.sub(choice, () => {})));
}

/**
 * Unlocks audio on the first click or key, because browsers block sound before that. Returns a
 * function that stops this.
 */
export function unlockSound(): () => void {
  // Browsers without Web Audio play no sound.
  if (typeof AudioContext === 'undefined') return () => {};
  const stop = listen(document, ['pointerdown', 'keydown'], () => {
    context ??= new AudioContext();
    void context.resume().then(stop, () => undefined);
  });
  return stop;
}

/** Plays the sound for a new order, unless it is off or still blocked. Only one tab plays it. */
export async function playOrderSound(): Promise<void> {
  const audio = context;
  if (!store.get(soundAtom) || audio?.state !== 'running') return;
  if (!('locks' in navigator)) return playTones(audio);
  await navigator.locks.request('order-sound', { ifAvailable: true }, async (lock) => {
    if (!lock) return;
    playTones(audio);
    await new Promise((resolve) => setTimeout(resolve, RING_LOCK_MS));
  });
}

/** Plays the sound again if that is wanted, unless another tab has just done it. */
export async function repeatOrderSound(): Promise<void> {
  // Where storage is forbidden each tab plays on its own.
  const playedAt = Number(tryStorage(() => localStorage.getItem(PLAYED_AT_KEY)) ?? 0);
  if (store.get(soundRepeatAtom) && Date.now() - playedAt >= MIN_PAUSE_MS) await playOrderSound();
}

function playTones(audio: AudioContext): void {
  tryStorage(() => localStorage.setItem(PLAYED_AT_KEY, String(Date.now())));
  for (const { startSeconds, frequencyHz } of TONES) {
    const start = audio.currentTime + startSeconds;
    const tone = audio.createOscillator();
    const volume = audio.createGain();
    tone.frequency.value = frequencyHz;
    volume.gain.setValueAtTime(0.0001, start);
    volume.gain.exponentialRampToValueAtTime(0.25, start + 0.01);
    volume.gain.exponentialRampToValueAtTime(0.0001, start + TONE_SECONDS);
    tone.connect(volume).connect(audio.destination);
    tone.start(start);
    tone.stop(start + TONE_SECONDS);
  }
}
