import { expect, it } from 'vitest';
import { type Caller, closeAfter, startTestMarket } from '../../testing/market.ts';
import { codeOf, PASSWORD, turnOnApp } from '../../testing/second-factor.ts';
import { hire } from '../../testing/staff.ts';

const market = closeAfter(await startTestMarket());

/** Registers a farm with a second owner, whose founder has an app on. */
async function foundFarm() {
  const founder = await market.join('farmer');
  await hire(market, founder, 'owner');
  return { founder, app: await turnOnApp(market, founder) };
}

async function leave(founder: Caller) {
  const { db } = market.platform;
  const { id } = await db.farmMember.findUniqueOrThrow({ where: { userId: founder.id } });
  return (await market.delete(`/farm/members/${id}`, founder)).status;
}

const signIn = ({ email }: Caller, code?: string) =>
  market.call('POST', '/auth/login', { body: { email, password: PASSWORD, code } });

const accountOf = ({ email }: Caller) =>
  market.platform.db.user.findUniqueOrThrow({ where: { email } });

it('a founder who leaves is still asked for a code of the app, and no recovery code is left', async () => {
  const { founder, app } = await foundFarm();
  const usedCode = await app.freshCode();
  expect((await signIn(founder, usedCode)).status).toBe(200);
  expect(await leave(founder)).toBe(200);
  const { id } = await accountOf(founder);
  expect(id).not.toBe(founder.id);

  const asked = await signIn(founder);
  expect([asked.status, asked.body.code]).toEqual([401, 'SECOND_FACTOR_REQUIRED']);
  // What counted once before counts no more after.
  expect((await signIn(founder, usedCode)).status).toBe(400);
  expect((await signIn(founder, app.recoveryCodes[0])).status).toBe(400);
  await market.platform.db.authenticatorApp.update({
    where: { userId: id },
    data: { lastStep: 0 },
  });
  const { status, body } = await signIn(founder, codeOf(app.secret));
  expect(status).toBe(200);
  const as = { ...founder, id, token: body.token };
  const { data } = (await market.get('/auth/second-factor', as)).body;
  expect(data.app).toMatchObject({ recoveryCodesLeft: 0 });
});

it('an app whose secret no longer opens is not kept, since it would lock its owner out', async () => {
  const { founder } = await foundFarm();
  await market.platform.db.authenticatorApp.update({
    where: { userId: founder.id },
    data: { sealedSecret: 'sealed with another JWT_SECRET' },
  });
  expect(await leave(founder)).toBe(200);
  expect((await signIn(founder)).status).toBe(200);
});

it('a founder who leaves has agreed to the terms as before', async () => {
  const { founder } = await foundFarm();
  const termsAcceptedAt = new Date('2030-01-02T03:04:05Z');
  await market.platform.db.user.update({ where: { id: founder.id }, data: { termsAcceptedAt } });
  expect(await leave(founder)).toBe(200);
  expect((await accountOf(founder)).termsAcceptedAt).toEqual(termsAcceptedAt);
});

it('deletes the payment details of a founder who has left, and takes those of the next owner', async () => {
  const founder = await market.join('farmer');
  const next = await hire(market, founder, 'owner');
  const write = (as: Caller, body: object) => market.put('/farm/payment', as, body);
  expect((await write(founder, { details: 'Account of the founder' })).status).toBe(200);
  expect(await leave(founder)).toBe(200);
  const { data } = (await market.get('/farm/payment', next)).body;
  expect(data).toEqual({ details: '', version: 3 });
  const body = { details: 'Account of the farm', expectedVersion: 3 };
  expect((await write(next, body)).status).toBe(200);
});
