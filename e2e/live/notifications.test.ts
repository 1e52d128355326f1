import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type pg from 'pg';
import type { BrowserContext, Page, Worker } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { until } from '../../testing/until.ts';
import { openPushService, type ReceivedPush } from '../../workers/testing/push-service.ts';
import { openDatabase } from '../faults/helpers.ts';
import { ACCOUNTS, signIn } from '../people.ts';
import { allowSound, badge, bell, openMarket, orderToast, pendingCountInTitle } from './helpers.ts';

const folder = await mkdtemp(path.join(tmpdir(), 'farmgate-push-'));
const push = await openPushService();
const certificate = path.join(folder, 'push.pem');
await writeFile(certificate, push.cert);

// Only the full browser shows system notifications.
const market = openMarket({
  isWhole: true,
  env: { NODE_EXTRA_CA_CERTS: certificate, JOB_BACKOFF_MS: '100' },
});
let database: pg.Pool;
let subscriptions = 0;

beforeAll(() => {
  database = openDatabase(market.stack().databaseUrl);
});
afterAll(async () => {
  await Promise.all([database?.end(), push.close()]);
  await rm(folder, { recursive: true, force: true });
});

/**
 * Redirects push subscriptions, which a browser requests from its vendor's push service, to the test's own.
 * Everything else of the browser is unchanged.
 */
async function connectPush(context: BrowserContext) {
  const seen = { permissionRequests: 0, keys: [] as string[], ended: [] as string[] };
  await context.exposeFunction('testAsked', () => {
    seen.permissionRequests += 1;
  });
  await context.exposeFunction('testSubscribe', (key: string) => {
    push.expectSender(key);
    seen.keys.push(key);
    subscriptions += 1;
    return push.subscribe(`browser-${subscriptions}`);
  });
  await context.exposeFunction('testUnsubscribe', (endpoint: string) => {
    push.unsubscribe(endpoint.split('/').at(-1) ?? '');
    seen.ended.push(endpoint);
  });
  await context.addInitScript(() => {
    // about:blank has no push.
    if (!('PushManager' in window)) return;
    type Kept = { endpoint: string; keys: Record<string, string> };
    const { testAsked, testSubscribe, testUnsubscribe } = window as unknown as {
      testAsked: () => Promise<void>;
      testSubscribe: (key: unknown) => Promise<Kept>;
      testUnsubscribe: (endpoint: string) => Promise<void>;
    };
    const storageKey = 'push subscription';
    const current = () => {
      const kept = JSON.parse(localStorage.getItem(storageKey) ?? 'null') as Kept | null;
      return (
        kept && {
          endpoint: kept.endpoint,
          toJSON: () => ({ ...kept, expirationTime: null }),
          unsubscribe: async () => {
            localStorage.removeItem(storageKey);
            await testUnsubscribe(kept.endpoint);
            return true;
          },
        }
      );
    };
    PushManager.prototype.getSubscription = async () => current() as PushSubscription | null;
    PushManager.prototype.subscribe = async (options) => {
      const kept = await testSubscribe(options?.applicationServerKey);
      localStorage.setItem(storageKey, JSON.stringify(kept));
      return current() as unknown as PushSubscription;
    };
    const ask = Notification.requestPermission.bind(Notification);
    Notification.requestPermission = async (...rest) => {
      await testAsked();
      return ask(...rest);
    };
  });
  return seen;
}

/**
 * Delivers a push message to the browser, whatever pages are open, and waits until its worker has shown it: Chromium
 * forgets a notification that somebody asks for while it is being shown.
 */
async function deliver(page: Page, { payload }: ReceivedPush): Promise<Worker> {
  const browser = await page.context().newCDPSession(page);
  let registrationId = '';
  browser.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
    registrationId = registrations[0]?.registrationId ?? registrationId;
  });
  await browser.send('ServiceWorker.enable');
  await until('the service worker to be registered', () => registrationId !== '');
  const origin = market.stack().url;
  await browser.send('ServiceWorker.startWorker', { scopeURL: `${origin}/` });
  const worker = await until('the service worker to run', () => page.context().serviceWorkers()[0]);
  const shownCount = await countShown(worker);
  const data = JSON.stringify(payload);
  await browser.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data });
  await browser.detach();
  await until('the notification', async () => (await countShown(worker)) > shownCount);
  return worker;
}

/** The part of a service worker's scope that is used below. */
interface WorkerScope {
  registration: ServiceWorkerRegistration & { shownCount?: number };
  clients: { openWindow: (url: string) => Promise<null> };
  WindowClient: { prototype: { focus: () => Promise<void> } };
  NotificationEvent: new (
    name: string,
    init: { notification: Notification },
  ) => Event & { waitUntil: (work: Promise<unknown>) => void };
  dispatchEvent: (event: Event) => void;
}

