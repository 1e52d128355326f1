import type { StoreOutage } from '../../../server/platform/stores/outages.ts';
import { ADMINS, type Definition, settle } from '../engine/definition.ts';
import { counted } from '../engine/wording.ts';

const LINK = '/admin/health';

const NAMES = { postgres: 'PostgreSQL', redis: 'Redis' } as const;

/** Returns how long an outage was, rounded up to what people say: never 0. */
function durationOf(since: string, until: string): string {
  const seconds = Math.max(1, Math.ceil((Date.parse(until) - Date.parse(since)) / 1000));
  if (seconds < 120) return counted(seconds, 'second');
  const minutes = Math.ceil(seconds / 60);
  return minutes < 120 ? counted(minutes, 'minute') : counted(Math.ceil(minutes / 60), 'hour');
}

const quote = (reason: string | null): string =>
  reason ? ` It said: ${reason.replace(/\.$/, '')}.` : '';

function words({ store, since, until, reason }: StoreOutage): { title: string; body: string } {
  const name = NAMES[store];
  if (until === null) {
    return {
      title: reason ? `${name} takes no writes` : `${name} is away`,
      body: `Orders, messages, mails and alerts go on without it, a little slower.${quote(reason)}`,
    };
  }
  return {
    title: `${name} is at work again`,
    body: `It was away or took no writes for ${durationOf(since, until)}. What was confirmed is kept; anyone else was asked to try again.${quote(reason)}`,
  };
}

/** Notifies admins of a store that fails: of Postgres when it is over, of Redis while it goes on. */
export const storeOutage: Definition<'store.outage'> = {
  kind: 'store.outage',
  reach: 'market',
  action: 'See the health of the market',
  subject: () => 'An outage in your market',
  reactions: {
    'store.outage': ({ id, data }) =>
      data.store === 'redis' && data.until !== null
        ? [settle(ADMINS, LINK, 'store.outage')]
        : [
            {
              do: 'notify',
              userId: ADMINS,
              kind: 'store.outage',
              key: `store.outage:${id}`,
              ...words(data),
              link: LINK,
            },
          ],
  },
};
