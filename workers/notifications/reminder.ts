import type { NotificationKind } from '#contract/people/notifications/notifications';
import type { ProcessPlatform } from '../../server/platform/events/platform.ts';
import { OUTDATED } from '../../server/platform/stores/timers.ts';
import type { TimerDefinition } from '../delivery/timers.ts';
import { applyEffects } from './apply.ts';
import { definitionOf } from './definitions.ts';

/** Returns what happens when a reminder is due: the effects that the kind's `remind` has by then. */
export const reminderOf = (
  env: ProcessPlatform['env'],
  kind: NotificationKind,
): TimerDefinition => ({
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
