import { randomUUID } from 'node:crypto';
import { afterAll, expect, it } from 'vitest';
import { until } from '../../../testing/until.ts';
import { createPlatform } from '../../platform/http/platform.ts';
import { type Caller, startTestMarket } from '../../testing/market.ts';
import { deviceName } from './sources.ts';

/** Another process on the same stores. */
const market = await startTestMarket();
const other = await createPlatform(market.env, 'test');
afterAll(async () => {
  await other.close();
  await market.close();
});

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

async function signIn(caller: Caller, password = 'password123'): Promise<Caller> {
  const { status, body } = await market.call('POST', '/auth/login', {
    body: { email: caller.email, password },
    headers: { 'user-agent': FIREFOX },
  });
  expect(status).toBe(200);
  return { ...caller, token: body.token };
}

const isSignedIn = async (as: Caller) => (await market.get('/auth/me', as)).status === 200;
const change = (as: Caller, currentPassword: string, newPassword = 'brand new') =>
  market.put('/auth/password', as, { currentPassword, newPassword });

it('a new password ends all other sessions on every process, their sockets too, and this one goes on', async () => {
  const here = await market.join('consumer');
  const there = await signIn(here);
  const [staying, leaving] = [
    await market.connect({ token: here.token }),
    await market.connect({ token: there.token }),
  ];
  expect(await other.sessions.verify(there.token)).not.toBeNull();

  expect((await change(here, 'password123')).status).toBe(200);

  expect(await isSignedIn(here)).toBe(true);
  expect(await isSignedIn(there)).toBe(false);
  await until(() => leaving.disconnected);
  expect(staying.connected).toBe(true);
  await until(async () => (await other.sessions.verify(there.token)) === null);
  expect(await other.sessions.verify(here.token)).not.toBeNull();

  const old = { email: here.email, password: 'password123' };
  expect((await market.call('POST', '/auth/login', { body: old })).status).toBe(401);
  expect(await isSignedIn(await signIn(here, 'brand new'))).toBe(true);
});

it('a wrong current password changes nothing and ends nothing', async () => {
  const here = await market.join('farmer');
  const there = await signIn(here);
  const { status, body } = await change(here, 'a guess');
  expect(status).toBe(400);
  expect(body.errors).toEqual([
    { path: 'currentPassword', message: 'That is not your current password.' },
  ]);
  expect(await isSignedIn(here)).toBe(true);
  expect(await isSignedIn(there)).toBe(true);
  expect((await change(here, 'password123', 'short')).body.errors[0].path).toBe('newPassword');
});

it('of two changes at once from two devices one takes effect', async () => {
  const here = await market.join('consumer');
  const there = await signIn(here);
  const answers = await Promise.all([
    change(here, 'password123', 'first one'),
    change(there, 'password123', 'second one'),
  ]);
  const won = answers.filter(({ status }) => status === 200);
  expect(won).toHaveLength(1);
  const alive = [await isSignedIn(here), await isSignedIn(there)];
  expect(alive.filter(Boolean)).toHaveLength(1);
});

it('a reset link that was asked for before no longer works', async () => {
  const here = await market.join('consumer');
  const { db } = market.platform;
  const expiresAt = new Date(Date.now() + 60_000);
  await db.passwordReset.create({ data: { tokenHash: randomUUID(), userId: here.id, expiresAt } });
  await change(here, 'password123');
  expect(await db.passwordReset.count({ where: { userId: here.id, usedAt: null } })).toBe(0);
});

it('lists where somebody is signed in, and ends one session or all others', async () => {
  const here = await market.join('admin');
  const [phone, laptop] = [await signIn(here), await signIn(here)];
  const list = async (as: Caller) => (await market.get('/auth/sessions', as)).body.data;
  const sessions = await list(phone);
  expect(sessions).toHaveLength(3);
  expect(sessions[0]).toMatchObject({ isCurrent: true, device: 'Firefox on Linux' });
  expect(sessions.filter(({ isCurrent }: { isCurrent: boolean }) => isCurrent)).toHaveLength(1);

  const [{ _id: ofLaptop }] = (await list(laptop)) as [{ _id: string }];
  const end = (id: string) => market.delete(`/auth/sessions/${id}`, phone);
  expect((await end(ofLaptop.toUpperCase())).status).toBe(200);
  expect(await isSignedIn(laptop)).toBe(false);
  expect((await end(ofLaptop)).status).toBe(404);
  expect((await end('nonsense')).status).toBe(404);

  await market.delete('/auth/sessions', phone);
  expect([await isSignedIn(phone), await isSignedIn(here)]).toEqual([true, false]);
  await end((await list(phone))[0]._id);
  expect(await isSignedIn(phone)).toBe(false);
});

it('logging out ends the session of the token alone, and answers the same once it has ended', async () => {
  const here = await market.join('farmer');
  const there = await signIn(here);
  const logOut = (headers: Record<string, string>) =>
    market.call('POST', '/auth/logout', { headers });
  const headers = { authorization: `Bearer ${there.token}` };
  expect(await logOut(headers)).toMatchObject({ status: 200, body: { success: true } });
  expect(await isSignedIn(there)).toBe(false);
  expect(await isSignedIn(here)).toBe(true);
  expect((await market.get('/auth/sessions', here)).body.data).toHaveLength(1);

  expect((await logOut(headers)).status).toBe(200);
  expect((await logOut({ authorization: 'Bearer nonsense' })).status).toBe(200);
  expect((await logOut({})).status).toBe(200);
  expect(await isSignedIn(here)).toBe(true);
});

it('nobody ends the session of somebody else', async () => {
  const [one, two] = [await market.join('consumer'), await market.join('consumer')];
  const [{ _id }] = (await market.get('/auth/sessions', one)).body.data;
  expect((await market.delete(`/auth/sessions/${_id}`, two)).status).toBe(404);
  expect(await isSignedIn(one)).toBe(true);
});

it('a session that began in another process is known at once', async () => {
  const here = await market.join('consumer');
  expect(await other.sessions.verify(here.token)).not.toBeNull();
  const there = await signIn(here);
  expect(await other.sessions.verify(there.token)).not.toBeNull();
});

it('an account has at most fifty sessions: a new one ends the oldest', async () => {
  const here = await market.join('consumer');
  const { db } = market.platform;
  const expiresAt = new Date(Date.now() + 60_000);
  const createdAt = new Date(Date.now() + 1_000);
  const data = Array.from({ length: 49 }, () => ({ userId: here.id, expiresAt, createdAt }));
  await db.session.createMany({ data });
  expect(await isSignedIn(here)).toBe(true);
  await signIn(here);
  expect(await db.session.count({ where: { userId: here.id } })).toBe(50);
  expect(await isSignedIn(here)).toBe(false);
});

it('says in words what somebody signed in with', () => {
  expect(deviceName(FIREFOX)).toBe('Firefox on Linux');
  const iphone =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';
  expect(deviceName(iphone)).toBe('Safari on iPhone');
  const edge =
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0';
  expect(deviceName(edge)).toBe('Edge on Windows');
  expect(deviceName('curl/8.5.0')).toBe('Another program');
  expect(deviceName('')).toBe('Another program');
});
