import { atom } from 'jotai';
import type { ClientToServerEvents } from '#contract/platform/events/socket';
import { createListeners, listen, stopAll } from '../hooks/listen.ts';
import { store } from '../session/session.ts';

/**
 * The state of the live connection: `connecting` for the first time; `live`; `polling` where events are read over HTTP
 * because no WebSocket can be opened; `reconnecting` after a loss; `offline` when the device has no network. `since` is
 * the start of the state in milliseconds.
 */
export type Connection = {
  state: 'connecting' | 'live' | 'polling' | 'reconnecting' | 'offline';
  since: number;
};

/** The state of the live connection, written by `realtime/live.ts` and shown by the layout. */
export const connectionAtom = atom<Connection>({ state: 'connecting', since: Date.now() });

/** Returns whether there was a connection, or a network, and is none now. */
export const isConnectionLost = ({ state }: Connection) =>
  state === 'offline' || state === 'reconnecting';

/** Returns whether small screens say how the page is connected, in a line below the bar. */
export const hasConnectionLine = (connection: Connection, isSignedIn: boolean) =>
  isConnectionLost(connection) || (isSignedIn && connection.state === 'polling');

/** Returns whether events arrive, so that what is cached is up to date. */
export const isUpToDate = ({ state }: Connection) => state === 'live' || state === 'polling';

/**
 * Calls `listener` when the connection is back: the device has a network again, or the live connection is made
 * again after a loss. Both may come one after the other. Not called for the first connection of a page.
 * Returns how to stop.
 */
export function onReturn(listener: () => void): () => void {
  let wasLost = !navigator.onLine || isConnectionLost(store.get(connectionAtom));
  const stopConnection = store.sub(connectionAtom, () => {
    const connection = store.get(connectionAtom);
    if (isConnectionLost(connection)) wasLost = true;
    if (!isUpToDate(connection) || !wasLost) return;
    wasLost = false;
    listener();
  });
  return stopAll(stopConnection, listen(window, ['online'], listener));
}

/** Sends a client event over the live connection. */
export type Emit = <Name extends keyof ClientToServerEvents>(
  name: Name,
  ...args: Parameters<ClientToServerEvents[Name]>
) => void;

let emitter: Emit | undefined;
const connectListeners = createListeners();

/**
 * Sends a client event if there is a live connection, and drops it otherwise: client events are
 * ephemeral. Pages may use it without loading the connection itself.
 */
export const emit: Emit = (name, ...args) => emitter?.(name, ...args);

/** Returns whether there is a live connection at this moment. */
export const isConnected = (): boolean => emitter !== undefined;

/** Calls a listener on each new connection. Returns how to stop. */
export const onConnect = connectListeners.add;

/** Sets how to send over the connection that was made, or nothing when it was lost. */
export function setEmitter(next: Emit | undefined): void {
  emitter = next;
  if (next) connectListeners.notify();
}
