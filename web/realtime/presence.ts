import { useCallback, useSyncExternalStore } from 'react';
import type { EventData } from '#contract/realtime';
import { useWatchPresence } from './watch.ts';

/** Whether someone is connected, and when they last were (ISO 8601), if that is known. */
export type Presence = Omit<EventData<'presence.changed'>, 'userId'>;

const known = new Map<string, Presence>();
const listeners = new Set<() => void>();

function changed(): void {
  for (const listener of listeners) listener();
}

/** Takes in who came or went. */
export function setPresence({ userId, ...presence }: EventData<'presence.changed'>): void {
  known.set(userId, presence);
  changed();
}

/** Forgets everybody: while the line is down nobody knows who is there. */
export function forgetPresence(): void {
  if (known.size === 0) return;
  known.clear();
  changed();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether this person is connected at this moment; undefined while that is not known. */
export function usePresence(id: string): Presence | undefined {
  useWatchPresence([id]);
  return useSyncExternalStore(
    subscribe,
    useCallback(() => known.get(id), [id]),
  );
}
