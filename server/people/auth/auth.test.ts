import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { until } from '../../../testing/until.ts';
import { startLimitedMarket } from '../../testing/limited-market.ts';
import { makeResetLink } from '../../testing/mailed-links.ts';
import { closeAfter, startTestMarket } from '../../testing/market.ts';
import { daysOf } from '../../testing/sessions.ts';

const market = closeAfter(await startTestMarket());

const account = (over: Record<string, unknown> = {}) => ({
  name: 'Ada Fields',
  email: `${randomBytes(8).toString('hex')}@farmgate.test`,
  password: 'secret1',
  ...over,
});

const registered = async (over: Record<string, unknown> = {}) => {
  const input = account(over);
  const { body } = await market.call('POST', '/auth/register', { body: input });
  return { ...input, id: body.user._id as string, token: body.token as string };
};

const login = (email: string, password: string, more: Record<string, unknown> = {}) =>
  market.call('POST', '/auth/login', { body: { email, password, ...more } });

const me = (token: string) =>
  market.call('GET', '/auth/me', { headers: { authorization: `Bearer ${token}` } });

const mailLink = (userId: string, lifeMs?: number) => makeResetLink(market, userId, lifeMs);

describe('registering', () => {
  it('creates an account and signs it in', async () => {
    const input = account({ name: '  Ada Fields ', email: `  ADA-${Date.now()}@Farmgate.TEST ` });
    const { status, body } = await market.call('POST', '/auth/register', { body: input });
    expect(status).toBe(201);
    expect(body.user).toMatchObject({
      name: 'Ada Fields',
      email: input.email.trim().toLowerCase(),
      role: 'consumer',
      phone: '',
      address: { street: '', city: '', state: '', zipCode: '' },
    });
    expect(JSON.stringify(body)).not.toContain('assword');
    expect((await me(body.token)).body.user).toEqual(body.user);
  });

  it('stores the password only as an argon2id hash', async () => {
    const { id } = await registered();
    const row = await market.platform.db.user.findUniqueOrThrow({ where: { id } });
    expect(row.passwordHash).toMatch(/^\$argon2id\$/);
  });

  it('creates an empty farm profile for a farmer', async () => {
    const { id } = await registered({ role: 'farmer', phone: '555-0101' });
    const farm = await market.platform.db.farmerProfile.findUnique({ where: { userId: id } });
    expect(farm).toMatchObject({ farmName: '', acceptsPickup: true });
  });

  it('never creates an admin', async () => {
    const { status, body } = await market.call('POST', '/auth/register', {
      body: account({ role: 'admin' }),
    });
    expect(status).toBe(400);
    expect(body.errors[0].path).toBe('role');
  });

  it.each([
    ['a short password', { password: '12345' }, 'password'],
    ['a bad email', { email: 'nobody' }, 'email'],
    ['a blank name', { name: '  ' }, 'name'],
    ['a farmer without a phone', { role: 'farmer' }, 'phone'],
    ['a name with NUL', { name: 'A\u0000B' }, 'name'],
  ])('refuses %s', async (_, over, path) => {
    const { status, body } = await market.call('POST', '/auth/register', { body: account(over) });
    expect(status).toBe(400);
    expect(body).toMatchObject({ success: false, code: 'INVALID', errors: [{ path }] });
  });

  it('creates one account when many register the same email at once', async () => {
    const input = account();
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        market.call('POST', '/auth/register', {
          body: { ...input, email: index % 2 ? input.email.toUpperCase() : input.email },
        }),
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    const refused = answers.filter(({ status }) => status === 409);
    expect(refused).toHaveLength(5);
    expect(refused[0]?.body).toMatchObject({ code: 'EMAIL_TAKEN', errors: [{ path: 'email' }] });
  });

  it('notifies admins only', async () => {
    const admin = await market.join('admin');
    const sockets = await Promise.all([
      market.connect({ token: admin.token }),
      market.connect({ token: (await market.join('consumer')).token }),
      market.connect(),
    ]);
    const received = sockets.map(() => [] as string[]);
    sockets.forEach((socket, index) => {
      socket.on('user.created', ({ data }) => received[index]?.push(data._id));
    });
    const { id } = await registered();
    await until(() => received[0]?.includes(id));
    expect(received.slice(1)).toEqual([[], []]);
  });
});

