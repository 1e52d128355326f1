import type { ProcessPlatform } from '../../server/events/platform.ts';
import type { DueTimes } from '../delivery/ledger.ts';
import { definitionOf } from './definitions.ts';

/** Creates the rules for when reminders, mails and push messages are due. */
export const createDueTimes = (env: ProcessPlatform['env']): DueTimes => ({
  longestDelay: ({ channel, kind }) => {
    if (channel === 'push') return 0;
    if (channel === 'in_app') {
      return kind === 'order.unanswered'
        ? env.UNANSWERED_AFTER_SECONDS
        : env.UNREAD_EMAIL_AFTER_SECONDS;
    }
    const definition = definitionOf(kind);
    return !definition || definition.isUrgent ? 0 : env.UNREAD_EMAIL_AFTER_SECONDS;
  },
  isDueAtOnceWhenAway: ({ channel, kind }) =>
    channel === 'email' && definitionOf(kind)?.digest === undefined,
});
