import { SignJWT } from 'jose';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { until } from '../../../testing/until.ts';
import { TASKS } from '../../../workers/housekeeping.ts';
import { changeWhileWaiting } from '../../ordering/testing/change-while-waiting.ts';
import { type Caller, startTestMarket } from '../../testing/market.ts';
import { addPasskey, beginPasskeySignIn, codeOf, turnOnApp } from '../../testing/second-factor.ts';
import { ageSession, daysLeftOf, sessionIdOf } from '../../testing/sessions.ts';
import { setClockWrong } from '../../testing/wrong-clock.ts';
import { record } from '../events/event-log.ts';
import { createPlatform } from '../http/platform.ts';
import { sessionChanged } from './sessions.ts';

const DAY_SECONDS = 24 * 60 * 60;

/** Another process on the same stores. */
const market = await startTestMarket();
const other = await createPlatform(market.env, 'test');
// Every move of an end, whichever process makes it.
await market.platform.pool.query(`
  CREATE TABLE moves (session_id uuid);
  CREATE FUNCTION note_move() RETURNS trigger LANGUAGE plpgsql AS
    'BEGIN INSERT INTO moves VALUES (NEW.id); RETURN NULL; END';
  CREATE TRIGGER note_move AFTER UPDATE ON sessions FOR EACH ROW
    WHEN (NEW.expires_at > OLD.expires_at) EXECUTE FUNCTION note_move()`);
let setClockRight = () => {};
afterAll(async () => {
  await other.close();
  await market.close();
  // An answer to what was asked by a wrong clock may have come after it was right.
  setClockRight();
});

async function signIn({ email }: Caller, remember: boolean): Promise<string> {
  const body = { email, password: 'password123', remember };
  return (await market.call('POST', '/auth/login', { body })).body.token;
}
const me = async (token: string): Promise<number> =>
  (await market.call('GET', '/auth/me', { headers: { authorization: `Bearer ${token}` } })).status;
const movesOf = async (token: string): Promise<number> =>
  (
    await market.platform.pool.query('SELECT FROM moves WHERE session_id = $1', [
      sessionIdOf(token),
    ])
  ).rows.length;
/** Waits until the use of a session is written. */
const seen = (token: string) =>
  until(async () => {
    const { db } = market.platform;
    const { lastSeenAt } = await db.session.findUniqueOrThrow({
      where: { id: sessionIdOf(token) },
    });
    return Date.now() - lastSeenAt.getTime() < 60_000;
  });

/** Changes a row of `sessions` as another process would, and lets this one know or not. */
async function setSession(token: string, change: string, { isTold = false } = {}): Promise<void> {
  const { rows } = await market.platform.pool.query(
    `UPDATE sessions SET ${change} WHERE id = $1 RETURNING user_id AS "userId"`,
    [sessionIdOf(token)],
  );
  if (!isTold) return;
  await record(market.platform.db, sessionChanged(rows[0].userId));
  await market.platform.eventLog.sequence();
}

/** Returns a token as the release before issued it, which ended with its session. */
async function tokenOfBefore({ id }: Caller, days: number): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  const expiresAt = new Date((now + days * DAY_SECONDS) * 1000);
  const row = await market.platform.db.session.create({ data: { userId: id, expiresAt } });
  return new SignJWT({ v: 1, sid: row.id })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(id)
    .setIssuedAt(now)
    .setExpirationTime(now + days * DAY_SECONDS)
    .sign(new TextEncoder().encode(market.env.JWT_SECRET));
}

