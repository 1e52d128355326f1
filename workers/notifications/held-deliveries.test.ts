import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { beforeEach, expect, it } from 'vitest';
import { holdDeliveries } from '../../server/platform/stores/held-deliveries.ts';
import { closeAfter, startTestMarket } from '../../server/testing/market.ts';
import { findOutdated } from './engine/delivery.ts';

// What a restored backup held waits for an admin.

const market = closeAfter(await startTestMarket());
const [admin, farmer] = await Promise.all([market.join('admin'), market.join('farmer')]);
beforeEach(() =>
  market.platform.pool.query('DELETE FROM notification_deliveries; DELETE FROM timers'),
);

type New = {
  userId: string;
  kind: string;
  channel?: 'email' | 'push' | 'sms';
  status?: 'pending' | 'sent';
};
const plan = async ({ userId, kind, channel = 'email', status = 'pending' }: New) =>
  (
    await market.platform.db.notificationDelivery.create({
      data: { userId, kind, channel, status, key: `${kind}:${randomUUID()}` },
    })
  ).id;
const remind = async (kind: string): Promise<string> => {
  const key = `${kind}:${randomUUID()}`;
  await market.platform.db.timer.create({
    data: { key, kind, dueAt: new Date(Date.now() - 60_000) },
  });
  return key;
};
async function hold(): Promise<void> {
  const client = new pg.Client({ connectionString: market.platform.env.DATABASE_URL });
  await client.connect();
  await holdDeliveries(client);
  await client.end();
}
const held = async (ids: string[]): Promise<boolean[]> => {
  const rows = await market.platform.db.notificationDelivery.findMany({
    where: { id: { in: ids } },
  });
  return ids.map((id) => rows.find((row) => row.id === id)?.restoredAt != null);
};
const settle = (action: string, as = admin) =>
  market.post('/admin/held-deliveries', as, { action });
const health = async () => (await market.get('/admin/health', admin)).body.data.held;

it('holds mails, pushes and reminders, but no link that was asked for, no mail to an admin and no change', async () => {
  const ids = await Promise.all([
    plan({ userId: farmer.id, kind: 'order.placed' }),
    plan({ userId: farmer.id, kind: 'order.placed', channel: 'push' }),
    plan({ userId: farmer.id, kind: 'order.placed', channel: 'sms' }),
    plan({ userId: farmer.id, kind: 'order.placed', status: 'sent' }),
    plan({ userId: farmer.id, kind: 'password.reset' }),
    plan({ userId: admin.id, kind: 'farm.waiting' }),
  ]);
  const reminder = await remind('order.unanswered');
  const change = await remind('stock.return');
  await hold();
  expect(await held(ids)).toEqual([true, true, true, false, false, false]);
  const timers = await market.platform.db.timer.findMany({
    where: { key: { in: [reminder, change] } },
  });
  expect(timers.filter(({ restoredAt }) => restoredAt).map(({ key }) => key)).toEqual([reminder]);
  // Nothing that comes after the restore waits.
  expect(await held([await plan({ userId: farmer.id, kind: 'order.placed' })])).toEqual([false]);
  expect(await health()).toEqual({ mails: 1, pushes: 1, texts: 1, reminders: 1 });

  expect((await settle('send', farmer)).status).toBe(403);
  expect((await settle('keep')).status).toBe(400);
  const { body } = await settle('send');
  expect(body.data).toEqual({ mails: 1, pushes: 1, texts: 1, reminders: 1 });
  expect(await held(ids)).toEqual([false, false, false, false, false, false]);
  const none = { mails: 0, pushes: 0, texts: 0, reminders: 0 };
  expect((await settle('send')).body.data).toEqual(none);
});

it('drops them for good', async () => {
  const id = await plan({ userId: farmer.id, kind: 'order.placed' });
  const key = await remind('message.unread');
  await hold();
  expect((await settle('drop')).body.data).toMatchObject({ mails: 1, reminders: 1 });
  const row = await market.platform.db.notificationDelivery.findUniqueOrThrow({ where: { id } });
  expect(row).toMatchObject({ status: 'skipped', restoredAt: null });
  const timer = await market.platform.db.timer.findUniqueOrThrow({ where: { key } });
  expect(timer.doneAt).not.toBeNull();
  expect(await health()).toEqual({ mails: 0, pushes: 0, texts: 0, reminders: 0 });
});

it('counts as too late what an order needed that is over by now', async () => {
  const consumer = await market.join('consumer');
  const order = randomUUID();
  const at = (hours: number) => new Date(Date.now() + hours * 3_600_000);
  const delivery = async (createdAt: Date) => {
    const key = `order.placed:${randomUUID()}`;
    const common = { userId: farmer.id, kind: 'order.placed', key, createdAt };
    await market.platform.db.notification.create({
      data: { ...common, title: 'New order', body: '', link: `/orders/${order}` },
    });
    return market.platform.db.notificationDelivery.create({
      data: { ...common, channel: 'email' },
    });
  };
  await market.platform.db.order.create({
    data: {
      id: order,
      consumerId: consumer.id,
      farmerId: farmer.id,
      totalMinor: 100,
      isPickup: true,
      date: at(-48),
      time: '10:00',
      startsAt: at(-49),
      endsAt: at(-48),
    } as never,
  });
  const [early, after, fresh] = [
    await delivery(at(-72)),
    await delivery(at(-47)),
    await delivery(at(0)),
  ];
  expect([...(await findOutdated(market.platform.db, [early, after, fresh]))]).toEqual([early.id]);
});
