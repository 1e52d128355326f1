import { randomInt, randomUUID } from 'node:crypto';
import pg from 'pg';
import { beforeEach, describe, expect, it } from 'vitest';
import { until } from '../../../testing/until.ts';
import { holdDeliveries } from '../../platform/stores/held-deliveries.ts';
import { makeVerificationLink } from '../../testing/mailed-links.ts';
import { type Caller, closeAfter, startTestMarket } from '../../testing/market.ts';
import { hire } from '../../testing/staff.ts';
import { digitsOfCode } from './policy.ts';
import { lastCode } from './service.ts';

const market = closeAfter(await startTestMarket());
const without = closeAfter(await startTestMarket({ SMS_URL: '' }));
const { db, eventLog } = market.platform;

/** A mobile number as people of the country dial it, which nobody else here has. */
const newNumber = () => `0300 ${randomInt(1_000_000, 10_000_000)}`;
const international = (number: string) => `+92${number.slice(1).replace(' ', '')}`;

let me: Caller;
let number: string;
beforeEach(async () => {
  me = await market.join('consumer');
  number = newNumber();
});

const change = (phone: string, as = me) => market.put('/users/me/phone', as, { phone });
const confirm = (code: string, as = me) =>
  market.post('/users/me/phone/confirmation', as, { code });
const read = async (as = me) => (await market.get('/users/me/phone', as)).body.data;
const codeOf = async (as = me) => digitsOfCode(market.env, (await lastCode(db, as.id))?.id ?? '');
const wrongCode = async () => ((await codeOf()) === '000000' ? '000001' : '000000');
const letSecondsPass = (seconds: number) => db.$executeRaw`
  UPDATE phone_codes SET created_at = created_at - make_interval(secs => ${seconds}::int)`;
const letHoursPass = (hours: number) => db.$executeRaw`
  UPDATE limited_mails SET sent_at = sent_at - make_interval(hours => ${hours}::int)`;
async function verify(phone = number, as = me): Promise<void> {
  await change(phone, as);
  expect((await confirm(await codeOf(as), as)).status).toBe(200);
}

describe('a phone', () => {
  it.each(['consumer', 'farmer', 'admin'] as const)(
    'is verified by the code that is texted to it, of a %s',
    async (role) => {
      const as = await market.join(role);
      expect(await read(as)).toEqual({
        phone: '555-0100',
        isVerified: false,
        isTextingOn: true,
        codeEndsAt: null,
      });
      await eventLog.sequence();
      const head = await eventLog.head();
      const { status, body } = await change(number, as);
      expect(status).toBe(200);
      expect(body.data).toEqual({
        phone: international(number),
        isVerified: false,
        isTextingOn: true,
        codeEndsAt: expect.any(String),
      });
      await eventLog.sequence();
      const events = await eventLog.read(head);
      const [asked] = events.filter(({ name }) => name === 'phone.codeRequested');
      expect(asked).toMatchObject({ data: { _id: as.id }, rooms: [] });
      expect(JSON.stringify(events)).not.toContain(await codeOf(as));

      const confirmed = await confirm(await codeOf(as), as);
      expect(confirmed.body.data).toMatchObject({ isVerified: true, codeEndsAt: null });
      expect(await read(as)).toEqual(confirmed.body.data);
      // A repeat answers as the first time.
      expect((await confirm('000000', as)).body).toEqual(confirmed.body);
      const me = await market.get('/auth/me', as);
      expect(me.body.user.phone).toBe(international(number));
    },
  );

  it('is shown on the other devices of its owner at once', async () => {
    const socket = await market.connect({ token: me.token });
    const received: unknown[] = [];
    socket.on('account.changed', ({ data }) => received.push(data));
    await change(number);
    await until(() => received.length === 1);
    await confirm(await codeOf());
    await until(() => received.length === 2);
  });

  it('may be that of two people', async () => {
    const other = await market.join('farmer');
    await verify();
    await verify(number, other);
    expect(await read()).toMatchObject({ isVerified: true });
    expect(await read(other)).toMatchObject({ isVerified: true });
  });

  it('is refused where it is none, and where the market sends no texts', async () => {
    const refused = await change('12');
    expect(refused.status).toBe(400);
    expect(refused.body.errors).toMatchObject([{ path: 'phone' }]);
    expect(await read()).toMatchObject({ phone: '555-0100', codeEndsAt: null });

    const somebody = await without.join('consumer');
    const off = await without.put('/users/me/phone', somebody, { phone: number });
    expect(off).toMatchObject({ status: 409, body: { code: 'SMS_OFF' } });
    const { body } = await without.get('/users/me/phone', somebody);
    expect(body.data).toMatchObject({ isTextingOn: false, isVerified: false });
  });

  it("is nobody else's to read or change", async () => {
    for (const [method, path] of [
      ['GET', '/users/me/phone'],
      ['PUT', '/users/me/phone'],
      ['POST', '/users/me/phone/confirmation'],
    ] as const) {
      const body = method === 'GET' ? {} : { body: { phone: number, code: '1' } };
      expect((await market.call(method, path, body)).status).toBe(401);
    }
  });

  it('gets no code where it is verified already, and is verified no more once it is another', async () => {
    await verify();
    expect((await change(number)).body.data).toMatchObject({ isVerified: true });
    expect((await change(international(number))).status).toBe(200);
    expect(await db.phoneCode.count({ where: { userId: me.id } })).toBe(1);
    await letSecondsPass(60);
    expect((await change(newNumber())).body.data).toMatchObject({ isVerified: false });
  });
});

