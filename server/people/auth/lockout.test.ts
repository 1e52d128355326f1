import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { startLimitedMarket } from '../../testing/limited-market.ts';
import { makeResetLink } from '../../testing/mailed-links.ts';
import type { TestMarket } from '../../testing/market.ts';
import { closeAfter } from '../../testing/market.ts';

// Limits are a quarter here: five sign-ins in five minutes, three resets and one mail an hour.

const startLimited = (settings: Record<string, string> = {}): Promise<TestMarket> =>
  startLimitedMarket({ RATE_LIMIT_SCALE: '0.25', ...settings });

let addresses = 0;

const market = closeAfter(await startLimited({ TRUSTED_PROXIES: '1' }));
const newAddress = () => `198.51.${100 + Math.floor(addresses / 250)}.${(addresses++ % 250) + 1}`;
const from = (address: string, device?: string) => ({
  'x-forwarded-for': address,
  ...(device === undefined ? {} : { 'x-device-id': device }),
});

/** Registers from this address and device: both are known from then on. */
async function owner(address: string, device?: string, on = market) {
  const email = `${randomUUID()}@farmgate.test`;
  const { status, body } = await on.call('POST', '/auth/register', {
    headers: from(address, device),
    body: { name: 'Ada', email, password: 'secret1' },
  });
  expect(status).toBe(201);
  return { email, id: body.user._id as string };
}

const login = async (
  email: string,
  address: string,
  { device, ...over }: { device?: string; email?: string; password?: string } = {},
  on = market,
) =>
  (
    await on.call('POST', '/auth/login', {
      headers: from(address, device),
      body: { email, password: 'secret1', ...over },
    })
  ).status;

const wrong = { password: 'guess' };

/** Guesses at an account from many addresses until strangers are held back. */
async function attack(email: string) {
  for (let index = 0; index < 5; index++) {
    expect(await login(email, newAddress(), wrong)).toBe(401);
  }
  expect(await login(email, newAddress(), wrong)).toBe(429);
}

describe('while others guess the password of an account', () => {
  it('its owner can sign in from a known address', async () => {
    const home = newAddress();
    const { email } = await owner(home);
    await attack(email);
    expect(await login(email, home)).toBe(200);
    expect(await login(email, home, { email: ` ${email.toUpperCase()} ` })).toBe(200);
  });

  it('its owner can sign in with a known device from any address', async () => {
    const device = randomUUID();
    const { email } = await owner(newAddress(), device);
    await attack(email);
    expect(await login(email, newAddress(), { device })).toBe(200);
    expect(await login(email, newAddress(), { device: device.toUpperCase() })).toBe(200);
  });

  it('a device and an address are known from the first sign-in on', async () => {
    const { email } = await owner(newAddress());
    const [device, cafe] = [randomUUID(), newAddress()];
    expect(await login(email, cafe, { device })).toBe(200);
    for (let index = 0; index < 4; index++) await login(email, newAddress(), wrong);
    expect(await login(email, newAddress(), wrong)).toBe(429);
    expect(await login(email, cafe)).toBe(200);
    expect(await login(email, newAddress(), { device })).toBe(200);
  });

  it('unknown devices and addresses are rejected, also with the right password', async () => {
    const { email } = await owner(newAddress(), randomUUID());
    await attack(email);
    expect(await login(email, newAddress())).toBe(429);
    expect(await login(email, newAddress(), { device: randomUUID() })).toBe(429);
    const other = await owner(newAddress());
    expect(await login(other.email, newAddress())).toBe(200);
  });

  it('a device and an address known for another account are not accepted', async () => {
    const [device, home] = [randomUUID(), newAddress()];
    await owner(home, device);
    const { email } = await owner(newAddress());
    await attack(email);
    expect(await login(email, newAddress(), { device })).toBe(429);
    expect(await login(email, home)).toBe(429);
  });

  it('a failed sign-in from a known address makes nothing else known', async () => {
    const { email } = await owner(newAddress());
    const [device, address] = [randomUUID(), newAddress()];
    expect(await login(email, address, { ...wrong, device })).toBe(401);
    for (let index = 0; index < 4; index++) await login(email, newAddress(), wrong);
    expect(await login(email, address, { device })).toBe(429);
  });

  it('gives the same answers for an unknown account', async () => {
    await attack(`${randomUUID()}@farmgate.test`);
  });

  it('ignores a forged address header', async () => {
    const home = newAddress();
    const { email } = await owner(home);
    await attack(email);
    expect(await login(email, `${home}, ${newAddress()}`)).toBe(429);
  });
});

