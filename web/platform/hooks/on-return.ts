import { type Connection, connectionAtom } from '../api/connection.ts';
import { store } from '../session/store.ts';

const isLost = ({ state }: Connection) => state === 'offline' || state === 'reconnecting';

/**
 * Calls `listener` when the connection is back: the device has a network again, or the live connection is made
 * again after a loss. Both may come one after the other. Not called for the first connection of a page.
 * Returns how to stop.
 */
export function onReturn(listener: () => void): () => void {
  let wasLost = !navigator.onLine || isLost(store.get(connectionAtom));
  const onConnection = () => {
    const connection = store.get(connectionAtom);
    if (isLost(connection)) wasLost = true;
    if (connection.state !== 'live' || !wasLost) return;
    wasLost = false;
    listener();
  };
  const stopConnection = store.sub(connectionAtom, onConnection);
  window.addEventListener('online', listener);
  return () => {
    stopConnection();
    window.removeEventListener('online', listener);
  };
}
