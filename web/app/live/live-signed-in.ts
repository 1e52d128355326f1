import { connectLive, type OpenLiveConnection } from '../../platform/realtime/live.ts';
import { events } from './reducers.ts';

/** Opens the live connection of a signed-in user, with the reducers of all features. */
export const openLiveConnection: OpenLiveConnection = (cache, subscriber, address) =>
  connectLive(events, cache, subscriber, address);