describe('a neighbour behind the same address', () => {
  it('does not lock out a known device', async () => {
    const [shared, device] = [newAddress(), randomUUID()];
    const { email } = await owner(shared, device);
    for (let index = 0; index < 6; index++) await login(email, shared, wrong);
    expect(await login(email, shared)).toBe(429);
    expect(await login(email, shared, { device })).toBe(200);
  });

  it('does not count against other addresses', async () => {
    const [shared, home] = [newAddress(), newAddress()];
    const { email } = await owner(home);
    expect(await login(email, shared)).toBe(200);
    for (let index = 0; index < 8; index++) await login(email, shared, wrong);
    expect(await login(email, shared, wrong)).toBe(429);
    expect(await login(email, newAddress())).toBe(200);
  });
});

it('limits failures of each known device separately', async () => {
  const [device, other] = [randomUUID(), randomUUID()];
  const { email } = await owner(newAddress(), device);
  expect(await login(email, newAddress(), { device: other })).toBe(200);
  for (let index = 0; index < 5; index++) {
    expect(await login(email, newAddress(), { ...wrong, device })).toBe(401);
  }
  expect(await login(email, newAddress(), { device })).toBe(429);
  expect(await login(email, newAddress(), { device: other })).toBe(200);
});

it('deletes a device after 180 days and an address after 30', async () => {
  const [device, home] = [randomUUID(), newAddress()];
  const { email, id } = await owner(home, device);
  const age = (days: number) =>
    market.platform.db.signInSource.updateMany({
      where: { userId: id },
      data: { lastUsedAt: new Date(Date.now() - days * 86_400_000) },
    });
  await attack(email);
  await age(29);
  expect(await login(email, home)).toBe(200);
  await age(31);
  expect(await login(email, home)).toBe(429);
  await age(31);
  expect(await login(email, newAddress(), { device })).toBe(200);
  await age(181);
  expect(await login(email, newAddress(), { device })).toBe(429);
});

it('remembers at most 20 devices and 20 addresses, the latest ones', async () => {
  const [device, home] = [randomUUID(), newAddress()];
  const { email, id } = await owner(home, device);
  const count = (isDevice: boolean) =>
    market.platform.db.signInSource.count({ where: { userId: id, isDevice } });
  await market.platform.db.signInSource.createMany({
    data: Array.from({ length: 40 }, (_, index) => ({
      userId: id,
      sourceHash: `old-${index}`,
      isDevice: index % 2 === 0,
      lastUsedAt: new Date(Date.now() - 86_400_000),
    })),
  });
  expect(await login(email, home, { device })).toBe(200);
  expect([await count(true), await count(false)]).toEqual([20, 20]);
  expect(await login(email, home, { device })).toBe(200);
});

it('stores only hashes of addresses and device ids', async () => {
  const [device, home] = [randomUUID(), newAddress()];
  const { id } = await owner(home, device);
  const text = JSON.stringify(
    await market.platform.db.signInSource.findMany({ where: { userId: id } }),
  );
  expect(text).not.toContain(device);
  expect(text).not.toContain(home);
});

it('ignores an invalid device id', async () => {
  const { email, id } = await owner(newAddress(), 'mine');
  for (const device of ['mine', "'; --", 'x'.repeat(5000)]) {
    expect(await login(email, newAddress(), { device })).toBe(200);
  }
  expect(
    await market.platform.db.signInSource.count({ where: { userId: id, isDevice: true } }),
  ).toBe(0);
});

