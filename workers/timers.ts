import type { NotificationKind } from '#contract/people/notifications/notifications';
import type { Transaction } from '../prisma/client.ts';
import { runImport } from '../server/catalogue/imports/apply.ts';
import { createPictureFetcher } from '../server/catalogue/imports/pictures.ts';
import { alignOrganic } from '../server/catalogue/organic/organic.ts';
import { returnStock } from '../server/catalogue/stock/stock-events.ts';
import { endPause } from '../server/farm/pause/service.ts';
import { addNextSlots } from '../server/farm/slots/service.ts';
import { expireProposal } from '../server/ordering/changes/commands.ts';
import type { ProcessPlatform } from '../server/platform/events/platform.ts';
import { OUTDATED, type TimerKind } from '../server/platform/stores/timers.ts';
import type { TimerDefinition } from './delivery/timers.ts';
import { applyEffects } from './notifications/apply.ts';
import { definitionOf } from './notifications/definitions.ts';
import { runAttention } from './notifications/ordering/attention/step.ts';

/** Returns what happens when a reminder is due: the effects that the kind's `remind` has by then. */
const reminderOf = (env: ProcessPlatform['env'], kind: NotificationKind): TimerDefinition => ({
  run: async (key, tx) => {
    const effects = (await definitionOf(kind)?.remind?.(key, tx, env)) ?? [];
    return effects === OUTDATED ? OUTDATED : applyEffects(tx, env, effects);
  },
});

/**
 * Makes timers of the reminders that processes from before timers wrote into the ledger, the last of them
 * while this version already started. Does nothing when there are none.
 */
export async function takeOverReminders({ db }: Pick<ProcessPlatform, 'db'>): Promise<void> {
  await db.$executeRaw`
    WITH old AS (
      DELETE FROM notification_deliveries
      WHERE channel = 'in_app' AND status IN ('pending', 'sending', 'failed')
      RETURNING key, kind, due_at)
    INSERT INTO timers (key, kind, due_at)
    SELECT DISTINCT ON (key) key, kind, due_at FROM old ORDER BY key, due_at
    ON CONFLICT DO NOTHING`;
}

const withoutDeliveries = (
  work: (tx: Transaction, key: string) => Promise<void>,
): TimerDefinition => ({
  run: async (key, tx) => {
    await work(tx, key);
    return [];
  },
});

/** Returns what happens when a timer is due. Total, so that a kind without a definition does not compile. */
export const timerDefinitions = (
  { db, env, redis }: Pick<ProcessPlatform, 'db' | 'env' | 'redis'>,
  fetchPicture = createPictureFetcher({ db, env }),
): Record<TimerKind, TimerDefinition> => ({
  attention: { run: (key, tx) => runAttention({ env, redis }, key, tx) },
  'order.unanswered': reminderOf(env, 'order.unanswered'),
  'order.reminder': reminderOf(env, 'order.reminder'),
  'order.cutoff': reminderOf(env, 'order.cutoff'),
  'order.change': withoutDeliveries((tx, key) =>
    expireProposal(tx, key.slice('order.change:'.length)),
  ),
  'order.changeReminder': reminderOf(env, 'order.changeProposed'),
  'message.unread': reminderOf(env, 'message.unread'),
  'picklist.changed': reminderOf(env, 'picklist.changed'),
  'stock.return': withoutDeliveries((tx, key) => returnStock(tx, key)),
  'stock.back': reminderOf(env, 'stock.back'),
  'stock.wave': reminderOf(env, 'stock.back'),
  'farm.newProducts': reminderOf(env, 'farm.newProducts'),
  'slots.nextDay': withoutDeliveries((tx, key) =>
    addNextSlots(tx, key.slice('slots.nextDay:'.length)),
  ),
  'farm.certificate': reminderOf(env, 'farm.certificate'),
  'farm.organic': withoutDeliveries((tx, key) => alignOrganic(tx, key)),
  'farm.resume': withoutDeliveries((tx, key) => endPause(tx, key)),
  'product.import': withoutDeliveries((tx, key) => runImport(fetchPicture, key, tx)),
});
