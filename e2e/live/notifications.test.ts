import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { until } from '../../testing/until.ts';
import type { AlertPayload } from '../../workers/notifications/engine/push-client.ts';
import { openPushService } from '../../workers/testing/push-service.ts';
import { openDatabase } from '../faults/helpers.ts';
import { ACCOUNTS, signIn } from '../people.ts';
import {
  allowSound,
  badge,
  bell,
  openMarket,
  orderToast,
  pendingCountInTitle,
  sheetOf,
} from './helpers.ts';
import {
  badgesOf,
  clickNotification,
  connectPush,
  deliver,
  systemNotifications,
  watchBadge,
} from './system-notifications.ts';

const folder = await mkdtemp(path.join(tmpdir(), 'farmgate-push-'));
const push = await openPushService();
const certificate = path.join(folder, 'push.pem');
await writeFile(certificate, push.cert);

// Only the full browser shows system notifications.
const market = openMarket({
  isWhole: true,
  rings: true,
  env: { NODE_EXTRA_CA_CERTS: certificate, JOB_BACKOFF_MS: '100' },
});
let database: pg.Pool;

beforeAll(async () => {
  database = openDatabase(market.stack().databaseUrl);
  // Whoever has just closed their page counts as there for a while: they are pushed to by the next step.
  const steps = [
    { afterSeconds: 0, to: 'alerted', channels: ['ring', 'push'] },
    { afterSeconds: 10, to: 'alerted', channels: ['push'] },
  ];
  await market.callApi('farmer', 'PUT', '/farm/escalation', { steps });
});
afterAll(async () => {
  await Promise.all([database?.end(), push.close()]);
  await rm(folder, { recursive: true, force: true });
});

/** Returns the push endpoints of a farmer. */
async function endpointsOf(farmer: string): Promise<string[]> {
  const { rows } = await database.query<{ endpoint: string }>(
    'SELECT endpoint FROM push_subscriptions WHERE user_id = $1',
    [farmer],
  );
  return rows.map(({ endpoint }) => endpoint);
}

