import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { until } from '../../../testing/until.ts';
import { changeWhileWaiting } from '../../ordering/testing/change-while-waiting.ts';
import { createAuthenticator } from '../../testing/authenticator.ts';
import { makeResetLink, makeVerificationLink } from '../../testing/mailed-links.ts';
import { type Caller, closeAfter, startTestMarket } from '../../testing/market.ts';
import {
  addPasskey,
  beginApp,
  beginPasskeySignIn,
  codeOf,
  PASSWORD,
  turnOnApp,
} from '../../testing/second-factor.ts';
import { hire, linkTo } from '../../testing/staff.ts';

const market = closeAfter(await startTestMarket());

const verify = (token: string) => market.call('POST', '/auth/verify-email', { body: { token } });
const refuse = (token: string) =>
  market.call('POST', '/auth/verify-email/not-me', { body: { token } });
const reset = async ({ id }: Caller, password = 'brand new') =>
  market.call('POST', '/auth/reset-password', {
    body: { token: await makeResetLink(market, id), password },
  });
const prove = async (who: Caller) => verify(await makeVerificationLink(market, who.id));
const signIn = ({ email }: Caller, password = PASSWORD, code?: string) =>
  market.call('POST', '/auth/login', { body: { email, password, code } });
const isSignedIn = async (as: Caller) => (await market.get('/auth/me', as)).status;

const subscribe = (as: Caller) => {
  const body = {
    endpoint: `https://push.test/${randomUUID()}`,
    keys: { p256dh: 'p'.repeat(87), auth: 'a'.repeat(22) },
  };
  return market.post('/notifications/push-subscriptions', as, body);
};

/** Registers with the address of somebody else, and makes every way to stay. */
async function takeAddress(role: 'consumer' | 'farmer' = 'farmer') {
  const taker = await market.join(role);
  const passkey = await addPasskey(market, taker);
  const app = await turnOnApp(market, taker);
  expect((await subscribe(taker)).status).toBeLessThan(300);
  if (role === 'farmer') await invite(taker);
  return { taker, passkey, app };
}

async function invite(as: Caller): Promise<string> {
  const body = { email: `${randomUUID()}@farmgate.test`, role: 'owner' };
  return (await market.post('/farm/members', as, body)).body.data._id;
}

/** What an account has beside its password, each by its count. */
async function waysIn({ id: userId }: Caller) {
  const { db } = market.platform;
  const where = { where: { userId } };
  return {
    passkeys: await db.passkey.count(where),
    challenges: await db.passkeyChallenge.count(where),
    apps: await db.authenticatorApp.count(where),
    codes: await db.recoveryCode.count(where),
    pushes: await db.pushSubscription.count(where),
    invitations: await db.farmMember.count({ where: { farmId: userId, userId: null } }),
  };
}
const NONE = { passkeys: 0, challenges: 0, apps: 0, codes: 0, pushes: 0, invitations: 0 };

async function changesOf({ id }: Caller) {
  await market.platform.eventLog.sequence();
  return (await market.platform.eventLog.read(0)).flatMap((event) =>
    event.name === 'account.securityChanged' && event.data._id === id ? [event.data] : [],
  );
}

