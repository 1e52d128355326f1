import { expect, it } from 'vitest';
import { AccountExport } from '#contract/admin/account-export/account-export';
import { startLimitedMarket } from '../../testing/limited-market.ts';
import {
  type Caller,
  closeAfter,
  makeCategory,
  orderInput,
  productInput,
  startTestMarket,
} from '../../testing/market.ts';
import { addPasskey, turnOnApp } from '../../testing/second-factor.ts';
import { hire } from '../../testing/staff.ts';

const market = closeAfter(await startTestMarket());
const [consumer, farmer] = [await market.join('consumer'), await market.join('farmer')];
const category = await makeCategory(market.platform);
const made = await market.post(
  '/products',
  farmer,
  productInput(category, { quantityAvailable: 1000 }),
);
const body = orderInput(farmer.id, [{ product: made.body.data._id, quantity: 1 }]);
for (let number = 0; number < 3; number++) {
  await market.post('/orders', consumer, body);
}
const write = (as: Caller, receiver: Caller, content: string) =>
  market.post('/messages', as, { receiver: receiver.id, content });
await write(consumer, farmer, 'Are the carrots sweet?');
await write(farmer, consumer, 'Very.');

const fetchExport = (as: Caller) => market.get('/users/me/export', as);
const read = async (as: Caller) => AccountExport.parse((await fetchExport(as)).body);

it('is a file with everything about a customer, and nothing about anybody else', async () => {
  const other = await market.join('consumer');
  const { status, headers, body } = await fetchExport(consumer);
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(headers.get('content-disposition')).toMatch(
    /^attachment; filename="farmgate-my-data-\d{4}-\d{2}-\d{2}\.json"$/,
  );
  expect(headers.get('cache-control')).toBe('no-store');
  const whole = AccountExport.parse(body);
  expect(whole.account).toMatchObject({ _id: consumer.id, email: consumer.email });
  expect(whole.addresses).toHaveLength(1);
  expect(whole.sessions).toHaveLength(1);
  expect(whole.orders).toHaveLength(3);
  expect(whole.orders[0]?.timeline).toMatchObject([{ status: 'pending' }]);
  expect(whole.orders[0]?.items).toHaveLength(1);
  expect(whole.messages.map(({ content }) => content)).toEqual(['Very.', 'Are the carrots sweet?']);
  expect(whole.preferences['order.statusChanged']).toEqual({ email: true, push: true });
  expect(whole.farm).toBeNull();
  expect(JSON.stringify(body)).not.toContain(other.email);
  expect(JSON.stringify(body)).not.toMatch(/argon2|passwordHash|tokenVersion|p256dh/);
});

it('has what the person reported, agreed to and signs in with, and no secret of it', async () => {
  const [me, other] = [await market.join('consumer'), await market.join('consumer')];
  const report = (as: Caller, text: string) =>
    market.post('/reports', as, { kind: 'farm', id: farmer.id, reason: 'misleading', text });
  await report(me, 'Not organic');
  await report(other, 'Never open');
  const { body } = await market.get('/admin/reports', await market.join('admin'));
  const [{ _id, subject }] = body.data.filter(
    ({ text }: { text: string }) => text === 'Not organic',
  );
  const { db } = market.platform;
  // What admins write for each other is theirs.
  const settled = { settledAt: new Date(), outcome: 'dismissed', note: 'Known for this' } as const;
  await db.report.update({ where: { id: _id }, data: { ...settled, openKey: null } });
  const termsAcceptedAt = new Date('2026-11-20T08:00:00Z');
  await db.user.update({ where: { id: me.id }, data: { termsAcceptedAt } });
  await addPasskey(market, me);
  await turnOnApp(market, me);

  const whole = await read(me);
  expect(whole.termsAcceptedAt).toBe(termsAcceptedAt.toISOString());
  expect(whole.reports).toEqual([
    {
      kind: 'farm',
      subject: farmer.id,
      name: subject.name,
      reason: 'misleading',
      text: 'Not organic',
      createdAt: expect.any(String),
      settledAt: settled.settledAt.toISOString(),
      outcome: 'dismissed',
    },
  ]);
  expect(whole.passkeys).toEqual([
    { device: expect.any(String), createdAt: expect.any(String), lastUsedAt: null },
  ]);
  const { credentialId } = await db.passkey.findFirstOrThrow({ where: { userId: me.id } });
  const text = JSON.stringify((await fetchExport(me)).body);
  expect(text).not.toContain(credentialId);
  expect(text).not.toMatch(/publicKey|counter|sealed|secret|codeHash|Known for this|Never open/i);
  expect((await read(farmer)).reports).toEqual([]);
});

it('has the farm for its owners alone', async () => {
  const whole = await read(farmer);
  expect(whole.orders).toEqual([]);
  expect(whole.farm).toMatchObject({
    _id: farmer.id,
    schedule: { cutoff: null },
    payment: { details: '' },
  });
  expect(whole.farm?.products).toHaveLength(1);
  expect(whole.farm?.orders).toHaveLength(3);
  const packer = await hire(market, farmer, 'packer');
  expect((await read(packer)).farm).toBeNull();
  const owner = await hire(market, farmer, 'owner');
  expect((await read(owner)).farm?._id).toBe(farmer.id);
});

it('has what an admin did', async () => {
  const admin = await market.join('admin');
  await market.post('/categories', admin, { name: 'Flowers' });
  const [order] = (await read(consumer)).orders;
  const note = { as: admin, body: { content: 'They called.' } };
  await market.call('POST', `/admin/orders/${order?._id}/notes`, note);
  const whole = await read(admin);
  expect(whole.adminActions.length).toBeGreaterThan(0);
  expect(whole.orderNotes).toMatchObject([{ order: order?._id, content: 'They called.' }]);
});

it('has every page of long lists once', async () => {
  const { db } = market.platform;
  const reader = await market.join('consumer');
  const count = 257;
  await db.notification.createMany({
    data: Array.from({ length: count }, (_, number) => ({
      userId: reader.id,
      kind: 'order.statusChanged',
      key: `${number}`,
      title: `Title ${number}`,
      body: '',
      link: '/orders',
      // Many at the same time.
      createdAt: new Date(1_790_000_000_000 + Math.floor(number / 50)),
    })),
  });
  const { notifications } = await read(reader);
  expect(notifications).toHaveLength(count);
  expect(new Set(notifications.map(({ title }) => title)).size).toBe(count);
});

it('is limited', async () => {
  const strict = await startLimitedMarket({ RATE_LIMIT_SCALE: '0.1' });
  try {
    const as = await strict.join('consumer');
    expect((await strict.call('GET', '/users/me/export', { as })).status).toBe(200);
    expect((await strict.call('GET', '/users/me/export', { as })).status).toBe(429);
  } finally {
    await strict.close();
  }
});
