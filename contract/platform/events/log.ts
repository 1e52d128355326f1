import {
  eventsApi as calls,
  EVENTS_WAIT_MAX_S,
  EVENTS_WATCH_MAX,
} from '#contract/platform/events/constants';
import { LogPosition } from '#contract/platform/events/event';
import { EnvelopeHead } from '#contract/platform/events/socket';
import { endpoints } from '#contract/platform/http/endpoint';
import { Id, one } from '#contract/platform/http/http';
import { z } from '#contract/platform/http/zod';

/** What happened after a place in the log; with `resync` it cannot be told, and everything is to be refetched. */
const LogAnswer = z
  .object({
    events: z.array(EnvelopeHead),
    /** Up to where the reader is complete. */
    synced: LogPosition.optional(),
    resync: LogPosition.optional(),
  })
  .meta({ id: 'LogAnswer' });
export type LogAnswer = z.infer<typeof LogAnswer>;

export const eventsApi = endpoints(calls, {
  read: {
    summary: 'The live events over HTTP, for clients without a WebSocket: what a replay would send',
    access: 'optional',
    query: z.object({
      /** The last number that the reader knows; without it, only where the log stands. */
      after: z.coerce.number().int().min(0).optional(),
      epoch: Id.optional(),
      /** Products and farms whose news end the waiting, besides one's own; separated by commas. */
      watch: z
        .string()
        .transform((text) => text.split(','))
        .pipe(z.array(Id).max(EVENTS_WATCH_MAX))
        .optional(),
      /** How long to wait where there is no news, in seconds. */
      wait: z.coerce.number().int().min(0).max(EVENTS_WAIT_MAX_S).optional(),
    }),
    answer: one(LogAnswer),
    rate: 'events',
    failures: [401],
  },
});