describe('a session in use', () => {
  it.each([
    ['one day', false, 1],
    ['thirty days when it is remembered', true, 30],
  ])('moves its end on by %s', async (_, isRemembered, days) => {
    const token = await signIn(await market.join('consumer'), isRemembered);
    await ageSession(market, token, { hours: 2 });
    expect(await daysLeftOf(market, token)).toBeCloseTo(days - 2 / 24, 2);
    expect(await me(token)).toBe(200);
    await until(async () => Math.abs(((await daysLeftOf(market, token)) ?? 0) - days) < 0.01);
  });

  it('moves its end at most once an hour, however many requests and processes use it', async () => {
    const token = await signIn(await market.join('consumer'), false);
    await ageSession(market, token, { minutes: 59 });
    await me(token);
    await seen(token);
    expect(await movesOf(token)).toBe(0);

    await ageSession(market, token, { minutes: 10 });
    const uses = Array.from({ length: 20 }, () => [me(token), other.sessions.verify(token)]);
    await Promise.all(uses.flat());
    await seen(token);
    await until(async () => (await movesOf(token)) > 0);
    await ageSession(market, token, { minutes: 10 });
    await Promise.all([me(token), other.sessions.verify(token)]);
    await seen(token);
    expect(await movesOf(token)).toBe(1);
  });

  it('ends after a day without use, also where it was seen as open before', async () => {
    const token = await signIn(await market.join('consumer'), false);
    expect(await me(token)).toBe(200);
    await ageSession(market, token, { hours: 23 });
    expect(await other.sessions.peek(token)).not.toBeNull();
    expect(await movesOf(token)).toBe(0);
    await ageSession(market, token, { hours: 1, minutes: 1 });
    expect(await me(token)).toBe(401);
    const listed = await market.platform.db.session.count({
      where: { id: sessionIdOf(token), expiresAt: { gt: new Date() } },
    });
    expect(listed).toBe(0);
  });

  it('lasts 180 days in all', async () => {
    const token = await signIn(await market.join('consumer'), true);
    await setSession(
      token,
      `created_at = now() - interval '179 days', last_seen_at = now() - interval '1 day',
       expires_at = now() + interval '1 hour'`,
      { isTold: true },
    );
    expect(await me(token)).toBe(200);
    await until(async () => ((await daysLeftOf(market, token)) ?? 0) > 0.9);
    expect(await daysLeftOf(market, token)).toBeCloseTo(1, 2);
  });

  it('is answered while the write of its use has to wait', async () => {
    const token = await signIn(await market.join('consumer'), false);
    await ageSession(market, token, { hours: 2 });
    const holder = await market.platform.pool.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT FROM sessions WHERE id = $1 FOR UPDATE', [sessionIdOf(token)]);
    expect([await me(token), await me(token)]).toEqual([200, 200]);
    await holder.query('COMMIT');
    holder.release();
    await seen(token);
  });

  it('is not brought back by use while it is being ended', async () => {
    const caller = await market.join('consumer');
    const token = await signIn(caller, false);
    await ageSession(market, token, { hours: 2 });
    // The write of the use is held up by the row's lock, which the end holds too.
    const answer = await changeWhileWaiting(market.platform.pool, {
      lock: 'SELECT FROM sessions WHERE id = $1 FOR UPDATE',
      id: sessionIdOf(token),
      act: () => market.call('GET', '/auth/me', { headers: { authorization: `Bearer ${token}` } }),
      change: 'DELETE FROM sessions WHERE id = $1',
    });
    expect(answer.status).toBe(200);
    market.platform.sessions.invalidate(caller.id);
    expect(await me(token)).toBe(401);
    expect(await daysLeftOf(market, token)).toBeUndefined();
  });

  it('goes on live, and ends live once it has run out', async () => {
    const [used, unused] = [
      await signIn(await market.join('consumer'), false),
      await signIn(await market.join('consumer'), false),
    ];
    const sockets = [
      await market.connect({ token: used }),
      await market.connect({ token: unused }),
    ];
    await setSession(used, `expires_at = now() + interval '1 second'`, { isTold: true });
    await setSession(used, `expires_at = now() + interval '1 day'`);
    await setSession(unused, `expires_at = now() + interval '1500 milliseconds'`, { isTold: true });
    await until(() => sockets[1]?.disconnected);
    expect(sockets[0]?.connected).toBe(true);
    expect(await me(used)).toBe(200);
    expect(await me(unused)).toBe(401);
  });
});

describe('a token', () => {
  it('ends itself, although its session goes on', async () => {
    const caller = await market.join('consumer');
    const token = await tokenOfBefore(caller, 1);
    const ended = await tokenOfBefore(caller, -1);
    await setSession(ended, `expires_at = now() + interval '10 days'`, { isTold: true });
    expect([await me(token), await me(ended)]).toEqual([200, 401]);
  });

  it('of before goes on until the end that it names', async () => {
    const token = await tokenOfBefore(await market.join('consumer'), 1);
    expect(await me(token)).toBe(200);
    await setSession(
      token,
      `last_seen_at = now() - interval '10 hours', expires_at = now() + interval '2 hours'`,
      { isTold: true },
    );
    expect(await me(token)).toBe(200);
    await until(async () => ((await daysLeftOf(market, token)) ?? 0) > 0.9);
    expect((await daysLeftOf(market, token)) ?? 2).toBeLessThanOrEqual(1);
  });
});

describe('a process whose clock is wrong', () => {
  const setClock = (hours: number) => {
    setClockRight = setClockWrong(hours);
  };
  afterEach(() => setClockRight());

  it.each([25, -25])('lets in who is signed in, by %i hours, and nobody else', async (hours) => {
    const caller = await market.join('consumer');
    const [open, ended] = [await signIn(caller, false), await signIn(caller, false)];
    await ageSession(market, ended, { hours: 25 });
    expect(await me(open)).toBe(200);
    setClock(hours);
    expect([await me(open), await me(ended)]).toEqual([200, 401]);
    market.platform.sessions.invalidate(caller.id);
    expect([await me(open), await me(ended)]).toEqual([200, 401]);
    const token = await signIn(caller, false);
    expect(await daysLeftOf(market, token)).toBeCloseTo(1, 2);
    expect(await me(token)).toBe(200);
  });

  it('deletes no session that is open', async () => {
    const caller = await market.join('consumer');
    const [open, ended] = [await signIn(caller, false), await signIn(caller, false)];
    await ageSession(market, ended, { hours: 25 });
    setClock(25);
    await TASKS['delete-ended-sessions']?.(market.platform);
    expect(await daysLeftOf(market, open)).toBeGreaterThan(0.9);
    expect(await daysLeftOf(market, ended)).toBeUndefined();
  });

  it('takes the codes that a right clock shows, and no others', async () => {
    const caller = await market.join('consumer');
    const { secret } = await turnOnApp(market, caller);
    const { db } = market.platform;
    await db.authenticatorApp.update({ where: { userId: caller.id }, data: { lastStep: 0 } });
    const off = 25 * 60 * 60;
    setClock(25);
    const signInWith = async (code: string) => {
      const body = { email: caller.email, password: 'password123', code };
      return (await market.call('POST', '/auth/login', { body })).status;
    };
    expect(await signInWith(codeOf(secret))).toBe(400);
    expect(await signInWith(codeOf(secret, -off))).toBe(200);
  });

  it('takes what a passkey signs for another process', async () => {
    const { authenticator } = await addPasskey(market, await market.join('consumer'));
    const credential = authenticator.get(await beginPasskeySignIn(market));
    setClock(25);
    const answer = await market.call('POST', '/auth/passkeys/sign-in', { body: { credential } });
    expect(answer.status).toBe(200);
  });
});
