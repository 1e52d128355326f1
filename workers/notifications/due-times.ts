import { theMarket } from '#contract/platform/market/constants';
import type { ProcessPlatform } from '../../server/platform/events/platform.ts';
import type { DelayedTimerKind } from '../../server/platform/stores/timers.ts';
import type { DueTimes } from '../delivery/ledger.ts';
import { definitionOf } from './definitions.ts';

/** So long changes of a pick list are gathered, and may be seen, before the farm is notified. */
const PICKLIST_SECONDS = 60;

/** Returns how long each reminder waits, in seconds. */
export const reminderSecondsOf = (
  env: ProcessPlatform['env'],
): Record<DelayedTimerKind, number> => ({
  'order.unanswered': theMarket().unansweredMinutes * 60,
  'message.unread': env.UNREAD_EMAIL_AFTER_SECONDS,
  'picklist.changed': PICKLIST_SECONDS,
  'stock.back': 0,
});

/** Creates the rules for when mails and push messages are due. */
export const createDueTimes = (env: ProcessPlatform['env']): DueTimes => ({
  longestDelay: ({ channel, kind }) => {
    if (channel !== 'email') return 0;
    const definition = definitionOf(kind);
    return !definition || definition.isUrgent ? 0 : env.UNREAD_EMAIL_AFTER_SECONDS;
  },
  isDueAtOnceWhenAway: ({ channel, kind }) =>
    channel === 'email' && definitionOf(kind)?.digest === undefined,
});