/** Returns how many notifications the worker has shown since it was asked first. */
const countShown = (worker: Worker): Promise<number> =>
  worker.evaluate(() => {
    const { registration } = self as unknown as WorkerScope;
    registration.shownCount ??= 0;
    if (Object.hasOwn(registration, 'showNotification')) return registration.shownCount;
    const show = registration.showNotification.bind(registration);
    registration.showNotification = async (...shown) => {
      await show(...shown);
      registration.shownCount = (registration.shownCount ?? 0) + 1;
    };
    return 0;
  });

/** Returns the system notifications. */
const systemNotifications = (worker: Worker) =>
  worker.evaluate(async () => {
    const { registration } = self as unknown as WorkerScope;
    const shown = await registration.getNotifications();
    return shown.map(({ title, body, tag, data, silent }) => ({ title, body, tag, data, silent }));
  });

/**
 * Clicks the notification. A worker may only focus or open a window after a real click, so those two calls
 * are recorded instead. @returns the recorded calls
 */
const clickNotification = (worker: Worker): Promise<string[]> =>
  worker.evaluate(async () => {
    const scope = self as unknown as WorkerScope;
    const calls: string[] = [];
    scope.clients.openWindow = async (url) => {
      calls.push(`open ${url}`);
      return null;
    };
    scope.WindowClient.prototype.focus = async () => {
      calls.push('focus');
    };
    const [notification] = await scope.registration.getNotifications();
    if (!notification) throw new Error('Nothing is shown.');
    const event = new scope.NotificationEvent('notificationclick', { notification });
    const work: Promise<unknown>[] = [];
    event.waitUntil = (more) => void work.push(more);
    scope.dispatchEvent(event);
    await Promise.all(work);
    return calls;
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
      seen = await connectPush(context);
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
  const worker = await deliver(empty, received);
  const [shown] = await systemNotifications(worker);
  expect(shown).toEqual({
    title: `New order from ${order.consumer.name}`,
    body: expect.stringContaining(`Order #${order._id.slice(0, 8)}: 1 item, ₨8.00, pickup on`),
    tag: received.payload.tag,
    data: { link: `/orders/${order._id}` },
    silent: false,
  });
  expect(await clickNotification(worker)).toEqual([
    `open ${market.stack().url}/orders/${order._id}`,
  ]);
  await expect.poll(() => systemNotifications(worker)).toEqual([]);

  // With an open page, the notification opens the order there.
  const page = await context.newPage();
  await page.goto('/about');
  await deliver(page, received);
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

it('plays the order sound in one tab per order, and in none once turned off', async () => {
  await market.rejectPendingOrders();
  const product = await market.createProduct({ name: 'Scorzonera', quantityAvailable: 500 });
  await market.placeOrder('consumer', product);
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
    const words = count === 1 ? /New order from/ : `${count} new orders`;
    await orderToast(other).getByText(words).waitFor();
    await untilTitled(farmer, count + 1);
    await untilTitled(other, count + 1);
  };
  /** One of several tabs plays the sound, chosen by a lock that is held for a moment. */
  const soundLockReleased = () =>
    until('the sound lock to be released', () =>
      farmer.page.evaluate(async () => (await navigator.locks.query()).held?.length === 0),
    );

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
  await until('two tones of one sound', () => soundCount === 2);

  await sound.click();
  await panel.getByRole('button', { name: 'Order sound off' }).waitFor();
  await until('the other tab to follow', () =>
    other.page.evaluate(() => localStorage.getItem('order-sound') === 'false'),
  );
  await soundLockReleased();
  await market.placeOrder('consumer2', product);
  await expectNotified(2);

  // The setting survives a reload.
  await farmer.page.goto('/profile');
  const choice = farmer.page.getByLabel('Ring for new orders');
  expect(await choice.isChecked()).toBe(false);
  await badge(farmer, 'Live').waitFor();
  await untilTitled(farmer, 3);
  await farmer.page.getByRole('heading', { level: 1 }).click();
  await market.placeOrder('consumer', product);
  await expectNotified(3);
  await orderToast(farmer).getByText('New order from').waitFor();
  await soundLockReleased();
  expect(soundCount).toBe(2);

  await choice.check();
  await market.placeOrder('consumer2', product);
  await expectNotified(4);
  await until('two more tones', () => soundCount > 3);
  expect(soundCount).toBe(4);
});
