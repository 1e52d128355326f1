import type { Transaction } from '../../../prisma/client.ts';
import { recordChanged } from './read.ts';

/**
 * Resolves attentions of a condition on `a`, within the transaction by which their subject is done, and records it. What
 * is resolved already stays as it is.
 */
export async function resolveAttentions(
  tx: Transaction,
  resolution: string,
  condition: string,
  ...values: unknown[]
): Promise<void> {
  const rows = await tx.$queryRawUnsafe<{ id: string }[]>(
    `WITH held AS MATERIALIZED (
       SELECT a.id FROM attentions a WHERE a.state <> 'resolved' AND (${condition})
       ORDER BY a.id FOR UPDATE
     )
     UPDATE attentions a SET state = 'resolved', resolved_at = clock_timestamp(), next_at = NULL,
       resolution = $1, version = a.version + 1
     FROM held WHERE a.id = held.id
     RETURNING a.id`,
    resolution,
    ...values,
  );
  await recordChanged(
    tx,
    rows.map(({ id }) => id),
  );
}

/** Resolves what asked about changes of a pick list, because somebody has seen or printed it. */
export const resolveListAttentions = (
  tx: Transaction,
  resolution: 'seen' | 'printed',
  { farmId, date, place }: { farmId: string; date: string; place: string | null },
): Promise<void> =>
  resolveAttentions(
    tx,
    resolution,
    `a.kind = 'picklist.changed' AND a.subject_id IN (SELECT id FROM pick_prints
      WHERE farm_id = $2::uuid AND date = $3::date AND place_id IS NOT DISTINCT FROM $4::uuid)`,
    farmId,
    date,
    place,
  );
