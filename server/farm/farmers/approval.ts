import type { Transaction } from '../../../prisma/client.ts';
import { recordApproval, roomsSeeing } from './events.ts';

/** Returns when a farm that registers now is approved: at once, or not until an admin has seen it. */
export async function approvalOfNewFarm(tx: Transaction): Promise<Date | null> {
  // Shared, so that the setting does not change before this farm is there.
  const [market] = await tx.$queryRaw<{ approvesFarms: boolean }[]>`
    SELECT approves_farms AS "approvesFarms" FROM market_settings WHERE id = 1 FOR SHARE`;
  return market?.approvesFarms ? null : new Date();
}

/**
 * Approves all drafts, for a market that no longer approves farms. Its caller has locked the market's row, so
 * that no farm becomes a draft meanwhile.
 */
export async function approveAllFarms(tx: Transaction): Promise<void> {
  const farms = await tx.$queryRaw<{ _id: string; name: string }[]>`
    WITH draft AS MATERIALIZED (
      SELECT user_id FROM farmer_profiles WHERE approved_at IS NULL ORDER BY user_id FOR UPDATE
    ), shelf AS MATERIALIZED (
      SELECT p.id FROM products p JOIN draft ON draft.user_id = p.farmer_id
      ORDER BY p.id FOR NO KEY UPDATE OF p
    )
    UPDATE farmer_profiles farm
    SET approved_at = now(), asked_at = NULL, sent_back_reason = NULL
    FROM draft, users u, (SELECT count(*) FROM shelf) AS locked
    WHERE farm.user_id = draft.user_id AND u.id = farm.user_id
    RETURNING farm.user_id AS _id, COALESCE(NULLIF(farm.farm_name, ''), u.name) AS name`;
  const approved = { state: 'approved', reason: null } as const;
  const decided: Parameters<typeof recordApproval>[1][number][] = [];
  for (const farm of farms) {
    decided.push({ ...farm, ...approved, seers: await roomsSeeing(tx, farm._id) });
  }
  await recordApproval(tx, decided);
}
