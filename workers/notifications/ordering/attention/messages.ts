import type { AttentionKind } from '#contract/people/notifications/constants';
import type { Database, Transaction } from '../../../../prisma/client.ts';
import type { NotificationDelivery } from '../../../../prisma/generated/client.ts';
import { recordChanged } from '../../../../server/ordering/attention/read.ts';
import { acknowledgementToken } from '../../../../server/ordering/attention/token.ts';
import { readNames, withNames } from '../../../../server/people/notifications/present.ts';
import { inLanguageOf } from '../../../../server/platform/market/readers.ts';
import { transact } from '../../../../server/platform/stores/postgres.ts';
import { partsOfKey } from '../../../delivery/schedule.ts';
import { markSkipped } from '../../engine/delivery.ts';
import type { ClaimAlert } from '../../engine/push.ts';
import type { PushCare } from '../../engine/push-client.ts';
import { TRIED, writeAlert, writeTrial } from './words.ts';

/** A phone that is found again later is told by a later step. */
const CARE: PushCare = { ttl: 4 * 60 * 60, urgency: 'high' };

/** What asks, as a message needs it. */
export interface AskingRow {
  id: string;
  kind: AttentionKind;
  params: Record<string, unknown>;
  link: string;
  key: string;
  round: number;
  createdAt: Date;
}

type Delivery = Pick<
  NotificationDelivery,
  'id' | 'userId' | 'key' | 'channel' | 'about' | 'attentionId'
>;

/** An attention asks while nobody has answered in the round of a delivery; its last step leaves it exhausted. */
const ASKS = `a.state IN ('waiting', 'exhausted') AND a.round = split_part(d.key, ':', 3)::int`;

/**
 * Returns which deliveries of alerts may be sent: those whose attention still asks, to somebody who works for its farm
 * and is not off today. Their attentions are locked, so that nothing is claimed once an acknowledgement has committed.
 */
export async function lockAsking(
  tx: Transaction,
  deliveries: readonly Pick<Delivery, 'id'>[],
): Promise<ReadonlySet<string>> {
  if (deliveries.length === 0) return new Set();
  const rows = await tx.$queryRawUnsafe<{ id: string }[]>(
    `SELECT d.id FROM attentions a JOIN notification_deliveries d ON d.attention_id = a.id
     WHERE d.id = ANY ($1::uuid[]) AND ${ASKS} AND EXISTS (
       SELECT FROM farm_members m JOIN users u ON u.id = m.user_id
       WHERE m.farm_id = a.farm_id AND m.user_id = d.user_id AND u.suspended_at IS NULL
         AND (m.off_until IS NULL OR m.off_until <= now()))
     ORDER BY a.id FOR SHARE OF a`,
    deliveries.map(({ id }) => id),
  );
  return new Set(rows.map(({ id }) => id));
}

/**
 * Reads what a message is about: all that somebody was told of together and that still asks, also what was in the
 * message whose place it takes; the oldest first. What is claimed was asked for then.
 */
export const readTogether = (
  db: Database | Transaction,
  { userId, channel, about, key }: Delivery,
  claimed: readonly Pick<Delivery, 'id'>[] = [],
): Promise<AskingRow[]> =>
  db.$queryRawUnsafe<AskingRow[]>(
    `SELECT a.id, a.kind, a.params, a.link, a.key, a.round, a.created_at AS "createdAt" FROM attentions a
     WHERE a.id IN (
       SELECT a.id FROM notification_deliveries d JOIN attentions a ON a.id = d.attention_id
       WHERE d.user_id = $1::uuid AND d.about = $2 AND d.channel = $3::"Channel"
         AND split_part(d.key, '@', 2) = $4 AND d.status IN ('sending', 'sent')
         AND (${ASKS} OR d.id = ANY ($5::uuid[])))
     ORDER BY a.created_at, a.id`,
    userId,
    about,
    channel,
    partsOfKey(key).subscriptionId,
    claimed.map(({ id }) => id),
  );

export const claimAlert: ClaimAlert = async ({ db, env }, rows, language) => {
  const [first] = rows;
  if (first?.key.startsWith(TRIED)) {
    return {
      ids: [first.id],
      payload: await inLanguageOf(language, async () => writeTrial(first.id)),
      care: CARE,
    };
  }
  if (!first?.attentionId) return undefined;
  const claimed = await transact(db, async (tx) => {
    const asking = await lockAsking(tx, rows);
    const ids = rows.map(({ id }) => id);
    await markSkipped(
      tx,
      ids.filter((id) => !asking.has(id)),
    );
    await tx.notificationDelivery.updateMany({
      where: { id: { in: [...asking] } },
      data: { status: 'sending' },
    });
    return {
      ids: ids.filter((id) => asking.has(id)),
      together: asking.size > 0 ? await readTogether(tx, first) : [],
    };
  });
  const [id, ...others] = claimed.ids;
  const [oldest, ...later] = claimed.together;
  if (!id || !oldest) return { ids: [] };
  const names = await readNames(db, claimed.together);
  const named = (row: AskingRow) => ({ ...row, params: withNames(row, names) ?? {} });
  const { now, waiting } = await countWaiting(db, oldest.id);
  const { userId } = first;
  const token = acknowledgementToken(env, { userId, attentions: claimed.together, now });
  const tag = (first.about ?? '').replace(/^attention:/, '');
  const payload = await inLanguageOf(language, async () =>
    writeAlert([named(oldest), ...later.map(named)], { tag, token, waiting }),
  );
  const ids = [id, ...others] as const;
  return { ids, payload, care: CARE, afterSent: (tx) => afterSent(tx, ids) };
};

/** Counts what waits at the farm of an attention, and reads the clock of the database. */
async function countWaiting(db: Database, id: string): Promise<{ now: Date; waiting: number }> {
  const [row] = await db.$queryRaw<{ now: Date; waiting: number }[]>`
    SELECT clock_timestamp() AS now, count(*)::int AS waiting FROM attentions
    WHERE farm_id = (SELECT farm_id FROM attentions WHERE id = ${id}::uuid)
      AND user_id IS NULL AND state IN ('waiting', 'exhausted')`;
  return row ?? { now: new Date(), waiting: 1 };
}

/** Lets the farm and admins see who was told by deliveries, in the transaction that marks them as sent. */
export async function afterSent(tx: Transaction, ids: readonly string[]): Promise<void> {
  const told = await tx.$queryRawUnsafe<{ id: string }[]>(
    `WITH held AS MATERIALIZED (
       SELECT a.id FROM attentions a
       WHERE a.state <> 'resolved'
         AND a.id IN (SELECT attention_id FROM notification_deliveries WHERE id = ANY ($1::uuid[]))
       ORDER BY a.id FOR UPDATE
     )
     UPDATE attentions a SET version = a.version + 1 FROM held WHERE a.id = held.id RETURNING a.id`,
    ids,
  );
  await recordChanged(
    tx,
    told.map(({ id }) => id),
  );
}
