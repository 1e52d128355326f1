import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { LostSecondFactor, removeLostSecondFactor } from '../../admin/setup/create-admin.ts';
import { type Caller, closeAfter, startTestMarket } from '../../testing/market.ts';
import {
  addPasskey,
  beginPasskeySignIn,
  PASSWORD,
  turnOnApp,
} from '../../testing/second-factor.ts';

const market = closeAfter(await startTestMarket());
const admin = await market.join('admin');

const REASON = 'They called from the number that we know.';
const remove = (id: string, { as = admin, reason = REASON } = {}) =>
  market.call('DELETE', `/users/${id}/second-factor`, { as, body: { reason } });
const signIn = ({ email }: Caller) =>
  market.call('POST', '/auth/login', { body: { email, password: PASSWORD } });
const personOf = async (id: string) => (await market.get(`/admin/users/${id}`, admin)).body.data;

/** What the owner of an account is notified of. */
async function changesOf(userId: string): Promise<string[]> {
  await market.platform.eventLog.sequence();
  return (await market.platform.eventLog.read(0)).flatMap((event) =>
    event.name === 'account.securityChanged' && event.data._id === userId
      ? [event.data.change]
      : [],
  );
}

describe('an admin', () => {
  it('removes app, recovery codes and passkeys of somebody, whose sessions end, and who is notified', async () => {
    const me = await market.join('consumer');
    const { authenticator } = await addPasskey(market, me);
    const { recoveryCodes } = await turnOnApp(market, me);
    expect((await personOf(me.id)).hasSecondFactor).toBe(true);
    const socket = await market.connect({ token: me.token });
    const ended = new Promise((resolve) => socket.once('disconnect', resolve));

    expect(await remove(me.id.toUpperCase())).toMatchObject({ status: 200 });
    await ended;
    expect((await market.get('/auth/me', me)).status).toBe(401);
    const credential = authenticator.get(await beginPasskeySignIn(market));
    const body = { credential, remember: false };
    expect((await market.call('POST', '/auth/passkeys/sign-in', { body })).status).toBe(401);
    const again = await signIn(me);
    expect(again.status).toBe(200);
    const as = { ...me, token: again.body.token };
    const { body: now } = await market.get('/auth/second-factor', as);
    expect(now.data).toEqual({ app: null, passkeys: [] });
    expect((await personOf(me.id)).hasSecondFactor).toBe(false);
    expect((await changesOf(me.id)).at(-1)).toBe('secondFactorRemoved');
    // An earlier notification means nothing for the next app.
    await turnOnApp(market, as);
    const old = { email: me.email, password: PASSWORD, code: recoveryCodes[0] };
    expect((await market.call('POST', '/auth/login', { body: old })).status).toBe(400);
  });

  it('says why in the audit, which is erased with the account', async () => {
    const me = await market.join('farmer');
    await addPasskey(market, me);
    await remove(me.id);
    const entryOf = async () =>
      (await market.get(`/admin/audit?user=${me.id}`, admin)).body.data.find(
        ({ action }: { action: string }) => action === 'user.secondFactorRemoved',
      );
    expect(await entryOf()).toMatchObject({
      admin: { _id: admin.id },
      targetName: me.name,
      detail: { role: 'farmer', reason: REASON },
    });
    await market.delete(`/users/${me.id}`, admin);
    expect((await entryOf()).detail).toEqual({ role: 'farmer' });
  });

  it('does it for another admin, and never for themselves', async () => {
    const other = await market.join('admin');
    for (const as of [admin, other]) await turnOnApp(market, as);
    expect(await remove(admin.id)).toMatchObject({ status: 403 });
    expect(await remove(admin.id.toUpperCase())).toMatchObject({ status: 403 });
    expect((await remove(other.id)).status).toBe(200);
    expect((await signIn(other)).status).toBe(200);
    expect((await signIn(admin)).body.code).toBe('SECOND_FACTOR_REQUIRED');
  });

  it('needs a reason, and somebody who has a second factor', async () => {
    const me = await market.join('consumer');
    const none = { status: 409, body: { code: 'NO_SECOND_FACTOR' } };
    expect(await remove(me.id)).toMatchObject(none);
    expect((await market.get('/auth/me', me)).status).toBe(200);
    await turnOnApp(market, me);
    for (const reason of ['', '   ']) {
      expect(await remove(me.id, { reason })).toMatchObject({
        status: 400,
        body: { errors: [{ path: 'reason' }] },
      });
    }
    expect((await remove(randomUUID())).status).toBe(404);
    expect((await remove(me.id, { as: me })).status).toBe(403);
    const answers = await Promise.all([remove(me.id), remove(me.id), remove(me.id)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect(await remove(me.id)).toMatchObject(none);
  });
});

describe('the person who runs commands on the machine', () => {
  const byCommand = (email: string) =>
    removeLostSecondFactor(market.platform.db, LostSecondFactor.parse({ email }));

  it('lets the last admin in again', async () => {
    const last = await market.join('admin');
    await turnOnApp(market, last);
    await byCommand(`  ${last.email.toUpperCase()} `);
    expect((await signIn(last)).status).toBe(200);
    expect((await changesOf(last.id)).at(-1)).toBe('secondFactorRemoved');
  });

  it('reads what is wrong where there is nothing to remove', async () => {
    const me = await market.join('consumer');
    await expect(byCommand(me.email)).rejects.toThrow(/has no second factor/);
    await expect(byCommand(`x${me.email}`)).rejects.toThrow(/There is no account with x/);
  });
});
