import { atom, useAtomValue } from 'jotai';
import { useEffect } from 'react';
import { clockMs } from '#contract/platform/time/constants';
import { store } from '../../platform/session/session.ts';
import { RING_INTERVAL_MS, ringInOneTab } from '../../platform/ui/feedback/sound.ts';

/** A try that is older when it comes means nothing. */
const TRY_VALID_MS = 30_000;
/** How long a try rings. */
const TRY_MS = 10_000;
const VIBRATION_MS = [300, 150, 300];

/** Whether somebody tries out how they are rung. */
const isTriedAtom = atom(false);

let tryEnds: ReturnType<typeof setTimeout> | undefined;

/** Rings as a new order would, for a while, where somebody has just asked for it. */
export function tryRing(at: string): void {
  if (Math.abs(clockMs() - Date.parse(at)) > TRY_VALID_MS) return;
  clearTimeout(tryEnds);
  tryEnds = setTimeout(endTry, TRY_MS);
  store.set(isTriedAtom, true);
}

/** Ends a try before its time. */
export function endTry(): void {
  clearTimeout(tryEnds);
  store.set(isTriedAtom, false);
}

/** Returns whether somebody tries out how they are rung. */
export const useIsTried = (): boolean => useAtomValue(isTriedAtom);

function ring(): void {
  void ringInOneTab();
  // Browsers refuse it before the first tap, and where a page is hidden.
  if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(VIBRATION_MS);
}

/** Rings again and again while something asks for it: of several tabs one sounds, also a hidden one. */
export function useRinging(isOn: boolean): void {
  useEffect(() => {
    if (!isOn) return;
    ring();
    const timer = setInterval(ring, RING_INTERVAL_MS);
    return () => {
      clearInterval(timer);
      if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(0);
    };
  }, [isOn]);
}
