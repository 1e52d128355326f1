import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { DEVICE_HEADER } from '#contract/people/auth/constants';
import { until } from '../../../testing/until.ts';
import { makeResetLink, makeVerificationLink } from '../../testing/mailed-links.ts';
import { type Caller, closeAfter, startTestMarket } from '../../testing/market.ts';
import { changeMarket } from '../../testing/market-settings.ts';
import { addPasskey, PASSWORD, turnOnApp } from '../../testing/second-factor.ts';
import { hire } from '../../testing/staff.ts';
import { findKnownSource } from './sources.ts';

const market = closeAfter(await startTestMarket());

const anAddress = () => `${randomUUID()}@farmgate.test`;
const put = (as: Caller, email: string, over: object = {}) =>
  market.put('/auth/email', as, { email, password: PASSWORD, ...over });
const verify = (token: string) => market.call('POST', '/auth/verify-email', { body: { token } });
const refuse = (token: string) =>
  market.call('POST', '/auth/verify-email/not-me', { body: { token } });
const signIn = async (email: string, password = PASSWORD) =>
  (await market.call('POST', '/auth/login', { body: { email, password } })).status;
const emailOf = async ({ id }: Caller) =>
  (await market.platform.db.user.findUniqueOrThrow({ where: { id } })).email;
const register = (email: string) =>
  market.call('POST', '/auth/register', {
    body: { name: 'Somebody', email, password: PASSWORD, acceptsTerms: true },
  });

/** Somebody whose email is proven. */
async function proven(role: 'consumer' | 'farmer' | 'admin' = 'consumer'): Promise<Caller> {
  const me = await market.join(role);
  const { status } = await verify(await makeVerificationLink(market, me.id));
  expect(status).toBe(200);
  return me;
}

/** The links that a worker would mail for the change that was asked for last. */
async function linksOf({ id }: Caller) {
  const change = await market.platform.db.emailChange.findFirstOrThrow({
    where: { userId: id },
    orderBy: { createdAt: 'desc' },
  });
  const link = (email: string) =>
    makeVerificationLink(market, id, undefined, { email, changeId: change.id });
  return { change, confirm: await link(change.newEmail), undo: await link(change.oldEmail) };
}

/** Moves somebody to another address, as its mails would. */
async function move(who: Caller, email = anAddress()) {
  expect((await put(who, email)).status).toBe(200);
  const links = await linksOf(who);
  expect((await verify(links.confirm)).status).toBe(200);
  return { email, ...links };
}

describe('an email that was never proven', () => {
  it('is replaced at once, and links to the mistyped one open nothing', async () => {
    const me = await market.join('consumer');
    const [mistyped, email] = [me.email, anAddress()];
    const [link, reset] = [
      await makeVerificationLink(market, me.id),
      await makeResetLink(market, me.id),
    ];
    const { status, body } = await put(me, ` ${email.toUpperCase()} `);
    expect([status, body.data]).toEqual([200, { email, isVerified: false, pending: null }]);
    // Mailed by a worker that read the address just before.
    const late = await makeVerificationLink(market, me.id, undefined, { email: mistyped });
    expect((await market.get('/auth/me', me)).body.user.email).toBe(email);
    expect([await signIn(email), await signIn(mistyped)]).toEqual([200, 401]);
    for (const token of [link, late]) expect((await verify(token)).status).toBe(400);
    const by = { body: { token: reset, password: 'brand new' } };
    expect((await market.call('POST', '/auth/reset-password', by)).status).toBe(400);
    // The owner of the mistyped address is nobody to this account, and may open one.
    expect((await register(mistyped)).status).toBe(201);
    expect((await verify(await makeVerificationLink(market, me.id))).status).toBe(200);
  });

  it('is replaced where the market asks for verified emails, and mailed another link', async () => {
    const me = await market.join('consumer');
    await changeMarket(market, { requiresVerifiedEmail: true });
    const asked = async () => {
      await market.platform.eventLog.sequence();
      return (await market.platform.eventLog.read(0)).filter(
        ({ name, data }) =>
          name === 'email.verificationRequested' && (data as { _id: string })._id === me.id,
      ).length;
    };
    expect((await put(me, anAddress())).status).toBe(200);
    expect(await asked()).toBe(2);
    await changeMarket(market, { requiresVerifiedEmail: false });
  });
});

