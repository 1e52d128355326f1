import type { ClientToServerEvents } from '#contract/realtime';

/** What can be said over the live connection. */
export type Speak = <Name extends keyof ClientToServerEvents>(
  name: Name,
  ...args: Parameters<ClientToServerEvents[Name]>
) => void;

let speak: Speak | undefined;
const listeners = new Set<() => void>();

/**
 * Says something over the live connection if there is one at this moment; what is said while there
 * is none is lost, which suits what is only of the moment. Pages may use it without loading the
 * connection itself.
 */
export const say: Speak = (name, ...args) => speak?.(name, ...args);

/** Whether there is a live connection at this moment. */
export function isUp(): boolean {
  return speak !== undefined;
}

/** Calls `listener` each time the connection is up again. Returns how to stop. */
export function onUp(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** For the holder of the connection: how to speak over it, or nothing while it is down. */
export function setLine(next: Speak | undefined): void {
  speak = next;
  if (next) for (const listener of listeners) listener();
}
