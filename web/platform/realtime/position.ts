import { createListeners } from '../hooks/listen.ts';

/** A place in the event log: a number, and the epoch it is of if the server named it. */
export type Position = { seq: number; epoch: string | undefined };

/** The end of a catch-up. */
export type CaughtUp = {
  /** Null for a visitor. */
  userId: string | null;
  /** Whether all that happened since the position before was replayed; otherwise nothing was. */
  isReplayed: boolean;
};

/** The last position of each user, for as long as the page is open; a visitor's is under the empty string. */
const positions = new Map<string, Position>();
const catchUps = createListeners<[CaughtUp]>();
let isReplayingLastVisit = false;

/** Returns up to where the query cache of a user is complete; undefined before their first connection. */
export const positionOf = (userId: string | null): Position | undefined =>
  positions.get(userId ?? '');

/** Stores up to where the query cache of a user is complete. */
export function setPosition(userId: string | null, position: Position): void {
  positions.set(userId ?? '', position);
}

/**
 * Lets the first connection of a user continue where an earlier visit ended, whose answers are in the query
 * cache. Returns false if this page has a position of its own already.
 */
export function resumeFrom(userId: string, position: Position): boolean {
  if (positions.has(userId)) return false;
  positions.set(userId, position);
  return true;
}

/** Calls a listener after each catch-up, when the cache has all that was replayed. Returns how to stop. */
export const onCaughtUp = catchUps.add;
export const notifyCaughtUp = catchUps.notify;

/**
 * Returns whether the events being applied happened while no page was open: they belong into the cache, but
 * are no news to alert anybody of.
 */
export const isReplayOfLastVisit = (): boolean => isReplayingLastVisit;

/** Runs `apply` as the replay of what happened since the last visit. */
export function asReplayOfLastVisit(apply: () => void): void {
  isReplayingLastVisit = true;
  try {
    apply();
  } finally {
    isReplayingLastVisit = false;
  }
}
