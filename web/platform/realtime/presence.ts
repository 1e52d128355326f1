import { useCallback, useSyncExternalStore } from 'react';
import type { EventData } from '#contract/platform/events/event';
import { useWatchPresence } from './watch.ts';

/** Whether someone is connected, and when they last were (ISO 8601), if that is known. */
export type Presence = Omit<EventData<'presence.changed'>, 'userId'>;

const known = new Map<string, Presence>();
const listeners = new Set<() => void>();

function notify(): void {
  for (const listener of listeners) listener();
}

/** Stores a person's presence and notifies its subscribers. */
export function setPresence({ userId, ...presence }: EventData<'presence.changed'>): void {
  known.set(userId, presence);
  notify();
}

/** Clears all presence, which is unknown while the connection is lost. */
export function clearPresence(): void {
  if (known.size === 0) return;
  known.clear();
  notify();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Returns a person's presence; undefined while it is unknown. */
export function usePresence(id: string): Presence | undefined {
  useWatchPresence([id]);
  return useSyncExternalStore(
    subscribe,
    useCallback(() => known.get(id), [id]),
  );
}
