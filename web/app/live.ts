import { connectLive, type OpenLiveConnection } from '../realtime/live.ts';
import { applyEvent } from './reducers.ts';

/**
 * Opens the live connection with the reducers of all features. Loaded after the first paint, which does
 * not wait for it.
 */
export const openLiveConnection: OpenLiveConnection = (cache, subscriber, address) =>
  connectLive(applyEvent, cache, subscriber, address);
