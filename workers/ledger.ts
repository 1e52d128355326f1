import { DEFAULT_PREFERENCES } from '#contract/notifications';
import type { Transaction } from '../prisma/client.ts';
import type { Prisma } from '../prisma/generated/client.ts';
import { notificationsLock } from '../server/notifications/present.ts';
import type { Platform } from '../server/platform/platform.ts';
import { retryConflicts } from '../server/platform/postgres.ts';
import { currentRequestId } from '../server/platform/request-context.ts';
import type { Effect } from './notifications/definition.ts';
import { definitionOf } from './notifications/definitions.ts';

/** A row of the ledger as far as it takes to make a job of it. */
export const plannedSelect = {
  id: true,
  userId: true,
  channel: true,
  kind: true,
} as const satisfies Prisma.NotificationDeliverySelect;

/** Something to be done that stands in the ledger and waits for its job. */
export type Planned = Prisma.NotificationDeliveryGetPayload<{ select: typeof plannedSelect }> & {
  /** The request that led to it, where that is known. */
  requestId?: string | null;
};

/** The longest that a row of this kind waits before its job is due, in seconds. */
export function longestDelay(
  env: Platform['env'],
  { channel, kind }: Pick<Planned, 'channel' | 'kind'>,
): number {
  if (channel === 'push') return 0;
  if (channel === 'in_app') {
    return kind === 'order.unanswered'
      ? env.UNANSWERED_AFTER_SECONDS
      : env.UNREAD_EMAIL_AFTER_SECONDS;
  }
  const definition = definitionOf(kind);
  return !definition || definition.isUrgent ? 0 : env.UNREAD_EMAIL_AFTER_SECONDS;
}

/**
 * Between a notification's key and the push subscription that one row of the ledger is for, as the
 * SQL function `carry_out` writes it.
 */
const FOR = '@';

/** A ledger row's key taken apart: the notification's key and, for push, the subscription's id. */
export function partsOfKey(key: string): { notificationKey: string; subscriptionId: string } {
  const at = key.lastIndexOf(FOR);
  return at < 0
    ? { notificationKey: key, subscriptionId: '' }
    : { notificationKey: key.slice(0, at), subscriptionId: key.slice(at + 1) };
}

/** An effect, and the request that led to it where that is known. */
type Caused = Effect & { requestId?: string | null };

/**
 * Effects as SQL takes them: with how long what they plan may wait, and what the kind's preferences are
 * when the person chose nothing.
 */
const forSql = (env: Platform['env'], effects: readonly Caused[]): string =>
  JSON.stringify(
    effects.map((effect) => {
      if (effect.do === 'mark' || effect.do === 'unmark') return effect;
      const { kind, userId } = effect;
      if (effect.do !== 'tell') {
        const channel = effect.do === 'mail' ? 'email' : 'in_app';
        return { ...effect, waitSeconds: longestDelay(env, { channel, kind }) };
      }
      return {
        ...effect,
        ...DEFAULT_PREFERENCES[effect.kind],
        waitSeconds: longestDelay(env, { channel: 'email', kind }),
        lock: notificationsLock(userId),
      };
    }),
  );

/**
 * Carries out effects inside a transaction, in one statement, in their order. Each is a row that is
 * unique for its key, person and channel, so however often it is asked for, it is there once. They are
 * taken to come of the request under way.
 * @returns what needs a job after the commit
 */
export async function carryOut(
  tx: Transaction,
  env: Platform['env'],
  effects: readonly Effect[],
): Promise<Planned[]> {
  if (effects.length === 0) return [];
  const requestId = currentRequestId() ?? null;
  const told = forSql(
    env,
    effects.map((effect) => ({ ...effect, requestId })),
  );
  return tx.$queryRaw<Planned[]>`SELECT * FROM carry_out(${told}::jsonb)`;
}

/** What came of handling events: the number up to which they had been handled before, and what needs a job. */
export interface Handled {
  passed: number;
  planned: Planned[];
}

/**
 * Carries out what the events up to number `last` call for and moves the follower's cursor there: one
 * statement, so that all of it happens, or nothing. Of events that the cursor has passed, however many
 * processes handle them, nothing happens again.
 */
export async function handleEvents(
  { env, pool }: Platform,
  follower: string,
  last: number,
  effects: readonly (Caused & { seq: number })[],
): Promise<Handled> {
  const { rows } = await retryConflicts(() =>
    pool.query<{ handled: Handled }>({
      name: 'handle_events',
      text: 'SELECT handle_events($1, $2, $3) AS handled',
      values: [follower, last, forSql(env, effects)],
    }),
  );
  const [row] = rows;
  if (!row) throw new Error('Handling events had no answer.');
  return row.handled;
}
