import { atom } from 'jotai';

/**
 * How the page hears of news: `live`; `connecting` for the first time; `reconnecting` after a loss;
 * `offline` when the device itself has no network. `since` is when this began, in milliseconds.
 */
export type Connection = {
  state: 'connecting' | 'live' | 'reconnecting' | 'offline';
  since: number;
};

/** The state of the live connection; written by what holds it, shown by the layout. */
export const connectionAtom = atom<Connection>({ state: 'connecting', since: Date.now() });
