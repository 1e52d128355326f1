import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import type { Mail } from '../../../server/platform/process/smtp.ts';
import { transact } from '../../../server/platform/stores/postgres.ts';
import { type Caller, closeAfter, startTestMarket } from '../../../server/testing/market.ts';
import type { Exclusive } from '../../delivery/exclusive.ts';
import { applyEffects } from '../apply.ts';
import { effectsOf } from '../definitions.ts';
import { deliverEmail } from '../email.ts';
import type { Effect } from '../engine/definition.ts';

const market = closeAfter(await startTestMarket());

/** Applies effects, marks all their notifications as read, and then sends what is to be mailed. */
async function mailsOnceRead(effects: readonly Effect[], to: Caller): Promise<Mail[]> {
  const { platform } = market;
  const planned = await transact(platform.db, (tx) => applyEffects(tx, market.env, effects));
  await market.put('/notifications/read', to, {});
  const mails: Mail[] = [];
  const tools = {
    exclusive: { run: (_: string, work: () => Promise<unknown>) => work() } as Exclusive,
    mailer: { send: async (mail: Mail) => void mails.push(mail), close: () => {} },
  };
  for (const { id } of planned.filter(({ channel }) => channel === 'email')) {
    await deliverEmail(platform, tools, { deliveryId: id, isLast: false });
  }
  return mails;
}

it('is mailed although the owner turned mails off and it was read already', async () => {
  const me = await market.join('consumer');
  const body = { 'account.security': { email: false, push: false } };
  const stored = await market.put('/notifications/preferences', me, body);
  expect(stored.body.data['account.security']).toEqual({
    ...{ email: true, push: false, sms: false },
  });
  const effects = effectsOf({
    seq: 1,
    id: randomUUID(),
    at: new Date().toISOString(),
    requestId: null,
    rooms: [],
    name: 'account.securityChanged',
    data: { _id: me.id, change: 'passkeyAdded', device: 'Firefox on Linux', isAdmin: false },
  });
  const [mail, ...more] = await mailsOnceRead(effects, me);
  expect(more).toEqual([]);
  expect(mail).toMatchObject({ to: me.email, subject: 'A passkey was added to your account' });
  expect(mail?.text).toContain(`${market.env.PUBLIC_URL}/profile`);
});

it('is alone in that: what else was read is not mailed', async () => {
  const me = await market.join('farmer');
  const effect: Effect = {
    do: 'notify',
    userId: me.id,
    kind: 'product.hidden',
    key: `product.hidden:${randomUUID()}:1`,
    params: { product: 'Carrots', isHidden: true },
    link: '/farmer/products',
  };
  expect(await mailsOnceRead([effect], me)).toEqual([]);
});