describe('the first proof of an address', () => {
  it.each([
    ['its verification', prove],
    ['a reset', reset],
    [
      'an invitation to it',
      async (who: Caller) => {
        await market.platform.db.farmMember.deleteMany({ where: { userId: who.id } });
        market.platform.sessions.invalidate(who.id);
        const founder = await market.join('farmer');
        const body = { email: who.email, role: 'packer' };
        const made = await market.post('/farm/members', founder, body);
        const token = await linkTo(market, made.body.data._id);
        return market.post(`/invites/${token}/accept`, who, {});
      },
    ],
  ])('by %s ends all that was made before', async (_, proof) => {
    const { taker, passkey } = await takeAddress();
    const credential = passkey.authenticator.get(await beginPasskeySignIn(market));
    expect((await proof(taker)).status).toBe(200);
    expect(await waysIn(taker)).toEqual(NONE);
    const byPasskey = { body: { credential } };
    expect((await market.call('POST', '/auth/passkeys/sign-in', byPasskey)).status).toBe(401);
    expect((await changesOf(taker)).map(({ change }) => change)).toContain('emailVerified');
  });

  it('leaves the password and the sessions, and notifies nobody where nothing was made', async () => {
    const me = await market.join('consumer');
    const { taker } = await takeAddress('consumer');
    for (const who of [me, taker]) {
      expect((await prove(who)).status).toBe(200);
      expect(await isSignedIn(who)).toBe(200);
      expect((await signIn(who)).status).toBe(200);
    }
    expect(await changesOf(me)).toEqual([]);
  });

  it('leaves what is made after it, and later proofs end nothing', async () => {
    const me = await market.join('farmer');
    await prove(me);
    await addPasskey(market, me);
    const { recoveryCodes } = await turnOnApp(market, me);
    await invite(me);
    await prove(me);
    expect(await waysIn(me)).toMatchObject({ passkeys: 1, apps: 1, codes: 10, invitations: 1 });
    expect((await signIn(me, PASSWORD, recoveryCodes[0])).status).toBe(200);
  });

  it("leaves the invitations of the farm's other owners, and people who have joined", async () => {
    const founder = await market.join('farmer');
    const owner = await hire(market, founder, 'owner');
    const [own, others] = [await invite(founder), await invite(owner)];
    const room: unknown[] = [];
    const socket = await market.connect({ token: owner.token });
    socket.on('member.changed', ({ data }) => room.push(data._id));
    await prove(founder);
    await until(() => room.includes(own));
    const { body } = await market.get('/farm/members', owner);
    const left = body.data.map(({ _id }: { _id: string }) => _id);
    expect(left).toContain(others);
    expect(left).toContain(owner.memberId);
    expect(left).not.toContain(own);
  });

  it('refuses a passkey and an app that were begun before it, also at the same moment', async () => {
    const me = await market.join('consumer');
    const authenticator = createAuthenticator(market.env.PUBLIC_URL);
    const begin = async () => {
      const begun = await market.post('/auth/passkeys/begin', me, { password: PASSWORD });
      return authenticator.create(begun.body.data);
    };
    const add = (body: unknown) => market.post('/auth/passkeys', me, body);
    const atOnce = await begin();
    const answer = await changeWhileWaiting(market.platform.pool, {
      lock: 'SELECT FROM users WHERE id = $1 FOR UPDATE',
      id: me.id,
      act: () => add(atOnce),
      change: 'UPDATE users SET email_verified_at = now() WHERE id = $1',
    });
    expect(answer.status).toBe(400);
    const data = { emailVerifiedAt: null };
    await market.platform.db.user.update({ where: { id: me.id }, data });
    const before = await begin();
    const secret = await beginApp(market, me);
    await prove(me);
    expect((await add(before)).status).toBe(400);
    const body = { code: codeOf(secret) };
    const confirmed = await market.post('/auth/two-factor/confirm', me, body);
    expect(confirmed.status).toBe(409);
    expect(await waysIn(me)).toEqual(NONE);
  });
});

