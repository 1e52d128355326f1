import { describe, expect, it } from 'vitest';
import { PASSKEYS_MAX } from '#contract/people/second-factor/constants';
import { TASKS } from '../../../workers/housekeeping.ts';
import { createAuthenticator } from '../../testing/authenticator.ts';
import { type Caller, closeAfter, startTestMarket } from '../../testing/market.ts';
import {
  addPasskey,
  beginPasskeySignIn,
  PASSWORD,
  turnOnApp,
} from '../../testing/second-factor.ts';
import { daysOf } from '../../testing/sessions.ts';

const market = closeAfter(await startTestMarket());

type Authenticator = ReturnType<typeof createAuthenticator>;

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

const begin = async (as: Caller) => market.post('/auth/passkeys/begin', as, { password: PASSWORD });

const add = (as: Caller, body: unknown) =>
  market.call('POST', '/auth/passkeys', { as, body, headers: { 'user-agent': FIREFOX } });

const send = (credential: unknown, remember = false) =>
  market.call('POST', '/auth/passkeys/sign-in', { body: { credential, remember } });

const signIn = async (
  authenticator: Authenticator,
  wrong: Parameters<Authenticator['get']>[1] = {},
) => send(authenticator.get(await beginPasskeySignIn(market), wrong));

const remove = (as: Caller, id: string) =>
  market.call('DELETE', `/auth/passkeys/${id}`, { as, body: { password: PASSWORD } });

const passkeysOf = async (as: Caller) =>
  (await market.get('/auth/second-factor', as)).body.data.passkeys;

const tooLate = { status: 400, body: { message: 'That took too long. Please try again.' } };
const unknown = { status: 401, body: { code: 'UNAUTHORIZED' } };

describe('adding a passkey', () => {
  it('asks the browser for one that verifies its owner and is found without a name', async () => {
    const me = await market.join('consumer', 'Ada Fields');
    const { body } = await begin(me);
    expect(body.data).toMatchObject({
      rp: { id: 'localhost', name: 'Farmgate' },
      user: { name: me.email, displayName: 'Ada Fields' },
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      excludeCredentials: [],
    });
    const authenticator = createAuthenticator(market.env.PUBLIC_URL);
    const added = await add(me, authenticator.create(body.data));
    expect(added).toMatchObject({
      status: 201,
      body: { data: { device: 'Firefox on Linux', lastUsedAt: null } },
    });
    expect(await passkeysOf(me)).toEqual([added.body.data]);
    // The browser does not offer the same authenticator again.
    expect((await begin(me)).body.data.excludeCredentials).toHaveLength(1);
  });

  it('refuses what another site, another moment or no owner made', async () => {
    const me = await market.join('farmer');
    const authenticator = createAuthenticator(market.env.PUBLIC_URL);
    const made = async (wrong: Parameters<Authenticator['create']>[1]) =>
      add(me, authenticator.create((await begin(me)).body.data, wrong));
    const refused = { status: 400, body: { code: 'INVALID' } };
    expect(await made({ origin: 'https://farmgate.example' })).toMatchObject(refused);
    expect(await made({ rpId: 'farmgate.example' })).toMatchObject(refused);
    expect(await made({ isUnlocked: false })).toMatchObject(refused);
    expect(await made({ challenge: 'AAAA' })).toMatchObject(tooLate);
    expect(await made({ challenge: '\u0000' })).toMatchObject(tooLate);
    expect(await passkeysOf(me)).toEqual([]);
  });

  it('takes a challenge once, of its own account, and for five minutes', async () => {
    const [me, other] = [await market.join('consumer'), await market.join('consumer')];
    const authenticator = createAuthenticator(market.env.PUBLIC_URL);
    const options = (await begin(me)).body.data;
    expect(await add(other, authenticator.create(options))).toMatchObject(tooLate);
    expect((await add(me, authenticator.create(options))).status).toBe(201);
    const next = createAuthenticator(market.env.PUBLIC_URL);
    expect(await add(me, next.create(options))).toMatchObject(tooLate);

    const late = (await begin(me)).body.data;
    await market.platform.db.passkeyChallenge.update({
      where: { challenge: late.challenge },
      data: { expiresAt: new Date(Date.now() - 1) },
    });
    expect(await add(me, next.create(late))).toMatchObject(tooLate);
    // What signs in does not add.
    expect(await add(me, next.create(await beginPasskeySignIn(market)))).toMatchObject(tooLate);
  });

  it('keeps a passkey for one account', async () => {
    const [me, other] = [await market.join('consumer'), await market.join('consumer')];
    const { authenticator } = await addPasskey(market, me);
    const again = await add(other, authenticator.create((await begin(other)).body.data));
    expect(again).toMatchObject({ status: 409, body: { code: 'PASSKEY_KNOWN' } });
  });

  it('keeps so many for an account and no more', async () => {
    const me = await market.join('consumer');
    const row = (index: number) => ({
      userId: me.id,
      credentialId: `${me.id} ${index}`,
      publicKey: new Uint8Array([1]),
    });
    const authenticator = createAuthenticator(market.env.PUBLIC_URL);
    const options = (await begin(me)).body.data;
    await market.platform.db.passkey.createMany({
      data: Array.from({ length: PASSKEYS_MAX }, (_, index) => row(index)),
    });
    const many = { status: 409, body: { code: 'TOO_MANY_PASSKEYS' } };
    expect(await add(me, authenticator.create(options))).toMatchObject(many);
    expect(await begin(me)).toMatchObject(many);
  });

  it('keeps no more than that of thirty that are added at once', async () => {
    const me = await market.join('consumer');
    const made = await Promise.all(
      Array.from({ length: PASSKEYS_MAX + 10 }, async () =>
        createAuthenticator(market.env.PUBLIC_URL).create((await begin(me)).body.data),
      ),
    );
    const answers = await Promise.all(made.map((passkey) => add(me, passkey)));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array(PASSKEYS_MAX).fill(201), ...Array(10).fill(409)]);
    expect(await passkeysOf(me)).toHaveLength(PASSKEYS_MAX);
  });
});

