import type { ProcessPlatform } from '../../server/platform/events/platform.ts';
import type { EventHandler } from '../delivery/dispatch.ts';
import { handleEvents } from './apply.ts';
import { effectsOf, isOfInterest } from './definitions.ts';

/** Creates the handler that applies the effects of the notifications' definitions. */
export const createEventHandler = (platform: ProcessPlatform): EventHandler => ({
  isOfInterest,
  handleEvents: (follower, last, events) =>
    handleEvents(
      platform,
      follower,
      last,
      events.flatMap((event) =>
        effectsOf(event).map((effect) => ({
          ...effect,
          seq: event.seq,
          requestId: event.requestId,
        })),
      ),
    ),
});