describe('the phone of the profile', () => {
  const profile = (phone: string) => market.put('/users/profile', me, { phone });

  it('stays verified in any spelling, and is not verified any more once it is another', async () => {
    await verify();
    const saved = await profile(` ${number.replace(' ', '-')} `);
    expect(saved.body.data.phone).toBe(international(number));
    expect(await read()).toMatchObject({ isVerified: true });
    await market.put('/users/profile', me, { name: 'New Name' });
    expect(await read()).toMatchObject({ isVerified: true });

    const other = newNumber();
    expect((await profile(other)).body.data.phone).toBe(other);
    expect(await read()).toMatchObject({ phone: other, isVerified: false, codeEndsAt: null });
    // The code was for the number before.
    expect((await confirm(await codeOf())).status).toBe(400);
  });

  it('is taken away, and may be anything', async () => {
    await verify();
    expect((await profile('')).body.data.phone).toBe('');
    expect(await read()).toMatchObject({ phone: '', isVerified: false });
    expect((await profile('ask my wife')).status).toBe(200);
  });

  it('is verified no more once a process of the release before changes it', async () => {
    await verify();
    await db.user.update({ where: { id: me.id }, data: { phone: international(number) } });
    expect(await read()).toMatchObject({ isVerified: true });
    await db.user.update({ where: { id: me.id }, data: { phone: newNumber() } });
    expect(await read()).toMatchObject({ isVerified: false });
  });

  it('is never verified by a code for another number that is confirmed at the same moment', async () => {
    for (let round = 0; round < 5; round++) {
      await letSecondsPass(600);
      await change(number);
      const code = await codeOf();
      const other = newNumber();
      await Promise.all([profile(other), confirm(code)]);
      expect(await read()).toMatchObject({ phone: other, isVerified: false });
      number = newNumber();
    }
  });
});

