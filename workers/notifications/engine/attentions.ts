import { randomUUID } from 'node:crypto';
import type { NotificationKind } from '#contract/people/notifications/notifications';
import type { Effect } from './definition.ts';

/**
 * What asks until somebody answers. One that asks about the same already has the newer words; where it was answered, it
 * begins again.
 */
export interface PlannedAttention {
  id: string;
  farmId: string;
  /** The customer who alone is meant. */
  userId: string | null;
  kind: NotificationKind;
  orderId: string | null;
  subjectId: string;
  params: object;
  link: string;
  key: string;
  createdAt: Date;
  requestId: string | null;
}

type Notice = Extract<Effect, { do: 'notify' }> & { requestId: string | null; at?: Date };

/** Adds what a notification asks by to others: of what asks about the same the latest is written. */
export function withAttention(
  others: readonly PlannedAttention[],
  { asks, userId, kind, params, link, key, requestId, at }: Notice,
  now: Date,
): PlannedAttention[] {
  if (!asks) return [...others];
  const { farmId, orderId = null, subjectId } = asks;
  const attention = {
    ...{ id: randomUUID(), farmId, orderId, subjectId, kind, params, link, key, requestId },
    userId: userId === farmId ? null : userId,
    createdAt: at ?? now,
  };
  const isSame = (each: PlannedAttention) =>
    each.kind === kind && each.subjectId === subjectId && each.userId === attention.userId;
  return [...others.filter((each) => !isSame(each)), attention];
}

/** Stands for no customer in the index of what asks. */
const NOBODY = '00000000-0000-0000-0000-000000000000';

/** Where news comes of what somebody has answered, it begins again; a plan that is running goes on. */
const BEGINS_AGAIN = Object.entries({
  state: "'waiting'",
  plan: "'{}'",
  step: '0',
  round: 'known.round + 1',
  round_at: 'EXCLUDED.round_at',
  next_at: 'EXCLUDED.next_at',
  begun_at: 'NULL',
  seen_at: 'NULL',
  seen_by_id: 'NULL',
  acknowledged_at: 'NULL',
  acknowledged_by_id: 'NULL',
  exhausted_at: 'NULL',
})
  .map(
    ([column, again]) =>
      `${column} = CASE WHEN known.state IN ('acknowledged', 'exhausted') THEN ${again} ELSE known.${column} END`,
  )
  .join(',\n        ');

/**
 * The part of the statement that writes a plan which writes what asks, once the row `guard` is there. What asks about the
 * same already gets the newer words. Each begins by its timer, at once.
 */
export const WRITE_ATTENTIONS = `asked AS (
    INSERT INTO attentions AS known
        (id, farm_id, user_id, kind, order_id, subject_id, params, link, key, created_at, round_at, next_at)
      SELECT a.id, a."farmId", a."userId", a.kind, a."orderId", a."subjectId", a.params, a.link, a.key,
        a."createdAt", a."createdAt", a."createdAt"
      FROM guard, json_to_recordset($1::json -> 'attentions') AS a(
        id uuid, "farmId" uuid, "userId" uuid, kind text, "orderId" uuid, "subjectId" uuid, params jsonb, link text,
        key text, "createdAt" timestamptz(3))
      WHERE EXISTS (SELECT FROM farmer_profiles WHERE user_id = a."farmId")
        AND (a."userId" IS NULL OR EXISTS (SELECT FROM users WHERE id = a."userId"))
        AND (a."orderId" IS NULL OR EXISTS (SELECT FROM orders WHERE id = a."orderId"))
      ON CONFLICT (kind, subject_id, farm_id, COALESCE(user_id, '${NOBODY}')) WHERE state <> 'resolved'
      DO UPDATE SET params = EXCLUDED.params, link = EXCLUDED.link, key = EXCLUDED.key, version = known.version + 1,
        ${BEGINS_AGAIN}
      -- What an earlier attempt has written.
      WHERE known.key <> EXCLUDED.key
      RETURNING known.id
  ),
  awoken AS (
    INSERT INTO timers (key, kind, due_at, request_id)
      SELECT 'attention:' || asked.id, 'attention', now(),
        (SELECT a."requestId" FROM json_to_recordset($1::json -> 'attentions') AS a(id uuid, "requestId" text)
          WHERE a.id = asked.id)
      FROM asked
      ON CONFLICT (key) DO UPDATE SET due_at = EXCLUDED.due_at, done_at = NULL, attempts = 0, error = NULL
  )`;