describe('signing in', () => {
  it('answers with a token and the user, whatever the case of the email', async () => {
    const { email, id } = await registered();
    const { status, body } = await login(` ${email.toUpperCase()} `, 'secret1');
    expect(status).toBe(200);
    expect(body.user._id).toBe(id);
    expect((await me(body.token)).status).toBe(200);
  });

  it('gives the same answer for a wrong email and a wrong password', async () => {
    const { email } = await registered();
    const [wrongPassword, wrongEmail] = await Promise.all([
      login(email, 'not it'),
      login(`x${email}`, 'secret1'),
    ]);
    expect(wrongPassword?.status).toBe(401);
    expect(wrongEmail?.status).toBe(401);
    expect(wrongEmail?.body).toEqual(wrongPassword?.body);
  });

  it('begins a session for 30 days with Remember me and for one day without', async () => {
    const { email } = await registered();
    const daysFor = async (remember: boolean) => {
      const { body } = await login(email, 'secret1', { remember });
      return daysOf(market, body.token);
    };
    expect(await daysFor(true)).toEqual({ session: 30, token: 180 });
    expect(await daysFor(false)).toEqual({ session: 1, token: 180 });
  });

  it('rejects a body without a valid email and password', async () => {
    expect((await login('', 'x')).status).toBe(400);
    expect((await login('a@b.test', '')).status).toBe(400);
  });

  it('rejects reading the own account without a valid token', async () => {
    expect((await market.get('/auth/me')).status).toBe(401);
    expect((await me('not.a.token')).status).toBe(401);
  });
});

describe('resetting the password', () => {
  it('gives the same answer for known and unknown addresses and leaves the mail to a worker', async () => {
    const { email, id } = await registered();
    const asked: string[] = [];
    const following = market.platform.eventLog.follow(
      await market.platform.eventLog.head(),
      (event) => {
        if (event.name === 'password.resetRequested') asked.push(event.data._id);
        if (event.name === 'password.resetRequested') expect(event.rooms).toEqual([]);
      },
    );
    const known = await market.call('POST', '/auth/forgot-password', { body: { email } });
    const unknown = await market.call('POST', '/auth/forgot-password', {
      body: { email: `x${email}` },
    });
    expect(known).toMatchObject({ status: 200, body: { success: true } });
    expect(unknown.body).toEqual(known.body);
    await until(() => asked.length === 2);
    expect(asked[0]).toBe(id);
    await following.close();
  });

  it('sets a new password and ends all sessions and all other links', async () => {
    const { email, id, token } = await registered();
    const [link, other] = [await mailLink(id), await mailLink(id)];
    const socket = await market.connect({ token });
    const answer = await market.call('POST', '/auth/reset-password', {
      body: { token: link, password: 'brand new' },
    });
    expect(answer).toMatchObject({ status: 200, body: { success: true } });
    expect((await me(token)).status).toBe(401);
    await until(() => socket.disconnected);
    expect((await login(email, 'secret1')).status).toBe(401);
    expect((await login(email, 'brand new')).status).toBe(200);
    const again = { body: { token: other, password: 'yet another' } };
    expect((await market.call('POST', '/auth/reset-password', again)).status).toBe(400);
  });

  it('accepts a link once, also when many use it at the same time', async () => {
    const { id } = await registered();
    const link = await mailLink(id);
    const answers = await Promise.all(
      ['first one', 'second one', 'third one'].map((password) =>
        market.call('POST', '/auth/reset-password', { body: { token: link, password } }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
  });

  it('rejects an expired link, an unknown link and a short password', async () => {
    const { id } = await registered();
    const reset = (token: string, password = 'brand new') =>
      market.call('POST', '/auth/reset-password', { body: { token, password } });
    const old = await reset(await mailLink(id, -1000));
    expect(old).toMatchObject({ status: 400, body: { errors: [{ path: 'token' }] } });
    expect((await reset('never-made')).status).toBe(400);
    expect((await reset(await mailLink(id), '12345')).status).toBe(400);
  });
});

describe('too many attempts', () => {
  it('limits failed sign-ins per account', async () => {
    const strict = await startLimitedMarket({ RATE_LIMIT_SCALE: '0.1' });
    try {
      const guess = () =>
        strict.call('POST', '/auth/login', { body: { email: 'a@b.test', password: 'guess' } });
      expect((await guess()).status).toBe(401);
      expect((await guess()).status).toBe(401);
      const refused = await guess();
      expect(refused).toMatchObject({ status: 429, body: { code: 'TOO_MANY_REQUESTS' } });
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    } finally {
      await strict.close();
    }
  });
});
