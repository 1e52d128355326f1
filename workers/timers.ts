import { returnStock } from '../server/catalogue/stock/stock-events.ts';
import { addNextSlots } from '../server/farm/slots/service.ts';
import { expireProposal } from '../server/ordering/changes/expire.ts';
import type { ProcessPlatform } from '../server/platform/events/platform.ts';
import type { TimerKind } from '../server/platform/stores/timers.ts';
import type { TimerDefinition } from './delivery/timers.ts';
import { reminderOf } from './notifications/reminder.ts';

/** Returns what happens when a timer is due. Total, so that a kind without a definition does not compile. */
export const timerDefinitions = ({
  env,
}: Pick<ProcessPlatform, 'env'>): Record<TimerKind, TimerDefinition> => ({
  'order.unanswered': reminderOf(env, 'order.unanswered'),
  'order.cutoff': reminderOf(env, 'order.cutoff'),
  'order.change': {
    run: async (key, tx) => {
      await expireProposal(tx, key.slice('order.change:'.length));
      return [];
    },
  },
  'order.changeReminder': reminderOf(env, 'order.changeProposed'),
  'message.unread': reminderOf(env, 'message.unread'),
  'picklist.changed': reminderOf(env, 'picklist.changed'),
  'stock.return': {
    run: async (key, tx) => {
      await returnStock(tx, key);
      return [];
    },
  },
  'stock.back': reminderOf(env, 'stock.back'),
  'slots.nextDay': {
    run: async (key, tx) => {
      await addNextSlots(tx, key.slice('slots.nextDay:'.length));
      return [];
    },
  },
});
