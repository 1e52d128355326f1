import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import {
  type Caller,
  makeCategory,
  orderInput,
  productInput,
  startTestMarket,
} from '../../../server/testing/market.ts';
import { changeMarket } from '../../../server/testing/market-settings.ts';
import { hire } from '../../../server/testing/staff.ts';
import { until } from '../../../testing/until.ts';
import { startWithMailbox } from '../../testing/mailbox.ts';
import { worded } from '../../testing/words.ts';

// Four at once, like four processes: everything below must still happen once.
const { mailbox, market } = await startWithMailbox(
  startTestMarket,
  { UNREAD_EMAIL_AFTER_SECONDS: '1', STOCK_WAVE_AFTER_SECONDS: '0' },
  4,
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
const waiting = () =>
  market.platform.db.follow.count({ where: { productId: product, state: 'waiting' } });
/** Lets two hours pass, after which those who are left have their turn. */
async function twoHoursLater(): Promise<void> {
  const { db } = market.platform;
  await db.$executeRaw`
    UPDATE products SET last_wave_at = last_wave_at - interval '2 hours',
      restock_at = restock_at - interval '2 hours' WHERE id = ${product}::uuid`;
  await db.$executeRaw`
    UPDATE follows SET since = since - interval '2 hours' WHERE product_id = ${product}::uuid`;
  await db.$executeRaw`
    UPDATE timers SET due_at = due_at - interval '2 hours' WHERE kind = 'stock.wave' AND done_at IS NULL`;
}
const join = () => market.join('consumer');

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
      body: '5 bunches; 1 person was told.',
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
  await twoHoursLater();
  await setAlert(changer);
  await stock(7);
  await until(async () => (await notificationsOf(changer)).length > 0);
  expect(await notificationsOf(asker)).toHaveLength(1);
  await stock(0);
  await twoHoursLater();
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
      const looked = { key: { startsWith: `stock.wave:${made.body.data._id}` } };
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

it('notifies of what was restocked while its farm was paused, once it takes orders again', async () => {
  const [grower, asker] = [await market.join('farmer'), await join()];
  const body = productInput(category, { name: 'Leeks', quantityAvailable: 0 });
  const path = `/products/${(await market.post('/products', grower, body)).body.data._id}`;
  await market.put(`${path}/alert`, asker, { isSet: true });
  const { db } = market.platform;
  const until24h = new Date(Date.now() + 24 * 3600_000).toISOString();
  const paused = await market.post('/farm/pause', grower, { until: until24h });
  expect(paused.status, JSON.stringify(paused.body)).toBe(200);
  await market.put(path, grower, { quantityAvailable: 3 });
  // The next look is at the end of the pause.
  const looks = { key: { startsWith: `stock.wave:${path.split('/')[2]}` }, dueAt: until24h };
  await until(async () => (await db.timer.count({ where: looks })) > 0);
  expect(await notificationsOf(asker)).toEqual([]);
  expect((await market.delete('/farm/pause', grower)).status).toBe(200);
  await until(async () => (await notificationsOf(asker)).length > 0);
});

it('takes over the timers of the release before', async () => {
  const asker = await join();
  await stock(0);
  await twoHoursLater();
  await setAlert(asker);
  const { db } = market.platform;
  await db.$executeRaw`
    UPDATE products SET stock_milli = 9000 WHERE id = ${product}::uuid`;
  await db.timer.create({
    data: { kind: 'stock.back', key: `stock.back:${product}:old`, dueAt: new Date(0) },
  });
  await until(async () => (await notificationsOf(asker)).length > 0);
});

it('is read once its product was seen', async () => {
  const asker = await join();
  await stock(0);
  await twoHoursLater();
  await setAlert(asker);
  await stock(9);
  await until(async () => (await notificationsOf(asker)).length > 0);
  const body = { subject: { kind: 'product', _id: product } };
  const { data } = (await market.call('PUT', '/notifications/read', { as: asker, body })).body;
  expect(data).toEqual({ unreadCount: 0 });
});

it('is not for those who have bought some meanwhile', async () => {
  const [buyer, other] = [await join(), await join()];
  await stock(0);
  await setAlert(buyer);
  await setAlert(other);
  // The wave before was a moment ago, so there is time to buy.
  await stock(9);
  const order = await market.post(
    '/orders',
    buyer,
    orderInput(farmer.id, [{ product, quantity: 2 }]),
  );
  expect(order.status, JSON.stringify(order.body)).toBe(201);
  await until(async () => (await waiting()) === 1);
  const { data } = (await market.get('/follows', buyer)).body;
  expect(data).toMatchObject([{ product: { _id: product }, state: 'told' }]);
  await twoHoursLater();
  await until(async () => (await notificationsOf(other)).length > 0);
  expect(await notificationsOf(buyer)).not.toContainEqual(
    expect.objectContaining({ kind: 'stock.back' }),
  );
});

it('has a one-click link that ends the favourite of this product, and its page can undo it', async () => {
  const asker = await join();
  await stock(0);
  await twoHoursLater();
  await setAlert(asker);
  await stock(9);
  const mail = await until(() => mailbox.mailsTo(asker.email)[0]);
  expect(mail.text).toContain('Take this product off my favorites');
  const link = market.url + new URL(mail.unsubscribe.replace(/[<>]/g, '')).pathname;
  const choices = async () => (await market.get('/notifications/preferences', asker)).body.data;
  const before = await choices();
  const follows = async () => (await market.get('/follows', asker)).body.data;
  const send = async (address: string, method = 'POST') =>
    (await fetch(address, { method, redirect: 'error' })).text();
  expect(await send(link, 'GET')).toContain('Take it off your favorites?');
  expect(await follows()).toHaveLength(1);
  for (let time = 0; time < 2; time++) {
    const page = await send(link);
    expect(page).toContain('No longer in your favorites');
    expect(page).toContain('Kale');
    expect(await follows()).toEqual([]);
  }
  expect(await choices()).toEqual(before);
  expect(await send(`${link}/undo`)).toContain('Back in your favorites');
  expect(await follows()).toMatchObject([{ product: { _id: product }, state: 'told' }]);
  // Somebody else's product is not theirs to end: the link is signed with it.
  const forged = link.replace(product, randomUUID());
  expect((await fetch(forged, { method: 'POST' })).status).toBe(404);
});

it('notifies so many as twice what there is, of more people than one statement takes', async () => {
  const count = 1200;
  await stock(0);
  await twoHoursLater();
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
  await db.follow.createMany({
    data: people.map((userId) => ({ userId, productId: product })),
  });
  // Orders of two at least, so there are 550 of them.
  await stock(1100);
  const told = () =>
    db.notification.findMany({ where: { kind: 'stock.back', userId: { in: people } } });
  await until(async () => (await told()).length >= 1100);
  const params = (await told()).map((row) => row.params);
  expect(new Set(params.map((each) => JSON.stringify(each)))).toHaveLength(1);
  expect(params[0]).toMatchObject({ peopleCount: 1100, leftMilli: 1_100_000, productId: product });
  expect(await waiting()).toBe(100);
  await twoHoursLater();
  await until(async () => (await told()).length === count);
  expect(await waiting()).toBe(0);
});

it('says of what is always available from now on that it is, without a number', async () => {
  const [early, late] = [await join(), await join()];
  await stock(0);
  await twoHoursLater();
  await setAlert(early);
  await setAlert(late);
  await market.call('PUT', `/products/${product}`, {
    as: farmer,
    body: { availability: 'always' },
  });
  for (const asker of [early, late]) {
    await until(async () => (await notificationsOf(asker)).length > 0);
    expect(await notificationsOf(asker)).toMatchObject([
      {
        title: 'Kale is back in stock',
        body: "You asked to be told. It's always available from now on.",
      },
    ]);
  }
});
