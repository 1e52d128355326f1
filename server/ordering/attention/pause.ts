import type { Transaction } from '../../../prisma/client.ts';
import { pauseByItself } from '../../farm/pause/service.ts';
import type { NewTimer } from '../../platform/stores/timers.ts';
import type { StoredEscalation } from './escalation.ts';
import { planOf } from './policy.ts';
import type { AttentionRow } from './read.ts';

/** Follows the kind in the key of the timer that looks whether a farm answers at all. */
export const UNANSWERED = 'unanswered:';

/**
 * Returns the timer that looks whether a farm is to pause, once one of its new orders was left unanswered. It is one of
 * its own, since a farm is locked before orders.
 */
export const unansweredTimer = (
  { kind, farmId, plan }: Pick<AttentionRow, 'kind' | 'farmId' | 'plan'>,
  dueAt: Date | null,
): NewTimer[] =>
  kind === 'order.placed' && dueAt && plan?.pauseAfter
    ? [{ kind: 'attention', key: `attention:${UNANSWERED}${farmId}`, dueAt }]
    : [];

// $1 the farm. New orders left unanswered since somebody there last answered one in time, or it was paused.
const LEFT_IN_A_ROW = `WITH own AS (
    SELECT * FROM attentions WHERE farm_id = $1::uuid AND kind = 'order.placed'
  )
  SELECT count(*)::int AS count FROM own
  WHERE exhausted_at IS NOT NULL AND acknowledged_at IS NULL
    AND exhausted_at > COALESCE((
      SELECT max(GREATEST(acknowledged_at, resolved_at)) FROM own
      WHERE acknowledged_at IS NOT NULL OR (exhausted_at IS NULL AND resolution IN ('accepted', 'rejected', 'pending'))), '-infinity')
    AND exhausted_at > COALESCE((
      SELECT paused_at FROM farmer_profiles WHERE user_id = $1::uuid), '-infinity')`;

/** Lets a farm take no orders for now that leaves so many in a row unanswered as it says itself. */
export async function pauseUnanswered(tx: Transaction, farmId: string): Promise<void> {
  const farm = await tx.farmerProfile.findUnique({
    where: { userId: farmId },
    select: { escalation: true },
  });
  const { pauseAfter } = planOf('order.placed', (farm?.escalation ?? {}) as StoredEscalation);
  const [left] = await tx.$queryRawUnsafe<{ count: number }[]>(LEFT_IN_A_ROW, farmId);
  if (pauseAfter === null || !left || left.count < pauseAfter) return;
  await pauseByItself(tx, farmId);
}
