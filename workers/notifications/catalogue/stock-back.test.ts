import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import {
  type Caller,
  makeCategory,
  productInput,
  startTestMarket,
} from '../../../server/testing/market.ts';
import { changeMarket } from '../../../server/testing/market-settings.ts';
import { hire } from '../../../server/testing/staff.ts';
import { until } from '../../../testing/until.ts';
import { startWithMailbox } from '../../testing/mailbox.ts';
import { worded } from '../../testing/words.ts';

// Two at once, like two processes: everything below must still happen once.
const { mailbox, market } = await startWithMailbox(
  startTestMarket,
  { UNREAD_EMAIL_AFTER_SECONDS: '1' },
  2,
);
const farmer = await market.join('farmer');
const category = await makeCategory(market.platform);
const body = productInput(category, { name: 'Kale', quantityAvailable: 0, minimum: 2 });
const product = (await market.call('POST', '/products', { as: farmer, body })).body.data._id;

const setAlert = (as: Caller, isSet = true) =>
  market.call('PUT', `/products/${product}/alert`, { as, body: { isSet } });
const stock = (quantityAvailable: number) =>
  market.call('PUT', `/products/${product}`, { as: farmer, body: { quantityAvailable } });
const notificationsOf = async (
  as: Caller,
): Promise<{ title: string; body: string; link: string }[]> =>
  worded((await market.call('GET', '/notifications', { as })).body.data);
const waiting = () => market.platform.db.stockAlert.count({ where: { productId: product } });
it('notifies those who asked, once, live and by mail, and nobody else', async () => {
  const [asker, changer, other] = (await Promise.all(
    [1, 2, 3].map(() => market.join('consumer')),
  )) as [Caller, Caller, Caller];
  const socket = await market.connect({ token: asker.token });
  const received: unknown[] = [];
  socket.on('notification.created', ({ data }) => received.push(data));
  await setAlert(asker);
  await setAlert(changer);
  await setAlert(changer, false);
  // Less than the smallest order is none.
  await stock(1);
  await stock(5);
  await until(async () => (await notificationsOf(asker)).length > 0);
  expect(await notificationsOf(asker)).toMatchObject([
    {
      title: 'Kale is back in stock',
      body: 'You asked to be told. Order while there is some.',
      link: `/products/${product}`,
    },
  ]);
  await until(() => received.length > 0);
  expect(worded(received)).toMatchObject(await notificationsOf(asker));
  const mailed = await until(
    () => mailbox.mailsTo(asker.email).length > 0 && mailbox.mailsTo(asker.email),
  );
  expect(mailed).toMatchObject([{ subject: 'A product you asked about is back in stock' }]);
  expect(await notificationsOf(changer)).toEqual([]);
  expect(await notificationsOf(other)).toEqual([]);
  expect(await waiting()).toBe(0);

  // Sold out and back again: anyone who does not ask again is not notified, anyone who does is.
  await stock(0);
  await setAlert(changer);
  await stock(7);
  await until(async () => (await notificationsOf(changer)).length > 0);
  expect(await notificationsOf(asker)).toHaveLength(1);
  await stock(0);
  await setAlert(asker);
  await stock(8);
  await until(async () => (await notificationsOf(asker)).length === 2);
  expect(await notificationsOf(changer)).toHaveLength(1);
});

it.each(['suspended', 'sent back'])(
  'notifies of what was restocked while its farm was %s, once that is back',
  async (way) => {
    const [grower, admin, asker] = (await Promise.all(
      (['farmer', 'admin', 'consumer'] as const).map((role) => market.join(role)),
    )) as [Caller, Caller, Caller];
    const owner = await hire(market, grower, 'owner');
    const category = await makeCategory(market.platform);
    const made = await market.call('POST', '/products', {
      as: owner,
      body: productInput(category, { name: 'Chard', quantityAvailable: 0 }),
    });
    const path = `/products/${made.body.data._id}`;
    const put = async (address: string, as: Caller, body: unknown) => {
      const answer = await market.call('PUT', address, { as, body });
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    };
    await put(`${path}/alert`, asker, { isSet: true });
    const setListed = (isListed: boolean) =>
      way === 'suspended'
        ? put(`/users/${grower.id}/suspension`, admin, { suspended: !isListed, reason: 'Asked.' })
        : put(`/users/farmers/${grower.id}/approval`, admin, {
            approved: isListed,
            reason: 'Please look again.',
          });
    await changeMarket(market, { approvesFarms: true });
    try {
      await setListed(false);
      await put(path, owner, { quantityAvailable: 3 });
      // A product of a draft stays hidden.
      const looked = { key: { startsWith: `stock.back:${made.body.data._id}` } };
      if (way === 'sent back') {
        await until(async () => {
          const timers = await market.platform.db.timer.findMany({ where: looked });
          return timers.some(({ doneAt }) => doneAt !== null);
        });
      }
      await setListed(true);
      await until(async () => (await notificationsOf(asker)).length > 0);
    } finally {
      await changeMarket(market, { approvesFarms: false });
    }
    expect(await notificationsOf(asker)).toMatchObject([{ title: 'Chard is back in stock' }]);
  },
);

it('is read once its product was seen', async () => {
  const asker = await market.join('consumer');
  await stock(0);
  await setAlert(asker);
  await stock(9);
  await until(async () => (await notificationsOf(asker)).length > 0);
  const body = { subject: { kind: 'product', _id: product } };
  const { data } = (await market.call('PUT', '/notifications/read', { as: asker, body })).body;
  expect(data).toEqual({ unreadCount: 0 });
});

it('notifies more people than one statement takes', async () => {
  const count = 1200;
  await stock(0);
  const people = Array.from({ length: count }, () => randomUUID());
  const { db } = market.platform;
  await db.user.createMany({
    data: people.map((id) => ({
      id,
      name: 'Somebody',
      email: `${id}@farmgate.test`,
      passwordHash: '-',
      role: 'consumer' as const,
      preferences: { 'stock.back': { email: false, push: false } },
    })),
  });
  await db.stockAlert.createMany({
    data: people.map((userId) => ({ userId, productId: product })),
  });
  await stock(10);
  const countNotified = () =>
    db.notification.count({ where: { kind: 'stock.back', userId: { in: people } } });
  await until(async () => (await countNotified()) === count);
  expect(await waiting()).toBe(0);
});