describe('a code', () => {
  it('may be typed with spaces and in the digits of any script', async () => {
    await change(number);
    const code = await codeOf();
    const urdu = [...code].map((digit) => String.fromCodePoint(0x6f0 + Number(digit))).join('');
    expect((await confirm(`${urdu.slice(0, 3)} ${urdu.slice(3)}`)).status).toBe(200);
  });

  it('is refused five times, also at once, and then has ended', async () => {
    await change(number);
    const wrong = await wrongCode();
    const answers = await Promise.all(Array.from({ length: 8 }, () => confirm(wrong)));
    const messages = answers.map(({ status, body }) => [status, body.errors[0].message]);
    expect(messages.filter(([, message]) => /not the code/.test(message))).toHaveLength(5);
    expect(messages.filter(([, message]) => /Too many wrong codes/.test(message))).toHaveLength(3);
    expect(messages.every(([status]) => status === 400)).toBe(true);
    expect((await confirm(await codeOf())).status).toBe(400);
    expect(await read()).toMatchObject({ isVerified: false, codeEndsAt: null });
    // Another one works.
    await letSecondsPass(60);
    await verify();
  });

  it('counts a wrong try although the answer may be asked for again', async () => {
    await change(number);
    const headers = { 'idempotency-key': randomUUID() };
    const body = { code: await wrongCode() };
    for (let count = 0; count < 5; count++)
      await market.call('POST', '/users/me/phone/confirmation', { as: me, body, headers });
    expect((await confirm(await codeOf())).body.errors[0].message).toMatch(/Too many wrong codes/);
  });

  it('ends after ten minutes, and with the next one', async () => {
    await change(number);
    const first = await codeOf();
    await letSecondsPass(600);
    expect(await read()).toMatchObject({ codeEndsAt: null });
    const refused = await confirm(first);
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ path: 'code' }] } });
    expect(refused.body.errors[0].message).toContain('expired');
    await change(number);
    const second = await codeOf();
    if (second !== first) expect((await confirm(first)).status).toBe(400);
    expect((await confirm(second)).status).toBe(200);
  });

  it('is not there without having asked', async () => {
    expect((await confirm('123456')).status).toBe(400);
    expect((await confirm('')).status).toBe(400);
  });

  it('is sent once a minute and five times an hour to one person, whatever the number', async () => {
    const answers = await Promise.all([change(number), change(newNumber()), change(newNumber())]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 429, 429]);
    const phone = (await read()).phone;
    const soon = await change(newNumber());
    expect(Number(soon.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(soon.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    expect(soon.body.message).toMatch(/Try again in \d+ seconds?|1 minute/);
    // What is refused changes nothing.
    expect((await read()).phone).toBe(phone);
    for (let count = 1; count < 5; count++) {
      await letSecondsPass(61);
      expect((await change(newNumber())).status).toBe(200);
    }
    await letSecondsPass(61);
    const late = await change(newNumber());
    expect(late.status).toBe(429);
    expect(Number(late.headers.get('retry-after'))).toBeGreaterThan(60);
    await letSecondsPass(3600);
    expect((await change(newNumber())).status).toBe(200);
  });

  it('is sent ten times a day to one number, whoever asks and whoever has left', async () => {
    const askers = await Promise.all(Array.from({ length: 12 }, () => market.join('consumer')));
    const answers = await Promise.all(askers.slice(0, 11).map((as) => change(number, as)));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(10);
    const refused = answers.find(({ status }) => status === 429);
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(3600 * 23);
    const body = { password: 'password123' };
    for (const as of askers.slice(0, 10)) await market.call('DELETE', '/users/me', { as, body });
    const last = askers[11] as Caller;
    expect((await change(number, last)).status).toBe(429);
    await letHoursPass(24);
    expect((await change(number, last)).status).toBe(200);
  });
});

describe('what ends a verified phone', () => {
  it('the account: its codes are gone with it', async () => {
    await verify();
    const body = { password: 'password123' };
    expect((await market.call('DELETE', '/users/me', { as: me, body })).status).toBe(200);
    expect(await db.phoneCode.count({ where: { userId: me.id } })).toBe(0);
    const row = await db.user.findUniqueOrThrow({ where: { id: me.id } });
    expect(row).toMatchObject({ phone: '', phoneVerifiedAt: null, textedAt: [] });
  });

  it('the first proof of the address: anybody may have opened the account with it', async () => {
    await verify();
    const token = await makeVerificationLink(market, me.id);
    await market.post('/auth/verify-email', undefined, { token });
    expect(await read()).toMatchObject({ phone: international(number), isVerified: false });
    await letSecondsPass(60);
    await verify();
    await market.post('/auth/verify-email', undefined, { token });
    expect(await read()).toMatchObject({ isVerified: true });
  });
});

it('goes with a founder who leaves their farm, and the farm has none', async () => {
  const farmer = await market.join('farmer');
  await verify(number, farmer);
  await hire(market, farmer, 'owner');
  const own = await db.farmMember.findFirstOrThrow({ where: { userId: farmer.id } });
  expect((await market.delete(`/farm/members/${own.id}`, farmer)).status).toBe(200);
  const rows = await db.user.findMany({
    where: { OR: [{ id: farmer.id }, { email: farmer.email }] },
    select: { isFarm: true, phone: true, phoneVerifiedAt: true },
    orderBy: { isFarm: 'asc' },
  });
  expect(rows).toEqual([
    { isFarm: false, phone: international(number), phoneVerifiedAt: expect.any(Date) },
    { isFarm: true, phone: '', phoneVerifiedAt: null },
  ]);
});

it('what somebody exports of their account says since when their phone is verified', async () => {
  await verify();
  const { body } = await market.get('/users/me/export', me);
  expect(body).toMatchObject({
    account: { phone: international(number) },
    phoneVerifiedAt: expect.any(String),
  });
  expect(JSON.stringify(body)).not.toContain(await codeOf());
});

it('a restored backup has no codes to send', async () => {
  await change(number);
  const client = new pg.Client({ connectionString: market.env.DATABASE_URL });
  await client.connect();
  await holdDeliveries(client);
  await client.end();
  expect(await lastCode(db, me.id)).toBeNull();
});
