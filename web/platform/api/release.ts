import { createListeners } from '../hooks/listen.ts';

// A release is named by the address of the last script of its pages: server/platform/process/release.ts.

const TAKE_AGAIN_AFTER_MS = 600_000;

let served: string | undefined;
const listeners = createListeners();

/** Returns the release that the server has, by its latest answer. */
export const servedRelease = (): string | undefined => served;

/** Returns whether this page is of a release: another one where the server has been updated. */
export const isOwnRelease = (release: string): boolean =>
  document.querySelector(`script[src="${release}"]`) !== null;

/** Calls a listener when an answer names another release than the one before. Returns how to stop. */
export const onServedRelease = listeners.add;

/** Call with the release that an answer names. */
export function noteRelease(release: string | null | undefined): void {
  if (!release || release === served) return;
  served = release;
  listeners.notify();
}

/**
 * Returns whether to load the page again for the release that the server has: once in this tab, so that it cannot
 * loop, and again after ten minutes, because another server may have answered, of an earlier release.
 */
export function takeRelease(release: string | null): boolean {
  try {
    const key = `release ${release}`;
    if (Date.now() - Number(sessionStorage.getItem(key)) < TAKE_AGAIN_AFTER_MS) return false;
    sessionStorage.setItem(key, `${Date.now()}`);
    return true;
  } catch {
    // Nothing could be noted, so it might loop.
    return false;
  }
}
