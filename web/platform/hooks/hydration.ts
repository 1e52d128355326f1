import { atom, useAtomValue, useStore } from 'jotai';
import { useState } from 'react';
import { clockMs } from '#contract/platform/time/constants';
import { localToday } from '../format/format.ts';

/**
 * Whether the page may show what only this browser knows: who is signed in, the cart, the theme, the clock. False on
 * the server, and in the browser until the page that the server rendered is taken over. Pages without one begin true.
 */
export const isHydratedAtom = atom(true);

/** Returns {@link isHydratedAtom}: renders again once, when the page is taken over. */
export const useHydrated = (): boolean => useAtomValue(isHydratedAtom);

/**
 * Returns whether this component began as part of a page that the server rendered. Unlike {@link useHydrated} it
 * renders nothing again.
 */
export function useIsServerRendered(): boolean {
  const store = useStore();
  return useState(() => !store.get(isHydratedAtom))[0];
}

/** When a page was rendered, and whose days it shows. The browser begins with the same. */
export type RenderMoment = {
  /** In milliseconds since the epoch. */
  now: number;
  /** IANA name of the time zone; the reader's own until it is known. */
  timeZone: string | undefined;
};

let moment: RenderMoment | undefined;

/** Sets the moment of the page that is being rendered, or was. On the server it holds until the next one. */
export function setRenderMoment(next: RenderMoment): void {
  moment = next;
}

/** Returns when the page was rendered, in milliseconds. */
export const renderedNow = (): number => moment?.now ?? clockMs();

/** Returns the day on which the page was rendered, `YYYY-MM-DD`. */
export const renderedToday = (): string => localToday(new Date(renderedNow()), moment?.timeZone);
