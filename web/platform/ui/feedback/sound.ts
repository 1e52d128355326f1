import { atom } from 'jotai';
import { isBoolean } from '../../api/check.ts';
import { listen, stopAll } from '../../hooks/listen.ts';
import { inOneTab } from '../../session/in-one-tab.ts';
import { store } from '../../session/session.ts';
import { storedAtom, tryStorage } from '../../session/stored-atom.ts';

/** Whether this browser rings. On by default. */
export const soundAtom = storedAtom<boolean>('order-sound', isBoolean, true);

/** Whether this browser has let a page of ours ring: it needs no hint any more. */
export const soundAllowedAtom = storedAtom<boolean>('order-sound-allowed', isBoolean, false);

/**
 * Whether this page can ring: `blocked` until somebody taps it or presses a key, since browsers forbid sound before
 * that; `none` where there is no Web Audio.
 */
export const soundStateAtom = atom<'none' | 'blocked' | 'ready'>('none');

/** The time between two rings of an alert. */
export const RING_INTERVAL_MS = 4_000;
/** Tabs count the interval each on their own, so a bit less is enough between the rings of two. */
const MIN_PAUSE_MS = 3_000;
/** How long a tab waits for another one that may be frozen while it rings. */
const RING_WAIT_MS = 1_000;
/** When a tab of this browser last rang, in localStorage. */
const RANG_AT_KEY = 'order-sound-at';

/** The two tones of a ring, with start time and frequency. */
const TONES = [
  { startSeconds: 0, frequencyHz: 880 },
  { startSeconds: 0.16, frequencyHz: 1318.5 },
] as const;
const TONE_SECONDS = 0.9;

let context: AudioContext | undefined;

/** Follows the choices of other tabs. Returns a function that stops this. */
export function followSoundSetting(): () => void {
  return stopAll(...[soundAtom, soundAllowedAtom].map((choice) => store.sub(choice, () => {})));
}

/** Unlocks audio as soon as the browser allows it. Returns a function that stops this. */
export function unlockSound(): () => void {
  // Browsers without Web Audio play no sound.
  if (typeof AudioContext === 'undefined') return () => {};
  const audio = context ?? new AudioContext();
  context = audio;
  const note = () => {
    const isReady = audio.state === 'running';
    store.set(soundStateAtom, isReady ? 'ready' : 'blocked');
    if (isReady && !store.get(soundAllowedAtom)) store.set(soundAllowedAtom, true);
  };
  note();
  audio.onstatechange = note;
  return stopAll(
    () => {
      audio.onstatechange = null;
    },
    // For as long as the page is open: a phone call ends the sound of some browsers.
    listen(document, ['pointerdown', 'keydown'], () => {
      audio.resume().catch(() => undefined);
    }),
  );
}

/** Rings once, unless it is off or still blocked, or another tab has just rung. */
export async function ringInOneTab(): Promise<void> {
  const audio = context;
  if (!store.get(soundAtom) || audio?.state !== 'running') return;
  const ring = async () => {
    // Where storage is forbidden each tab rings on its own.
    const rangAt = Number(tryStorage(() => localStorage.getItem(RANG_AT_KEY)) ?? 0);
    if (Math.abs(Date.now() - rangAt) < MIN_PAUSE_MS) return;
    tryStorage(() => localStorage.setItem(RANG_AT_KEY, String(Date.now())));
    playTones(audio);
  };
  await inOneTab('order-sound', ring, RING_WAIT_MS);
}

function playTones(audio: AudioContext): void {
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