it('pushes an order to a farmer without an open page until they turn it off', async () => {
  await database.query('DELETE FROM push_subscriptions');
  push.received.length = 0;
  const { _id } = (await market.session('farmer')).user;
  const product = await market.createProduct({ name: 'Cardoons', quantityAvailable: 500 });
  let seen: Awaited<ReturnType<typeof connectPush>> | undefined;
  const farmer = await market.open('farmer', '/profile', {
    prepare: async (context) => {
      seen = await connectPush(context, push);
    },
  });
  if (!seen) throw new Error('The browser was not prepared.');
  const { context } = farmer;

  // No permission is requested before the farmer turns it on.
  await farmer.page.getByText("This browser doesn't show them yet.").waitFor();
  const permission = await farmer.page.evaluate(() => Notification.permission);
  expect({ permission, ...seen }).toEqual({
    permission: 'default',
    permissionRequests: 0,
    keys: [],
    ended: [],
  });

  await context.grantPermissions(['notifications'], { origin: market.stack().url });
  await farmer.page.getByRole('button', { name: 'Turn on' }).click();
  await farmer.page.getByText('This browser shows them, even when Farmgate is closed.').waitFor();
  const { publicKey } = await market.callApi<{ publicKey: string }>(
    'farmer',
    'GET',
    '/notifications/push-key',
  );
  expect(seen).toEqual({ permissionRequests: 1, keys: [publicKey], ended: [] });
  expect(await endpointsOf(_id)).toHaveLength(1);

  // The farmer closes the page; the order arrives by push only.
  const empty = await context.newPage();
  await farmer.page.close();
  const order = await market.placeOrder('consumer', product, 2);
  const received = await until('the push service to be called', () => push.received[0]);
  // Somebody is on it, so that nothing more is sent.
  await market.acknowledge('farmer', order);
  const worker = await deliver(empty, market.stack().url, received);
  const [shown] = await systemNotifications(worker);
  expect(shown).toEqual({
    title: `New order from ${order.consumer.name}`,
    body: expect.stringContaining(`Order #${order._id.slice(0, 8)}: 1 item, ₨8.00, pickup on`),
    tag: received.payload.tag,
    data: expect.objectContaining({ link: `/orders/${order._id}` }),
    silent: false,
    requireInteraction: true,
    actions: [{ action: 'ack', title: "I'm on it" }],
  });
  expect(received.urgency).toBe('high');
  expect(received.payload).toMatchObject({ renotify: true, badge: expect.any(Number) });
  expect(await clickNotification(worker)).toEqual([
    `open ${market.stack().url}/orders/${order._id}`,
  ]);
  await expect.poll(() => systemNotifications(worker)).toEqual([]);

  // With an open page, the notification opens the order there.
  const page = await context.newPage();
  await page.goto('/about');
  await deliver(page, market.stack().url, received);
  await expect.poll(() => systemNotifications(worker)).toHaveLength(1);
  expect(await clickNotification(worker)).toEqual(['focus']);
  await page.waitForURL(`**/orders/${order._id}`);
  await page.getByText(order.consumer.name).first().waitFor();

  await page.goto('/profile');
  await page.getByRole('button', { name: 'Turn off' }).click();
  await page.getByText("This browser doesn't show them yet.").waitFor();
  await expect.poll(() => endpointsOf(_id)).toEqual([]);
  await expect.poll(() => seen?.ended).toHaveLength(1);

  // A subscription ends when another account signs in: at once in the browser, and here with the next
  // message, which the push service rejects.
  const turnOn = async () => {
    await page.getByRole('button', { name: 'Turn on' }).click();
    await page.getByText('This browser shows them, even when Farmgate is closed.').waitFor();
  };
  await turnOn();
  // A session of its own, which the page ends further down.
  const next = await signIn(market.stack().url, ACCOUNTS.farmer2);
  await page.evaluate(({ token, user }) => {
    localStorage.setItem('token', token);
    localStorage.setItem('user', JSON.stringify(user));
  }, next);
  const [left] = await endpointsOf(_id);
  await page.reload();
  await until('the browser to unsubscribe', () => seen?.ended[1] === left);
  await market.placeOrder('consumer', product);
  await until('the subscription to be removed', async () => (await endpointsOf(_id)).length === 0);

  // Signing out ends it, too.
  await turnOn();
  const [last] = await endpointsOf(next.user._id);
  const [name] = next.user.name.split(' ');
  await page.getByRole('button', { name: new RegExp(`^${name}`) }).click();
  await page.getByRole('menuitem', { name: 'Logout' }).click();
  await until('the browser to unsubscribe', () => seen?.ended[2] === last);

  // Only one message was sent.
  expect(push.received).toEqual([received]);
  expect(push.refused).toEqual([]);
});

it('says "I\'m on it" from the notification, without opening the app, and says so where that fails', async () => {
  await database.query('DELETE FROM push_subscriptions');
  await market.rejectPendingOrders();
  push.received.length = 0;
  const product = await market.createProduct({ name: 'Crosnes', quantityAvailable: 500 });
  const farmer = await market.open('farmer', '/profile', {
    prepare: (browser) => connectPush(browser, push),
  });
  const { context } = farmer;
  await context.grantPermissions(['notifications'], { origin: market.stack().url });
  await farmer.page.getByRole('button', { name: 'Turn on' }).click();
  await farmer.page.getByText('This browser shows them, even when Farmgate is closed.').waitFor();
  const empty = await context.newPage();
  await farmer.page.close();
  const order = await market.placeOrder('consumer', product, 2);
  const received = await until('the push service to be called', () => push.received[0]);
  const worker = await deliver(empty, market.stack().url, received);
  await watchBadge(worker);

  // Without a network it says so, and a tap opens the order.
  await context.setOffline(true);
  expect(await clickNotification(worker, 'ack')).toEqual([]);
  const [failed] = await systemNotifications(worker);
  expect(failed).toMatchObject({
    title: `New order from ${order.consumer.name}`,
    body: (received.payload as AlertPayload).failure,
    actions: [],
  });
  await context.setOffline(false);
  expect(await clickNotification(worker)).toEqual([
    `open ${market.stack().url}/orders/${order._id}`,
  ]);

  await deliver(empty, market.stack().url, received);
  expect(await clickNotification(worker, 'ack')).toEqual([]);
  const [attention] = await market.attentions('farmer', order);
  expect(attention).toMatchObject({ state: 'acknowledged' });
  expect(await systemNotifications(worker)).toEqual([]);
  const waiting = (received.payload as AlertPayload).badge ?? 0;
  expect(await badgesOf(worker)).toEqual([waiting, waiting - 1]);

  // A message of a round before answers nothing, and says so.
  await database.query(
    "UPDATE attentions SET state = 'waiting', round = round + 1 WHERE order_id = $1",
    [order._id],
  );
  await deliver(empty, market.stack().url, received);
  expect(await clickNotification(worker, 'ack')).toEqual([]);
  expect(await systemNotifications(worker)).toMatchObject([{ body: failed?.body, actions: [] }]);
  expect(await clickNotification(worker)).toEqual([
    `open ${market.stack().url}/orders/${order._id}`,
  ]);

  // What an older server sends is shown as well.
  const { title, body, link, tag, lang, dir } = received.payload;
  await deliver(empty, market.stack().url, {
    ...received,
    payload: { title, body, link, tag, lang, dir },
  });
  expect(await systemNotifications(worker)).toMatchObject([{ title, body, actions: [] }]);
});

