import type { EventData } from '#contract/platform/events/event';
import { createListeners } from '../hooks/listen.ts';

// Apart from what watches people, which no visitor's first page needs.

/** Whether someone is connected, and when they last were (ISO 8601), if that is known. */
export type Presence = Omit<EventData<'presence.changed'>, 'userId'>;

const known = new Map<string, Presence>();
const listeners = createListeners();

/** Calls a function after each change of anybody's presence. */
export const onPresence = listeners.add;

/** Returns a person's presence; undefined while it is unknown. */
export const presenceOf = (userId: string): Presence | undefined => known.get(userId);

/** Stores a person's presence and notifies its subscribers. */
export function setPresence({ userId, ...presence }: EventData<'presence.changed'>): void {
  known.set(userId, presence);
  listeners.notify();
}

/** Clears all presence, which is unknown while the connection is lost. */
export function clearPresence(): void {
  if (known.size === 0) return;
  known.clear();
  listeners.notify();
}