describe('asking for a reset link', () => {
  const ask = async (email: string, address: string, device?: string) =>
    (
      await market.call('POST', '/auth/forgot-password', {
        headers: from(address, device),
        body: { email },
      })
    ).status;
  /** How many mails the account is to get, by the log. */
  async function mails(id: string): Promise<number> {
    await market.platform.eventLog.sequence();
    const { rows } = await market.platform.pool.query(
      `SELECT 1 FROM event_log
       WHERE name = 'password.resetRequested' AND data ->> '_id' = $1`,
      [id],
    );
    return rows.length;
  }

  it('returns 200 to the owner, however often others asked', async () => {
    const home = newAddress();
    const { email, id } = await owner(home);
    for (let index = 0; index < 12; index++) expect(await ask(email, newAddress())).toBe(200);
    // Beyond a few mails an hour none is sent.
    expect(await mails(id)).toBe(1);
    expect(await ask(email, home)).toBe(200);
    expect(await mails(id)).toBe(2);
    expect(await ask(email, newAddress())).toBe(200);
    expect(await mails(id)).toBe(2);
  });

  it('is limited per address, whatever account it asks for', async () => {
    const address = newAddress();
    const statuses: number[] = [];
    for (let index = 0; index < 4; index++) {
      statuses.push(await ask(`${randomUUID()}@farmgate.test`, address));
    }
    expect(statuses).toEqual([200, 200, 200, 429]);
  });

  it('accepts a known device behind a limited address, with a limit of its own', async () => {
    const [address, device] = [newAddress(), randomUUID()];
    const { email } = await owner(newAddress(), device);
    for (let index = 0; index < 4; index++) await ask(email, address);
    expect(await ask(email, address)).toBe(429);
    const statuses: number[] = [];
    for (let index = 0; index < 4; index++) statuses.push(await ask(email, address, device));
    expect(statuses).toEqual([200, 200, 200, 429]);
  });

  it('accepts a valid link from a limited address and makes the device known', async () => {
    const [address, device, stolen] = [newAddress(), randomUUID(), randomUUID()];
    const { email, id } = await owner(newAddress(), stolen);
    const reset = async (token: string, device?: string) =>
      (
        await market.call('POST', '/auth/reset-password', {
          headers: from(address, device),
          body: { token, password: 'brand new' },
        })
      ).status;
    for (let index = 0; index < 3; index++) expect(await reset(randomUUID())).toBe(400);
    expect(await reset(randomUUID())).toBe(429);
    const token = await makeResetLink(market, id);
    expect(await reset(token, device)).toBe(200);
    expect(await reset(token, device)).toBe(429);
    await attack(email);
    const password = 'brand new';
    expect(await login(email, newAddress(), { device, password })).toBe(200);
    expect(await login(email, address, { password })).toBe(200);
    // What was known under the old password is not any more.
    expect(await login(email, newAddress(), { device: stolen, password })).toBe(429);
  });
});

it('deletes the sign-in sources of a deleted account', async () => {
  const { id } = await owner(newAddress(), randomUUID());
  const admin = await owner(newAddress());
  await market.platform.db.user.update({ where: { id: admin.id }, data: { role: 'admin' } });
  const { body } = await market.call('POST', '/auth/login', {
    headers: from(newAddress()),
    body: { email: admin.email, password: 'secret1' },
  });
  const answer = await market.call('DELETE', `/users/${id}`, {
    headers: { authorization: `Bearer ${body.token}` },
  });
  expect(answer.status).toBe(200);
  expect(await market.platform.db.signInSource.count({ where: { userId: id } })).toBe(0);
});

it('ignores X-Forwarded-For without a trusted proxy', async () => {
  const strict = await startLimited();
  try {
    const { email } = await owner('203.0.113.1', undefined, strict);
    const statuses: number[] = [];
    for (let index = 0; index < 6; index++) {
      statuses.push(await login(email, `203.0.113.${index}`, wrong, strict));
    }
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
  } finally {
    await strict.close();
  }
});