it('rings in one tab while orders wait, and in none once turned off', async () => {
  await market.rejectPendingOrders();
  const product = await market.createProduct({ name: 'Scorzonera', quantityAvailable: 500 });
  const first = await market.placeOrder('consumer', product);
  // Somebody is on it, so that it does not ring.
  await market.acknowledge('farmer', first);
  let soundCount = 0;
  const farmer = await market.open('farmer', '/about', {
    prepare: async (context) => {
      await context.exposeFunction('testSound', () => {
        soundCount += 1;
      });
      await context.addInitScript(() => {
        const { start } = OscillatorNode.prototype;
        OscillatorNode.prototype.start = function (...when) {
          (window as unknown as { testSound: () => void }).testSound();
          start.apply(this, when);
        };
      });
    },
  });
  const other = { ...farmer, page: await farmer.context.newPage() };
  await other.page.goto('/about');
  await badge(other, 'Live').waitFor();
  const untilTitled = (person: typeof farmer, count: number) =>
    until(`${count} in the title`, async () => (await pendingCountInTitle(person)) === count);
  const expectNotified = async (count: number) => {
    const words = count === 1 ? "I'm on it" : `I'm on all ${count}`;
    for (const person of [farmer, other]) {
      await sheetOf(person).getByRole('button', { name: words }).waitFor();
      await untilTitled(person, count + 1);
    }
  };

  await untilTitled(farmer, 1);
  await untilTitled(other, 1);
  await allowSound(other);
  await bell(farmer).click();
  const panel = farmer.page.getByRole('dialog', { name: 'Notifications' });
  const sound = panel.getByRole('button', { name: 'Order sound on' });
  await sound.waitFor();
  await market.placeOrder('consumer', product);
  await expectNotified(1);
  const icon = farmer.page.locator('link[rel=icon]');
  await until('the icon with a count', async () =>
    /^data:image\/svg/.test((await icon.getAttribute('href')) ?? ''),
  );
  await until('two tones of a ring', () => soundCount >= 2);
  await until('it to ring again', () => soundCount >= 4);

  await sound.click();
  await panel.getByRole('button', { name: 'Order sound off' }).waitFor();
  await until('the other tab to follow', () =>
    other.page.evaluate(() => localStorage.getItem('order-sound') === 'false'),
  );
  await market.placeOrder('consumer2', product);
  await expectNotified(2);
  const heard = soundCount;

  // The setting survives a reload.
  await farmer.page.goto('/profile');
  const choice = farmer.page.getByLabel('Ring for new orders');
  expect(await choice.isChecked()).toBe(false);
  await badge(farmer, 'Live').waitFor();
  await untilTitled(farmer, 3);
  await farmer.page.getByRole('heading', { level: 1 }).click();
  await market.placeOrder('consumer', product);
  await expectNotified(3);
  await until('no toast beside it', async () => (await orderToast(farmer).count()) === 0);
  expect(soundCount).toBe(heard);

  await choice.check();
  await until('it to ring again', () => soundCount >= heard + 2);
});
