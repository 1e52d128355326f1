import { atom } from 'jotai';

/** How long the first connection waits at most for what an earlier visit kept, in milliseconds. */
const RESTORE_TIMEOUT_MS = 1_000;

/**
 * Whether the query cache holds what an earlier visit kept of the signed-in user's reads, so that pages need not
 * wait for the server.
 */
export const hasKeptReadsAtom = atom(false);

/**
 * The time (milliseconds) that what is shown is as of, if some of it is from an earlier visit and not yet
 * confirmed by the server; null otherwise.
 */
export const asOfAtom = atom<number | null>(null);

/** When the service worker kept this page, in milliseconds, if it comes from there (`sw.js`); undefined otherwise. */
export const keptPageAt = (): number | undefined =>
  Number(document.documentElement.dataset.asOf) || undefined;

let resolveRestored = () => {};
let restored = Promise.resolve();

/** Notes that what an earlier visit kept is about to be put into the query cache. */
export function noteRestoring(): void {
  restored = new Promise((resolve) => {
    resolveRestored = resolve;
  });
}

/** Notes that what an earlier visit kept is in the query cache, or cannot be read. */
export const noteRestored = (): void => resolveRestored();

/**
 * Resolves when what an earlier visit kept is in the query cache, so that the live connection can continue from
 * there. A storage that is slow or broken is waited for no longer than a second.
 */
export async function whenRestored(): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, RESTORE_TIMEOUT_MS);
  });
  await Promise.race([restored, timeout]);
  clearTimeout(timer);
}