describe('a reset', () => {
  it('of a proven address leaves its second factor, and names what is left', async () => {
    const me = await market.join('consumer');
    await prove(me);
    await addPasskey(market, me);
    const { recoveryCodes } = await turnOnApp(market, me);
    await subscribe(me);
    expect((await reset(me)).status).toBe(200);
    expect((await signIn(me, 'brand new')).body.code).toBe('SECOND_FACTOR_REQUIRED');
    expect((await signIn(me, 'brand new', recoveryCodes[0])).status).toBe(200);
    expect(await waysIn(me)).toMatchObject({ passkeys: 1, apps: 1, pushes: 0 });
    const [change] = (await changesOf(me)).filter(({ change }) => change === 'passwordReset');
    expect(change?.left).toEqual([
      { what: 'app' },
      { what: 'codes', count: 10 },
      { what: 'passkey', device: expect.any(String) },
    ]);
  });

  it('ends the sessions, other links, and what was begun', async () => {
    const me = await market.join('consumer');
    await prove(me);
    const other = await makeResetLink(market, me.id);
    const secret = await beginApp(market, me);
    expect((await reset(me)).status).toBe(200);
    expect(await isSignedIn(me)).toBe(401);
    const again = { body: { token: other, password: 'another one' } };
    expect((await market.call('POST', '/auth/reset-password', again)).status).toBe(400);
    const { body } = await signIn(me, 'brand new');
    const confirm = { as: { ...me, token: body.token }, body: { code: codeOf(secret) } };
    expect((await market.call('POST', '/auth/two-factor/confirm', confirm)).status).toBe(409);
    expect((await changesOf(me)).at(-1)).toMatchObject({ change: 'passwordReset', left: [] });
  });

  it('refuses a passkey that somebody signed in adds at the same moment', async () => {
    const me = await market.join('consumer');
    await prove(me);
    const authenticator = createAuthenticator(market.env.PUBLIC_URL);
    const as = { as: me, body: { password: PASSWORD } };
    const begun = await market.call('POST', '/auth/passkeys/begin', as);
    const body = authenticator.create(begun.body.data);
    const { status } = await changeWhileWaiting(market.platform.pool, {
      lock: 'SELECT FROM users WHERE id = $1 FOR UPDATE',
      id: me.id,
      act: () => market.post('/auth/passkeys', me, body),
      change: 'UPDATE users SET token_version = token_version + 1 WHERE id = $1',
    });
    expect(status).toBe(400);
    expect(await waysIn(me)).toMatchObject({ passkeys: 0 });
  });
});

describe('the link that verifies an email', () => {
  it('names the account before anything is done', async () => {
    const me = await market.join('farmer');
    const token = await makeVerificationLink(market, me.id);
    const read = async () => (await market.get(`/auth/verify-email?token=${token}`)).body;
    expect((await read()).data).toEqual({
      purpose: 'verify',
      email: me.email,
      newEmail: null,
      account: { name: me.name, role: 'farmer', createdAt: expect.any(String) },
      isDone: false,
    });
    await verify(token);
    expect((await read()).data.isDone).toBe(true);
    for (const bad of ['no-such-token', '', token.slice(1)]) {
      const answer = await market.get(`/auth/verify-email?token=${bad}`);
      expect(answer.status).toBe(400);
    }
  });

  it('locks an account whose reader says that it is not theirs, until a reset', async () => {
    const { taker, passkey } = await takeAddress();
    const socket = await market.connect({ token: taker.token });
    const [token, other] = [
      await makeVerificationLink(market, taker.id),
      await makeVerificationLink(market, taker.id),
    ];
    const credential = passkey.authenticator.get(await beginPasskeySignIn(market));
    expect((await refuse(token)).status).toBe(200);
    expect((await refuse(token)).status).toBe(200);
    await until(() => socket.disconnected);
    expect(await isSignedIn(taker)).toBe(401);
    expect((await signIn(taker)).status).toBe(401);
    const byPasskey = { body: { credential } };
    expect((await market.call('POST', '/auth/passkeys/sign-in', byPasskey)).status).toBe(401);
    expect(await waysIn(taker)).toEqual(NONE);
    for (const link of [token, other]) expect((await verify(link)).status).toBe(400);

    expect((await reset(taker)).status).toBe(200);
    const { body } = await signIn(taker, 'brand new');
    expect(body.user).toMatchObject({ _id: taker.id, isEmailVerified: true });
    const row = await market.platform.db.user.findUniqueOrThrow({ where: { id: taker.id } });
    expect(row.emailRefusedAt).toBeNull();
  });

  it('locks nothing once the address is proven', async () => {
    const me = await market.join('consumer');
    const token = await makeVerificationLink(market, me.id);
    await prove(me);
    expect((await refuse(token)).status).toBe(400);
    expect(await isSignedIn(me)).toBe(200);
  });

  it('verifies or locks, never both, when both are pressed at once', async () => {
    const me = await market.join('consumer');
    const token = await makeVerificationLink(market, me.id);
    const answers = await Promise.all([verify(token), refuse(token)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    const isLocked = answers[1]?.status === 200;
    expect((await signIn(me)).status).toBe(isLocked ? 401 : 200);
  });
});
