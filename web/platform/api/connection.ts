import { atom } from 'jotai';

/**
 * The state of the live connection: `connecting` for the first time; `live`; `reconnecting` after a
 * loss; `offline` when the device has no network. `since` is the start of the state in milliseconds.
 */
export type Connection = {
  state: 'connecting' | 'live' | 'reconnecting' | 'offline';
  since: number;
};

/** The state of the live connection, written by `realtime/live.ts` and shown by the layout. */
export const connectionAtom = atom<Connection>({ state: 'connecting', since: Date.now() });
