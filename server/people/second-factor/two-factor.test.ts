import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { DEVICE_HEADER } from '#contract/people/auth/constants';
import { until } from '../../../testing/until.ts';
import { startLimitedMarket } from '../../testing/limited-market.ts';
import { makeResetLink, makeVerificationLink } from '../../testing/mailed-links.ts';
import { type Caller, closeAfter, startTestMarket } from '../../testing/market.ts';
import { beginApp, codeOf, PASSWORD, turnOnApp } from '../../testing/second-factor.ts';

const market = closeAfter(await startTestMarket());

const signIn = (
  { email }: Caller,
  code?: string,
  {
    password = PASSWORD,
    headers = {},
  }: { password?: string; headers?: Record<string, string> } = {},
) => market.call('POST', '/auth/login', { body: { email, password, code }, headers });

const read = async (as: Caller) => (await market.get('/auth/second-factor', as)).body.data;

/** What the owner of an account is notified of, the first change first. */
async function changesOf(userId: string): Promise<string[]> {
  await market.platform.eventLog.sequence();
  return (await market.platform.eventLog.read(0)).flatMap((event) =>
    event.name === 'account.securityChanged' && event.data._id === userId
      ? [event.data.change]
      : [],
  );
}

describe('an authenticator app', () => {
  it('is on once a code of it was right, and not before', async () => {
    const me = await market.join('consumer');
    expect(await read(me)).toEqual({ app: null, passkeys: [] });
    const begun = await market.post('/auth/two-factor/begin', me, { password: PASSWORD });
    const { secret, uri } = begun.body.data;
    expect(uri).toMatch(/^otpauth:\/\/totp\/Farmgate/);
    expect(new URL(uri).searchParams.get('secret')).toBe(secret);
    expect((await signIn(me)).status).toBe(200);

    const confirm = (code: string) => market.post('/auth/two-factor/confirm', me, { code });
    const wrong = await confirm('000 000');
    expect(wrong).toMatchObject({ status: 400, body: { errors: [{ path: 'code' }] } });
    expect((await read(me)).app).toBeNull();
    const right = await confirm(codeOf(secret));
    expect(right.status).toBe(200);
    expect(right.body.data.recoveryCodes).toHaveLength(10);
    expect(await read(me)).toMatchObject({
      app: { since: expect.any(String), recoveryCodesLeft: 10 },
    });
    expect(await confirm(codeOf(secret))).toMatchObject({
      status: 409,
      body: { code: 'APP_ALREADY_ON' },
    });
    expect(await changesOf(me.id)).toEqual(['appTurnedOn']);
  });

  it('ends all other sessions once it is on, and this one goes on', async () => {
    const me = await market.join('consumer');
    const elsewhere = { ...me, token: (await signIn(me)).body.token };
    const socket = await market.connect({ token: elsewhere.token });
    const secret = await beginApp(market, me);
    expect((await market.get('/auth/me', elsewhere)).status).toBe(200);
    const body = { code: codeOf(secret) };
    await market.post('/auth/two-factor/confirm', me, body);
    expect((await market.get('/auth/me', elsewhere)).status).toBe(401);
    await until(() => socket.disconnected);
    expect((await market.get('/auth/sessions', me)).body.data).toHaveLength(1);
  });

  it('keeps neither secret nor recovery codes as they are', async () => {
    const me = await market.join('consumer');
    const { secret, recoveryCodes } = await turnOnApp(market, me);
    const { db } = market.platform;
    const where = { where: { userId: me.id } };
    const rows = [await db.authenticatorApp.findMany(where), await db.recoveryCode.findMany(where)];
    const stored = JSON.stringify(rows);
    for (const plain of [secret, ...recoveryCodes]) expect(stored).not.toContain(plain);
  });

  it('asks for the password before anything changes', async () => {
    const me = await market.join('farmer');
    const wrong = { as: me, body: { password: 'a guess' } };
    const refusal = {
      status: 400,
      body: { errors: [{ path: 'password', message: 'That is not your password.' }] },
    };
    expect(await market.call('POST', '/auth/two-factor/begin', wrong)).toMatchObject(refusal);
    await turnOnApp(market, me);
    for (const [method, path] of [
      ['POST', '/auth/two-factor/recovery-codes'],
      ['DELETE', '/auth/two-factor'],
      ['POST', '/auth/passkeys/begin'],
    ] as const) {
      expect(await market.call(method, path, wrong)).toMatchObject(refusal);
    }
    expect((await read(me)).app.recoveryCodesLeft).toBe(10);
  });

  it('is begun again as often as one likes: the last secret counts', async () => {
    const me = await market.join('consumer');
    const first = await beginApp(market, me);
    const second = await beginApp(market, me);
    const confirm = async (secret: string) =>
      (await market.post('/auth/two-factor/confirm', me, { code: codeOf(secret) })).status;
    expect(await confirm(first)).toBe(400);
    expect(await confirm(second)).toBe(200);
    const again = { as: me, body: { password: PASSWORD } };
    expect((await market.call('POST', '/auth/two-factor/begin', again)).status).toBe(409);
  });

  it('is turned on once by two confirmations at once', async () => {
    const me = await market.join('consumer');
    const code = codeOf(await beginApp(market, me));
    const answers = await Promise.all(
      [1, 2, 3].map(() => market.post('/auth/two-factor/confirm', me, { code })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect((await read(me)).app.recoveryCodesLeft).toBe(10);
  });

  it('is turned off with password and code, and then nothing asks for a code', async () => {
    const me = await market.join('consumer');
    const { recoveryCodes, freshCode } = await turnOnApp(market, me);
    const off = (code?: string) =>
      market.call('DELETE', '/auth/two-factor', { as: me, body: { password: PASSWORD, code } });
    expect((await off(await freshCode())).status).toBe(200);
    expect(await off()).toMatchObject({ status: 409, body: { code: 'APP_NOT_ON' } });
    expect((await signIn(me)).status).toBe(200);
    expect((await read(me)).app).toBeNull();
    expect(await changesOf(me.id)).toEqual(['appTurnedOn', 'appTurnedOff']);
    // An earlier notification means nothing for the next app.
    await turnOnApp(market, me);
    expect((await signIn(me, recoveryCodes[0])).status).toBe(400);
  });

  it("has an admin's changes in the audit", async () => {
    const admin = await market.join('admin');
    await turnOnApp(market, admin);
    const { body } = await market.get(`/admin/audit?admin=${admin.id}`, admin);
    expect(body.data).toMatchObject([
      { action: 'security.appTurnedOn', targetId: admin.id, targetName: admin.name },
    ]);
  });
});

describe('signing in', () => {
  it('asks for a code only anyone who knows the password', async () => {
    const me = await market.join('consumer');
    const { freshCode } = await turnOnApp(market, me);
    expect(await signIn(me)).toMatchObject({
      status: 401,
      body: { code: 'SECOND_FACTOR_REQUIRED' },
    });
    expect((await signIn(me, '  ')).body.code).toBe('SECOND_FACTOR_REQUIRED');
    const code = await freshCode();
    const strangers = [
      await signIn(me, undefined, { password: 'a guess' }),
      await signIn(me, code, { password: 'a guess' }),
      await signIn({ ...me, email: `x${me.email}` }, code),
    ];
    for (const { status, body } of strangers) {
      expect(status).toBe(401);
      expect(body).toEqual(strangers[0]?.body);
      expect(body.code).toBe('UNAUTHORIZED');
    }
    const wrong = await signIn(me, '000000');
    expect(wrong).toMatchObject({ status: 400, body: { errors: [{ path: 'code' }] } });
    const right = await signIn(me, code);
    expect(right.status).toBe(200);
    expect(right.body.user._id).toBe(me.id);
  });

  it('takes no notice of a code where none is asked for', async () => {
    const me = await market.join('consumer');
    expect((await signIn(me, 'anything')).status).toBe(200);
  });

  it('takes each code once, also by two at once, and no earlier one after it', async () => {
    const me = await market.join('consumer');
    const { secret, freshCode } = await turnOnApp(market, me);
    // The one it was turned on with was used.
    const next = codeOf(secret, 30);
    const answers = await Promise.all([next, next, next].map((code) => signIn(me, code)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
    expect((await signIn(me, next)).status).toBe(400);
    expect((await signIn(me, codeOf(secret))).status).toBe(400);
    expect((await signIn(me, await freshCode())).status).toBe(200);
  });

  it('takes each recovery code once, also by two at once, however it is spelled', async () => {
    const me = await market.join('consumer');
    const { recoveryCodes, freshCode } = await turnOnApp(market, me);
    const [first = '', second = '', third = ''] = recoveryCodes;
    const both = await Promise.all([signIn(me, first), signIn(me, first)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400]);
    const two = await Promise.all([
      signIn(me, second.toLowerCase()),
      signIn(me, third.replaceAll('-', ' ')),
    ]);
    expect(two.map(({ status }) => status)).toEqual([200, 200]);
    expect((await read(me)).app.recoveryCodesLeft).toBe(7);
    expect(await changesOf(me.id)).toEqual([
      'appTurnedOn',
      'recoveryCodeUsed',
      'recoveryCodeUsed',
      'recoveryCodeUsed',
    ]);

    const body = { password: PASSWORD, code: await freshCode() };
    const renewed = await market.post('/auth/two-factor/recovery-codes', me, body);
    expect(renewed.body.data.recoveryCodes).toHaveLength(10);
    expect((await signIn(me, recoveryCodes[5])).status).toBe(400);
    expect((await signIn(me, renewed.body.data.recoveryCodes[5])).status).toBe(200);
  });

  it('makes no new recovery codes for an app that is not on', async () => {
    const me = await market.join('consumer');
    await beginApp(market, me);
    const body = { password: PASSWORD };
    expect(await market.post('/auth/two-factor/recovery-codes', me, body)).toMatchObject({
      status: 409,
      body: { code: 'APP_NOT_ON' },
    });
  });

  it('goes on with recovery codes when the secret cannot be read any more', async () => {
    const me = await market.join('consumer');
    const { recoveryCodes, secret } = await turnOnApp(market, me);
    await market.platform.db.authenticatorApp.update({
      where: { userId: me.id },
      data: { sealedSecret: 'of another JWT_SECRET', lastStep: 0 },
    });
    expect((await signIn(me, codeOf(secret))).status).toBe(400);
    expect((await signIn(me, recoveryCodes[0])).status).toBe(200);
  });

  it('still asks after the password of a proven address was reset by mail', async () => {
    const me = await market.join('consumer');
    await market.call('POST', '/auth/verify-email', {
      body: { token: await makeVerificationLink(market, me.id) },
    });
    const { freshCode } = await turnOnApp(market, me);
    const token = await makeResetLink(market, me.id);
    const reset = { body: { token, password: 'brand new' } };
    expect((await market.call('POST', '/auth/reset-password', reset)).status).toBe(200);
    const again = { password: 'brand new' };
    expect((await signIn(me, undefined, again)).body.code).toBe('SECOND_FACTOR_REQUIRED');
    expect((await signIn(me, await freshCode(), again)).status).toBe(200);
  });

  it('does not make a device known before the code was right', async () => {
    const me = await market.join('consumer');
    await turnOnApp(market, me);
    const headers = { [DEVICE_HEADER]: randomUUID() };
    const known = () =>
      market.platform.db.signInSource.count({ where: { userId: me.id, isDevice: true } });
    await signIn(me, undefined, { headers });
    await signIn(me, '000000', { headers });
    expect(await known()).toBe(0);
  });

  it('leaves nothing of a deleted account', async () => {
    const me = await market.join('consumer');
    await turnOnApp(market, me);
    const admin = await market.join('admin');
    expect((await market.delete(`/users/${me.id}`, admin)).status).toBe(200);
    const { db } = market.platform;
    expect(await db.authenticatorApp.count({ where: { userId: me.id } })).toBe(0);
    expect(await db.recoveryCode.count({ where: { userId: me.id } })).toBe(0);
  });
});

it('limits guessed codes, and leaves a known device its own tries', async () => {
  // 10 tries of codes and 20 of passwords.
  const strict = await startLimitedMarket({ RATE_LIMIT_SCALE: '1' });
  try {
    const device = { [DEVICE_HEADER]: randomUUID() };
    const me = await strict.join('consumer');
    const { recoveryCodes } = await turnOnApp(strict, me);
    const attempt = (code: string, headers: Record<string, string> = {}) =>
      strict.call('POST', '/auth/login', {
        body: { email: me.email, password: PASSWORD, code },
        headers,
      });
    // Known by its device from now on; this one try was still the address's.
    expect((await attempt(recoveryCodes[0] ?? '', device)).status).toBe(200);
    const answers: number[] = [];
    // While Redis is slow to answer, a try counts in the process alone.
    while (answers.at(-1) !== 429 && answers.length < 19) {
      answers.push((await attempt('000000')).status);
    }
    expect(answers.slice(0, 9)).toEqual(Array(9).fill(400));
    expect(answers.at(-1)).toBe(429);
    const refused = await attempt(recoveryCodes[1] ?? '');
    expect(refused).toMatchObject({ status: 429, body: { code: 'TOO_MANY_REQUESTS' } });
    expect((await attempt(recoveryCodes[1] ?? '', device)).status).toBe(200);
  } finally {
    await strict.close();
  }
});
