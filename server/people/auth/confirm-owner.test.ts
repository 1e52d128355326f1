import { describe, expect, it } from 'vitest';
import { createAuthenticator } from '../../testing/authenticator.ts';
import { type Caller, closeAfter, startTestMarket } from '../../testing/market.ts';
import {
  addPasskey,
  beginPasskeySignIn,
  PASSWORD,
  turnOnApp,
} from '../../testing/second-factor.ts';

const market = closeAfter(await startTestMarket());

type Proof = { code?: string; passkey?: unknown };

/** What asks for the owner, each so that it can be asked many times over. */
const ASKED = {
  'a new password': (as: Caller, proof: Proof) =>
    market.put('/auth/password', as, {
      currentPassword: PASSWORD,
      newPassword: PASSWORD,
      ...proof,
    }),
  'new recovery codes': (as: Caller, proof: Proof) =>
    market.post('/auth/two-factor/recovery-codes', as, bodyOf(proof)),
  'another passkey': (as: Caller, proof: Proof) =>
    market.post('/auth/passkeys/begin', as, bodyOf(proof)),
  'turning the app off': (as: Caller, proof: Proof) =>
    market.call('DELETE', '/auth/two-factor', { as, body: bodyOf(proof) }),
  'deleting the account': (as: Caller, proof: Proof) =>
    market.call('DELETE', '/users/me', { as, body: bodyOf(proof) }),
};

const bodyOf = (proof: Proof) => ({ password: PASSWORD, ...proof });

const MISSING = {
  status: 400,
  body: { code: 'SECOND_FACTOR_REQUIRED', errors: [{ path: 'code' }] },
};
const WRONG = { status: 400, body: { errors: [{ path: 'code' }] } };
const WRONG_PASSKEY = { status: 400, body: { errors: [{ path: 'passkey' }] } };

describe.each(Object.entries(ASKED))('%s', (_, ask) => {
  it('asks anyone who has an app for a code, and leaves the session as it is without one', async () => {
    const me = await market.join('consumer');
    const { freshCode } = await turnOnApp(market, me);
    for (const none of [{}, { code: '' }, { code: '  ' }]) {
      expect(await ask(me, none)).toMatchObject(MISSING);
    }
    expect(await ask(me, { code: '000000' })).toMatchObject(WRONG);
    expect((await market.get('/auth/me', me)).status).toBe(200);
    expect((await ask(me, { code: await freshCode() })).status).toBe(200);
  });

  it('takes a recovery code', async () => {
    const me = await market.join('farmer');
    const { recoveryCodes } = await turnOnApp(market, me);
    const code = recoveryCodes[3]?.toLowerCase() ?? '';
    expect((await ask(me, { code })).status).toBe(200);
  });

  it("takes the account's own passkey, once, and nobody else's", async () => {
    const [me, other] = [await market.join('consumer'), await market.join('consumer')];
    const [own, strange] = [await addPasskey(market, me), await addPasskey(market, other)];
    await turnOnApp(market, me);
    const signed = async ({ authenticator }: { authenticator: typeof own.authenticator }) => ({
      passkey: authenticator.get(await beginPasskeySignIn(market)),
    });
    expect(await ask(me, await signed(strange))).toMatchObject(WRONG_PASSKEY);
    const unknown = { authenticator: createAuthenticator(market.env.PUBLIC_URL) };
    expect(await ask(me, await signed(unknown))).toMatchObject(WRONG_PASSKEY);
    const proof = await signed(own);
    const answers = await Promise.all([ask(me, proof), ask(me, proof), ask(me, proof)]);
    // Anyone who comes after it may find the app gone, or the account.
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
    const refusals = answers.map(({ status }) => status).filter((status) => status !== 200);
    for (const status of refusals) expect([400, 401, 409]).toContain(status);
  });
});

it('needs the password beside the code, and names the field of the form', async () => {
  const me = await market.join('consumer');
  const { recoveryCodes } = await turnOnApp(market, me);
  const [code] = recoveryCodes;
  const body = { currentPassword: 'a guess', newPassword: PASSWORD, code };
  const refused = await market.put('/auth/password', me, body);
  expect(refused).toMatchObject({ status: 400, body: { errors: [{ path: 'currentPassword' }] } });
  const wrong = { as: me, body: { password: 'a guess', code } };
  expect(await market.call('DELETE', '/users/me', wrong)).toMatchObject({
    status: 400,
    body: { errors: [{ path: 'password' }] },
  });
  const read = await market.get('/auth/second-factor', me);
  expect(read.body.data.app.recoveryCodesLeft).toBe(10);
});

it('asks for no code where no app is on, also with passkeys, as signing in does', async () => {
  const me = await market.join('consumer');
  await addPasskey(market, me);
  expect((await ASKED['another passkey'](me, {})).status).toBe(200);
  expect((await ASKED['a new password'](me, { code: 'anything' })).status).toBe(200);
  expect((await ASKED['deleting the account'](me, {})).status).toBe(200);
});

it('takes one code once of several requests at once', async () => {
  const me = await market.join('consumer');
  const { freshCode } = await turnOnApp(market, me);
  const code = await freshCode();
  const ask = () => ASKED['another passkey'](me, { code });
  const answers = await Promise.all([ask(), ask(), ask(), ask()]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
});

it('limits guessed codes as signing in does, and together with it', async () => {
  const strict = await startTestMarket({ RATE_LIMIT_SCALE: '1' });
  try {
    const me = await strict.join('consumer');
    await turnOnApp(strict, me);
    const guess = async () => {
      const body = { password: PASSWORD, code: '000000' };
      return (await strict.call('DELETE', '/users/me', { as: me, body })).status;
    };
    const answers: number[] = [];
    // While Redis is slow to answer, a try counts in the process alone.
    while (answers.at(-1) !== 429 && answers.length < 19) answers.push(await guess());
    expect(answers.slice(0, 9)).toEqual(Array(9).fill(400));
    expect(answers.at(-1)).toBe(429);
    const body = { email: me.email, password: PASSWORD, code: '000000' };
    expect((await strict.call('POST', '/auth/login', { body })).status).toBe(429);
  } finally {
    await strict.close();
  }
});
