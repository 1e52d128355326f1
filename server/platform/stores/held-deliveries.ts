import type pg from 'pg';
import type { Transaction } from '../../../prisma/client.ts';
import type { TimerKind } from './timers.ts';

/** Mails of links that somebody asked for. They are worth nothing later, and their links end by themselves. */
const LINK_MAILS = ['password.reset', 'email.verification', 'email.change', 'email.changeNotice'];

/** Timers that only notify. The others change something, and decide by the present state when they run. */
const REMINDERS = [
  'order.unanswered',
  'order.changeReminder',
  'message.unread',
  'picklist.changed',
  'stock.back',
  'stock.wave',
  'farm.newProducts',
  'attention',
] as const satisfies TimerKind[];

const DROPPED = 'Dropped after a restore';

/**
 * Lets what a backup held wait for an admin: much of it was sent after the backup was made, or is about what is long
 * over. Mails to admins do not wait.
 */
export async function holdDeliveries(client: pg.Client): Promise<void> {
  await client.query(
    `UPDATE notification_deliveries d SET restored_at = now()
     FROM users u
     WHERE u.id = d.user_id AND u.role <> 'admin' AND d.status IN ('pending', 'sending')
       AND d.channel IN ('email', 'push', 'sms') AND d.kind <> ALL ($1)`,
    [LINK_MAILS],
  );
  // They work for minutes, and were texted already.
  await client.query('DELETE FROM phone_codes');
  await client.query(
    'UPDATE timers SET restored_at = now() WHERE done_at IS NULL AND kind = ANY ($1)',
    [REMINDERS],
  );
}

/** What still holds when it is sent is decided there, by the present state. @returns what waited */
export async function settleDeliveries(
  tx: Transaction,
  action: 'send' | 'drop',
): Promise<{ mails: number; pushes: number; texts: number; reminders: number }> {
  const [deliveries, reminders] =
    action === 'send'
      ? await Promise.all([
          tx.$queryRaw<{ channel: string }[]>`
            UPDATE notification_deliveries SET restored_at = NULL, due_at = now()
            WHERE restored_at IS NOT NULL RETURNING channel::text`,
          tx.$executeRaw`UPDATE timers SET restored_at = NULL WHERE restored_at IS NOT NULL`,
        ])
      : await Promise.all([
          tx.$queryRaw<{ channel: string }[]>`
            UPDATE notification_deliveries SET restored_at = NULL, status = 'skipped', error = ${DROPPED}
            WHERE restored_at IS NOT NULL RETURNING channel::text`,
          // What asks for an answer goes on standing in the lists, and asks no more.
          tx.$executeRaw`
            WITH dropped AS (
              UPDATE attentions a SET next_at = NULL, version = a.version + 1,
                state = CASE a.state WHEN 'waiting' THEN 'exhausted' ELSE a.state END,
                exhausted_at = CASE a.state WHEN 'waiting' THEN now() ELSE a.exhausted_at END
              FROM timers t
              WHERE t.key = 'attention:' || a.id AND t.restored_at IS NOT NULL AND a.state <> 'resolved')
            UPDATE timers SET restored_at = NULL, done_at = now(), error = ${DROPPED}
            WHERE restored_at IS NOT NULL`,
        ]);
  const count = (of: string) => deliveries.filter(({ channel }) => channel === of).length;
  return { mails: count('email'), pushes: count('push'), texts: count('sms'), reminders };
}