describe('signing in with a passkey', () => {
  it('opens the account without password and code', async () => {
    const me = await market.join('admin');
    const { authenticator } = await addPasskey(market, me);
    await turnOnApp(market, me);
    const { status, body } = await signIn(authenticator);
    expect(status).toBe(200);
    expect(body.user._id).toBe(me.id);
    const as = { ...me, token: body.token };
    expect((await market.get('/auth/me', as)).status).toBe(200);
    expect((await passkeysOf(as))[0].lastUsedAt).toEqual(expect.any(String));
    expect((await market.get('/auth/sessions', as)).body.data).toHaveLength(2);
  });

  it('stays signed in for as long as with a password', async () => {
    const { authenticator } = await addPasskey(market, await market.join('consumer'));
    const days = async (remember: boolean) => {
      const credential = authenticator.get(await beginPasskeySignIn(market));
      const { body } = await send(credential, remember);
      return (await daysOf(market, body.token)).session;
    };
    expect([await days(true), await days(false)]).toEqual([30, 1]);
  });

  it('finds its owner, and refuses one that names somebody else', async () => {
    const [me, other] = [await market.join('consumer'), await market.join('consumer')];
    const { authenticator } = await addPasskey(market, me);
    const handle = (id: string) => Buffer.from(id).toString('base64url');
    expect(await signIn(authenticator, { userHandle: handle(other.id) })).toMatchObject(unknown);
    expect((await signIn(authenticator, { userHandle: handle(me.id) })).status).toBe(200);
  });

  it('refuses another site, a locked passkey, a copied one and one that nobody added', async () => {
    const { authenticator } = await addPasskey(market, await market.join('consumer'));
    expect(await signIn(authenticator, { origin: 'https://farmgate.example' })).toMatchObject(
      unknown,
    );
    expect(await signIn(authenticator, { rpId: 'farmgate.example' })).toMatchObject(unknown);
    expect(await signIn(authenticator, { isUnlocked: false })).toMatchObject(unknown);
    expect((await signIn(authenticator)).status).toBe(200);
    // Its count went back, so there are two of it.
    expect(await signIn(authenticator, { counter: 1 })).toMatchObject(unknown);
    expect(await signIn(createAuthenticator(market.env.PUBLIC_URL))).toMatchObject(unknown);
  });

  it('refuses the signature of another key', async () => {
    const { authenticator } = await addPasskey(market, await market.join('consumer'));
    const options = await beginPasskeySignIn(market);
    const forged = createAuthenticator(market.env.PUBLIC_URL).get(options);
    const { id, rawId } = authenticator.get(options);
    expect(await send({ ...forged, id, rawId })).toMatchObject(unknown);
  });

  it('takes what was signed once, also when it is sent several times at once', async () => {
    const { authenticator } = await addPasskey(market, await market.join('consumer'));
    const credential = authenticator.get(await beginPasskeySignIn(market));
    const answers = await Promise.all([1, 2, 3].map(() => send(credential)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
    expect(await send(credential)).toMatchObject(tooLate);
    const made = (await begin(await market.join('consumer'))).body.data;
    expect(await send(authenticator.get(made))).toMatchObject(tooLate);
  });

  it('ends with the passkey and with the account', async () => {
    const [me, admin] = [await market.join('consumer'), await market.join('admin')];
    const [one, two] = [await addPasskey(market, me), await addPasskey(market, me)];
    expect((await remove(me, one.id.toUpperCase())).status).toBe(200);
    expect((await remove(me, one.id)).status).toBe(404);
    expect(await signIn(one.authenticator)).toMatchObject(unknown);
    expect((await signIn(two.authenticator)).status).toBe(200);
    await market.delete(`/users/${me.id}`, admin);
    expect(await signIn(two.authenticator)).toMatchObject(unknown);
    expect(await market.platform.db.passkey.count({ where: { userId: me.id } })).toBe(0);
  });

  it('gives a session that ends like any other', async () => {
    const me = await market.join('consumer');
    const { authenticator } = await addPasskey(market, me);
    const as = { ...me, token: (await signIn(authenticator)).body.token as string };
    expect((await market.delete('/auth/sessions', me)).status).toBe(200);
    expect((await market.get('/auth/me', as)).status).toBe(401);
    const body = { currentPassword: PASSWORD, newPassword: 'brand new' };
    await market.put('/auth/password', me, body);
    expect((await signIn(authenticator)).status).toBe(200);
  });
});

it('deletes challenges that nobody answered', async () => {
  const { db } = market.platform;
  const [old, young] = [await beginPasskeySignIn(market), await beginPasskeySignIn(market)];
  const where = { challenge: old.challenge };
  await db.passkeyChallenge.update({ where, data: { expiresAt: new Date(Date.now() - 1) } });
  await TASKS['delete-passkey-challenges']?.(market.platform);
  expect(await db.passkeyChallenge.count({ where })).toBe(0);
  expect(await db.passkeyChallenge.count({ where: { challenge: young.challenge } })).toBe(1);
});
