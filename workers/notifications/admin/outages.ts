import { msg, t } from '#contract/platform/text/constants/texts';
import { ADMINS, type Definition, settle } from '../engine/definition.ts';

const LINK = '/admin/health';

/** Returns how long an outage was, in seconds; null while it goes on. */
const secondsOf = (since: string, until: string | null): number | null =>
  until === null ? null : Math.ceil((Date.parse(until) - Date.parse(since)) / 1000);

/** Notifies admins of a store that fails: of Postgres when it is over, of Redis while it goes on. */
export const storeOutage: Definition<'store.outage'> = {
  kind: 'store.outage',
  reach: 'market',
  action: msg('See the health of the market'),
  subject: () => t('An outage in your market'),
  reactions: {
    'store.outage': ({ id, data: { store, since, until, reason } }) =>
      store === 'redis' && until !== null
        ? [settle(ADMINS, LINK, 'store.outage')]
        : [
            {
              do: 'notify',
              userId: ADMINS,
              kind: 'store.outage',
              key: `store.outage:${id}`,
              params: { store, seconds: secondsOf(since, until), reason },
              link: LINK,
            },
          ],
  },
};
