import type { ClientToServerEvents } from '#contract/platform/events/socket';

/** Sends a client event over the live connection. */
export type Emit = <Name extends keyof ClientToServerEvents>(
  name: Name,
  ...args: Parameters<ClientToServerEvents[Name]>
) => void;

let emitter: Emit | undefined;
const listeners = new Set<() => void>();

/**
 * Sends a client event if there is a live connection, and drops it otherwise: client events are
 * ephemeral. Pages may use it without loading the connection itself.
 */
export const emit: Emit = (name, ...args) => emitter?.(name, ...args);

/** Returns whether there is a live connection at this moment. */
export function isConnected(): boolean {
  return emitter !== undefined;
}

/** Calls `listener` on each new connection. Returns how to stop. */
export function onConnect(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Sets how to send over the connection that was made, or nothing when it was lost. */
export function setEmitter(next: Emit | undefined): void {
  emitter = next;
  if (next) for (const listener of listeners) listener();
}
