import { describe, expect, it } from 'vitest';
import { until } from '../../../testing/until.ts';
import { changeWhileWaiting } from '../../ordering/testing/change-while-waiting.ts';
import { type Answer, type Caller, closeAfter, startTestMarket } from '../../testing/market.ts';
import {
  addPasskey,
  beginApp,
  beginPasskeySignIn,
  codeOf,
  PASSWORD,
  turnOnApp,
} from '../../testing/second-factor.ts';

const market = closeAfter(await startTestMarket());

const signIn = ({ email }: Caller, code?: string) =>
  market.call('POST', '/auth/login', { body: { email, password: PASSWORD, code } });
const change = (as: Caller) =>
  market.put('/auth/password', as, { currentPassword: PASSWORD, newPassword: 'brand new' });
const sessionsOf = ({ id }: Caller) => market.platform.db.session.count({ where: { userId: id } });

/** Signs in while somebody else holds the account and changes it: what was verified is no longer so. */
const whileWaiting = ({ id }: Caller, act: () => Promise<Answer>, change: string) =>
  changeWhileWaiting(market.platform.pool, {
    lock: 'SELECT FROM users WHERE id = $1 FOR UPDATE',
    id,
    act,
    change,
  });

const SUSPENDED = 'UPDATE users SET suspended_at = now(), token_version = token_version + 1';
const DELETED = 'UPDATE users SET deleted_at = now(), token_version = token_version + 1';

describe('a sign-in that is overtaken begins no session', () => {
  it('by a new password', async () => {
    const me = await market.join('consumer');
    const before = await sessionsOf(me);
    const changed = `UPDATE users SET password_hash = 'another one' WHERE id = $1`;
    const { status, body } = await whileWaiting(me, () => signIn(me), changed);
    expect(status).toBe(401);
    expect(body.message).toBe("That email and password don't match.");
    expect(await sessionsOf(me)).toBe(before);
  });

  it.each([
    ['a suspension', SUSPENDED],
    ['a deletion', DELETED],
    ['the removal of its second factor', 'UPDATE users SET token_version = token_version + 1'],
    ['a farm that its founder leaves', 'UPDATE users SET is_farm = true'],
  ])('by %s, with password and with a passkey', async (_, changed) => {
    for (const way of ['password', 'passkey']) {
      const me = await market.join('consumer');
      const { authenticator } = await addPasskey(market, me);
      const credential = authenticator.get(await beginPasskeySignIn(market));
      const before = await sessionsOf(me);
      const act = () =>
        way === 'password'
          ? signIn(me)
          : market.call('POST', '/auth/passkeys/sign-in', { body: { credential } });
      expect((await whileWaiting(me, act, `${changed} WHERE id = $1`)).status).toBe(401);
      expect(await sessionsOf(me)).toBe(before);
    }
  });

  it('by the removal of the passkey that it uses', async () => {
    const me = await market.join('consumer');
    const { authenticator } = await addPasskey(market, me);
    const credential = authenticator.get(await beginPasskeySignIn(market));
    const before = await sessionsOf(me);
    const act = () => market.call('POST', '/auth/passkeys/sign-in', { body: { credential } });
    const removed = 'DELETE FROM passkeys WHERE user_id = $1';
    expect((await whileWaiting(me, act, removed)).status).toBe(401);
    expect(await sessionsOf(me)).toBe(before);
  });

  it('but a new password leaves a passkey what it is', async () => {
    const me = await market.join('consumer');
    const { authenticator } = await addPasskey(market, me);
    const credential = authenticator.get(await beginPasskeySignIn(market));
    const act = () => market.call('POST', '/auth/passkeys/sign-in', { body: { credential } });
    const changed = `UPDATE users SET password_hash = 'another one' WHERE id = $1`;
    expect((await whileWaiting(me, act, changed)).status).toBe(200);
  });
});

/** Holds a sign-in between its proof and its end, and lets `act` begin meanwhile. */
async function whileSigningIn(me: Caller, act: () => Promise<Answer>) {
  const { freshCode } = await turnOnApp(market, me);
  const code = await freshCode();
  const holder = await market.platform.pool.connect();
  const waiting = async (count: number) =>
    until(async () => {
      const { rows } = await market.platform.pool.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return rows.length >= count;
    });
  await holder.query('BEGIN');
  await holder.query('SELECT FROM authenticator_apps WHERE user_id = $1 FOR UPDATE', [me.id]);
  const signedIn = signIn(me, code);
  await waiting(1);
  const acted = act();
  await waiting(2);
  await holder.query('COMMIT');
  holder.release();
  return { signedIn: await signedIn, acted: await acted };
}

describe('a sign-in that comes first is ended by what comes after it', () => {
  it('by a suspension', async () => {
    const [me, admin] = [await market.join('consumer'), await market.join('admin')];
    const { signedIn, acted } = await whileSigningIn(me, () =>
      market.put(`/users/${me.id}/suspension`, admin, { suspended: true, reason: 'Spam' }),
    );
    expect([signedIn.status, acted.status]).toEqual([200, 200]);
    expect(await sessionsOf(me)).toBe(0);
    expect(await market.platform.sessions.verify(signedIn.body.token)).toBeNull();
  });

  it('by an authenticator that is turned on', async () => {
    const me = await market.join('consumer');
    const secret = await beginApp(market, me);
    const { pool } = market.platform;
    const holder = await pool.connect();
    const waiting = (count: number) =>
      until(async () => {
        const { rows } = await pool.query(
          `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        );
        return rows.length >= count;
      });
    await holder.query('BEGIN');
    // The sign-in has its proof and is about to write; then the app is confirmed.
    await holder.query('LOCK TABLE sign_in_sources IN SHARE MODE');
    const signingIn = signIn(me);
    await waiting(1);
    const confirming = market.post('/auth/two-factor/confirm', me, { code: codeOf(secret) });
    await waiting(2);
    await holder.query('COMMIT');
    holder.release();
    const [signedIn, confirmed] = [await signingIn, await confirming];
    expect([signedIn.status, confirmed.status]).toEqual([200, 200]);
    expect(await market.platform.sessions.verify(signedIn.body.token)).toBeNull();
    expect(await sessionsOf(me)).toBe(1);
  });

  it('by the removal of its second factor', async () => {
    const [me, admin] = [await market.join('consumer'), await market.join('admin')];
    const { signedIn, acted } = await whileSigningIn(me, () =>
      market.call('DELETE', `/users/${me.id}/second-factor`, {
        as: admin,
        body: { reason: 'Lost phone' },
      }),
    );
    expect([signedIn.status, acted.status]).toEqual([200, 200]);
    expect(await sessionsOf(me)).toBe(0);
  });
});

it('of a new password and sign-ins with the old one at once, only the session that set it is left', async () => {
  const me = await market.join('consumer');
  const [changed, ...signIns] = await Promise.all([
    change(me),
    ...Array.from({ length: 12 }, () => signIn(me)),
  ]);
  expect(changed.status).toBe(200);
  for (const { status, body } of signIns) {
    expect([200, 401]).toContain(status);
    if (status === 200) expect(await market.platform.sessions.verify(body.token)).toBeNull();
  }
  expect(await sessionsOf(me)).toBe(1);
  expect((await market.get('/auth/me', me)).status).toBe(200);
});
