import { connectLive, type OpenLiveConnection } from '../../platform/realtime/live.ts';
import { eventsFor } from './apply-event.ts';
import { visitorReducers } from './visitor-reducers.ts';

const events = eventsFor(visitorReducers);

/** Opens a visitor's live connection. Loaded after the first paint, which does not wait for it. */
export const openLiveConnection: OpenLiveConnection = (cache, subscriber, address) =>
  connectLive(events, cache, subscriber, address);
