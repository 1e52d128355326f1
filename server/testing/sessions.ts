import { decodeJwt } from 'jose';
import { record } from '../platform/events/event-log.ts';
import { sessionChanged } from '../platform/sessions/sessions.ts';
import type { TestMarket } from './market.ts';

/** Returns the id of the session that a token is of. */
export const sessionIdOf = (token: string): string => String(decodeJwt(token).sid);

/** Returns how long a new session and its token last, in days. */
export async function daysOf({ platform }: TestMarket, token: string) {
  const [row] = await platform.db.$queryRaw<{ session: number }[]>`
    SELECT extract(epoch FROM expires_at - created_at)::float8 / 86400 AS session
    FROM sessions WHERE id = ${sessionIdOf(token)}::uuid`;
  const { exp = 0, iat = 0 } = decodeJwt(token);
  return { session: row?.session, token: (exp - iat) / 86_400 };
}

/** Makes a session so much older, unused, as if the time had passed; every process reads it anew. */
export async function ageSession(
  { platform }: TestMarket,
  token: string,
  by: { days?: number; hours?: number; minutes?: number },
): Promise<void> {
  const minutes = ((by.days ?? 0) * 24 + (by.hours ?? 0)) * 60 + (by.minutes ?? 0);
  const [row] = await platform.db.$queryRaw<{ userId: string }[]>`
    UPDATE sessions SET created_at = created_at - age, last_seen_at = last_seen_at - age,
      expires_at = expires_at - age
    FROM (SELECT make_interval(mins => ${minutes}::int) AS age) AS passed
    WHERE id = ${sessionIdOf(token)}::uuid RETURNING user_id AS "userId"`;
  if (!row) throw new Error('The session has ended.');
  await record(platform.db, sessionChanged(row.userId));
  await platform.eventLog.sequence();
  platform.sessions.invalidate(row.userId);
}

/** Returns in how many days a session ends without use; undefined when it has no row. */
export async function daysLeftOf({ platform }: TestMarket, token: string) {
  const [row] = await platform.db.$queryRaw<{ days: number }[]>`
    SELECT extract(epoch FROM expires_at - now())::float8 / 86400 AS days
    FROM sessions WHERE id = ${sessionIdOf(token)}::uuid`;
  return row?.days;
}