describe('a proven email', () => {
  it('stays until the link in the new one is opened, and then ends nothing', async () => {
    const me = await market.join('consumer');
    const device = randomUUID();
    const headers = { [DEVICE_HEADER]: device };
    await verify(await makeVerificationLink(market, me.id));
    const login = { headers, body: { email: me.email, password: PASSWORD } };
    expect((await market.call('POST', '/auth/login', login)).status).toBe(200);
    await addPasskey(market, me);
    const email = anAddress();
    const { body } = await put(me, email);
    expect(body.data).toMatchObject({ email: me.email, isVerified: true, pending: { email } });
    const read = async () => (await market.get('/auth/email', me)).body.data;
    expect(await read()).toEqual(body.data);
    expect([await signIn(me.email), await signIn(email)]).toEqual([200, 401]);

    const socket = await market.connect({ token: me.token });
    const told: string[] = [];
    socket.on('account.changed', () => told.push('changed'));
    const { confirm } = await linksOf(me);
    const link = await market.get(`/auth/verify-email?token=${confirm}`);
    expect(link.body.data).toMatchObject({ purpose: 'change', email, newEmail: email });
    const reset = await makeResetLink(market, me.id);
    expect((await verify(confirm)).status).toBe(200);
    expect((await verify(confirm)).status).toBe(200);
    await until(() => told.length > 0);
    expect(socket.connected).toBe(true);
    expect(await read()).toEqual({ email, isVerified: true, pending: null });
    expect([await signIn(me.email), await signIn(email)]).toEqual([401, 200]);
    expect(await market.platform.db.passkey.count({ where: { userId: me.id } })).toBe(1);
    const source = { address: 'nowhere', device, name: '' };
    expect((await findKnownSource(market.platform, email, source)).device).toBe(true);
    const by = { body: { token: reset, password: 'brand new' } };
    expect((await market.call('POST', '/auth/reset-password', by)).status).toBe(400);
  });

  it('is not changed with the profile, nor without being signed in', async () => {
    const me = await proven();
    const body = { name: 'Ada', email: anAddress() };
    const saved = await market.put('/users/profile', me, body);
    expect([saved.status, saved.body.data.email]).toEqual([200, me.email]);
    const change = { email: anAddress(), password: PASSWORD };
    expect((await market.call('PUT', '/auth/email', { body: change })).status).toBe(401);
  });

  it('asks for all that signing in asks for', async () => {
    const me = await proven();
    const { freshCode } = await turnOnApp(market, me);
    const wrong = await put(me, anAddress(), { password: 'a guess' });
    expect(wrong).toMatchObject({ status: 400, body: { errors: [{ path: 'password' }] } });
    const without = await put(me, anAddress());
    expect(without).toMatchObject({ status: 400, body: { code: 'SECOND_FACTOR_REQUIRED' } });
    expect((await put(me, anAddress(), { code: await freshCode() })).status).toBe(200);
    expect((await put(me, 'no address', { code: await freshCode() })).status).toBe(400);
  });

  it('goes to nobody else: not one of another account in any spelling, nor one that may come back', async () => {
    const [me, other] = [await proven(), await proven('farmer')];
    const unproven = await market.join('consumer');
    for (const email of [other.email.toUpperCase(), ` ${other.email}`, unproven.email]) {
      for (const as of [me, unproven]) {
        if (email === as.email) continue;
        const { status, body } = await put(as, email);
        expect([status, body.code, body.errors[0].path]).toEqual([409, 'EMAIL_TAKEN', 'email']);
      }
    }
    // Letters that only look alike, and addresses that the market itself writes.
    for (const email of ['ｍe@farmgate.test', 'İ@farmgate.test', `${me.id}@unproven.invalid`]) {
      expect((await put(me, email)).status).toBe(400);
    }
    const { undo } = await move(other);
    expect((await register(other.email)).body.code).toBe('EMAIL_TAKEN');
    expect((await put(me, other.email)).body.code).toBe('EMAIL_TAKEN');
    expect((await put(unproven, other.email)).body.code).toBe('EMAIL_TAKEN');
    expect((await put(other, other.email)).status).toBe(200);
    expect((await refuse(undo)).status).toBe(200);
  });

  it('of two changes at once the last one counts, and each can be undone', async () => {
    const me = await proven();
    const [one, two] = [anAddress(), anAddress()];
    const answers = await Promise.all([put(me, one), put(me, two)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const changes = await market.platform.db.emailChange.findMany({ where: { userId: me.id } });
    const open = changes.filter(({ endedAt }) => endedAt === null);
    expect([changes.length, open.length]).toEqual([2, 1]);
    const ended = changes.find(({ endedAt }) => endedAt !== null);
    const link = (email = '') =>
      makeVerificationLink(market, me.id, undefined, { email, changeId: ended?.id ?? '' });
    expect((await verify(await link(ended?.newEmail))).status).toBe(400);
    expect((await verify((await linksOf(me)).confirm)).status).toBe(200);
    expect(await emailOf(me)).toBe(open[0]?.newEmail);
    expect((await refuse(await link(ended?.oldEmail))).status).toBe(200);
    expect(await emailOf(me)).toBe(me.email);
  });

  it('two accounts that want one address: anyone who confirms first has it', async () => {
    const [me, other] = [await proven(), await proven()];
    const email = anAddress();
    expect([(await put(me, email)).status, (await put(other, email)).status]).toEqual([200, 200]);
    const links = [(await linksOf(me)).confirm, (await linksOf(other)).confirm];
    const answers = await Promise.all(links.map(verify));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  it('takes the new address from anyone who registered with it in between and never proved it', async () => {
    const me = await proven();
    const email = anAddress();
    await put(me, email);
    const { body } = await register(email);
    const taker = { ...me, id: body.user._id, token: body.token };
    expect((await verify((await linksOf(me)).confirm)).status).toBe(200);
    expect(await emailOf(me)).toBe(email);
    const left = await market.get('/auth/email', taker);
    expect(left.body.data.email).toBe(`${taker.id}@unproven.invalid`);
    // They can give their own.
    expect((await put(taker, anAddress())).status).toBe(200);
  });

  it.each([
    ['its reader says that it is not theirs', (_: Caller, confirm: string) => refuse(confirm)],
    ['the present email is given', (me: Caller) => put(me, me.email)],
    [
      'the password is changed',
      (as: Caller) =>
        market.put('/auth/password', as, { currentPassword: PASSWORD, newPassword: 'brand new' }),
    ],
    [
      'the password is reset',
      async ({ id }: Caller) =>
        market.call('POST', '/auth/reset-password', {
          body: { token: await makeResetLink(market, id), password: 'brand new' },
        }),
    ],
  ])('a change that waits ends when %s', async (_, act) => {
    const me = await proven();
    await put(me, anAddress());
    const { confirm } = await linksOf(me);
    expect((await act(me, confirm)).status).toBe(200);
    expect((await verify(confirm)).status).toBe(400);
    expect(await emailOf(me)).toBe(me.email);
  });

  it("is its people's on their farm, whose old address can be invited again", async () => {
    const founder = await market.join('farmer');
    const packer = await hire(market, founder, 'packer');
    const { email } = await move(packer);
    const { body } = await market.get('/farm/members', founder);
    const emails = body.data.map((member: { email: string }) => member.email);
    expect(emails).toContain(email);
    const again = { as: founder, body: { email: packer.email, role: 'seller' } };
    expect((await market.call('POST', '/farm/members', again)).status).toBe(201);
  });

  it("has an admin's change in the audit", async () => {
    const admin = await proven('admin');
    const { undo } = await move(admin);
    await refuse(undo);
    const other = await market.join('admin');
    const { body } = await market.get(`/admin/audit?admin=${admin.id}`, other);
    const actions = body.data.map(({ action }: { action: string }) => action);
    expect(actions).toEqual(['security.emailChangeUndone', 'security.emailChanged']);
  });
});

describe('the link in the old address', () => {
  it('gives it back, and locks out the person who knew the password, until a reset', async () => {
    const me = await proven();
    const before = await addPasskey(market, me);
    const { email, undo } = await move(me);
    const after = await addPasskey(market, me);
    await turnOnApp(market, me);
    const link = await market.get(`/auth/verify-email?token=${undo}`);
    expect(link.body.data).toMatchObject({ purpose: 'undo', email: me.email, newEmail: email });
    expect((await verify(undo)).status).toBe(400);
    expect((await refuse(undo)).status).toBe(200);
    expect((await refuse(undo)).status).toBe(200);
    expect(await emailOf(me)).toBe(me.email);
    expect((await market.get('/auth/me', me)).status).toBe(401);
    expect([await signIn(me.email), await signIn(email)]).toEqual([401, 401]);
    const { db } = market.platform;
    const passkeys = await db.passkey.findMany({ where: { userId: me.id } });
    expect(passkeys.map(({ id }) => id)).toEqual([before.id]);
    expect(passkeys.map(({ id }) => id)).not.toContain(after.id);
    expect(await db.authenticatorApp.count({ where: { userId: me.id } })).toBe(0);
    await market.platform.eventLog.sequence();
    const asked = (await market.platform.eventLog.read(0)).filter(
      ({ name, data }) =>
        name === 'password.resetRequested' && (data as { _id: string })._id === me.id,
    );
    expect(asked).toHaveLength(1);
  });

  it('works while the change waits, and within seven days of it, not later', async () => {
    const waiting = await proven();
    await put(waiting, anAddress());
    const links = await linksOf(waiting);
    expect((await refuse(links.undo)).status).toBe(200);
    expect((await verify(links.confirm)).status).toBe(400);

    const late = await proven();
    const { change, undo, email } = await move(late);
    const { undoUntil, confirmedAt } = await market.platform.db.emailChange.findUniqueOrThrow({
      where: { id: change.id },
    });
    expect(undoUntil.getTime() - (confirmedAt?.getTime() ?? 0)).toBe(7 * 86_400_000);
    await market.platform.db.emailChange.update({
      where: { id: change.id },
      data: { undoUntil: new Date(Date.now() - 1000) },
    });
    expect((await refuse(undo)).status).toBe(400);
    expect(await emailOf(late)).toBe(email);
    expect((await register(late.email)).status).toBe(201);
  });

  it('gives it back after another change too, and the address in between undoes nothing', async () => {
    const me = await proven();
    const first = await move(me);
    const second = await move(me);
    expect((await refuse(first.undo)).status).toBe(200);
    expect(await emailOf(me)).toBe(me.email);
    expect((await refuse(second.undo)).status).toBe(400);
    expect(await emailOf(me)).toBe(me.email);

    const other = await proven();
    const [one, two] = [await move(other), await move(other)];
    expect((await refuse(two.undo)).status).toBe(200);
    expect(await emailOf(other)).toBe(one.email);
    expect((await refuse(one.undo)).status).toBe(200);
    expect(await emailOf(other)).toBe(other.email);
  });

  it('follows a founder who leaves their farm, and ends with an account', async () => {
    const founder = await proven('farmer');
    await hire(market, founder, 'owner');
    const { undo } = await move(founder);
    const { db } = market.platform;
    const own = await db.farmMember.findUniqueOrThrow({ where: { userId: founder.id } });
    const left = await market.delete(`/farm/members/${own.id}`, founder);
    expect(left.status).toBe(200);
    expect((await refuse(undo)).status).toBe(200);
    const person = await db.user.findUniqueOrThrow({ where: { email: founder.email } });
    expect(person.id).not.toBe(founder.id);

    const gone = await proven();
    const last = await move(gone);
    const body = { password: PASSWORD };
    expect((await market.call('DELETE', '/users/me', { as: gone, body })).status).toBe(200);
    expect((await refuse(last.undo)).status).toBe(400);
    expect(await db.emailChange.count({ where: { userId: gone.id } })).toBe(0);
  });
});
