import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type pg from 'pg';
import type { BrowserContext, Page, Worker } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPushService, type ReceivedPush } from '../../workers/testing/push-service.ts';
import { openBackDoor } from '../faults/ground.ts';
import { until } from '../stack.ts';
import {
  alertOf,
  badge,
  bell,
  mustNotReload,
  openMarket,
  unreadOf,
  untilCount,
  waitingOf,
} from './ground.ts';

const folder = await mkdtemp(path.join(tmpdir(), 'farmgate-push-'));
const push = await openPushService();
const certificate = path.join(folder, 'push.pem');
await writeFile(certificate, push.cert);

// Only a whole browser shows notifications of the system.
const market = openMarket({
  isWhole: true,
  env: { NODE_EXTRA_CA_CERTS: certificate, JOB_BACKOFF_MS: '100' },
});
let database: pg.Pool;
let subscriptions = 0;

beforeAll(() => {
  database = openBackDoor(market.stack().databaseUrl);
});
afterAll(async () => {
  await Promise.all([database?.end(), push.close()]);
  await rm(folder, { recursive: true, force: true });
});

/**
 * A browser asks its maker's push service for a subscription, over the internet. Here that one line
 * leads to the push service of the test; all else of the browser stays as it is.
 */
async function connectPush(context: BrowserContext) {
  const seen = { questions: 0, keys: [] as string[], ended: [] as string[] };
  await context.exposeFunction('testAsked', () => {
    seen.questions += 1;
  });
  await context.exposeFunction('testSubscribe', (key: string) => {
    push.expectSender(key);
    seen.keys.push(key);
    subscriptions += 1;
    return push.subscribe(`browser-${subscriptions}`);
  });
  await context.exposeFunction('testUnsubscribe', (endpoint: string) => {
    push.forget(endpoint.split('/').at(-1) ?? '');
    seen.ended.push(endpoint);
  });
  await context.addInitScript(() => {
    // An empty page is no place for push.
    if (!('PushManager' in window)) return;
    type Kept = { endpoint: string; keys: Record<string, string> };
    const { testAsked, testSubscribe, testUnsubscribe } = window as unknown as {
      testAsked: () => Promise<void>;
      testSubscribe: (key: unknown) => Promise<Kept>;
      testUnsubscribe: (endpoint: string) => Promise<void>;
    };
    const place = 'push subscription';
    const current = () => {
      const kept = JSON.parse(localStorage.getItem(place) ?? 'null') as Kept | null;
      return (
        kept && {
          endpoint: kept.endpoint,
          toJSON: () => ({ ...kept, expirationTime: null }),
          unsubscribe: async () => {
            localStorage.removeItem(place);
            await testUnsubscribe(kept.endpoint);
            return true;
          },
        }
      );
    };
    PushManager.prototype.getSubscription = async () => current() as PushSubscription | null;
    PushManager.prototype.subscribe = async (options) => {
      const kept = await testSubscribe(options?.applicationServerKey);
      localStorage.setItem(place, JSON.stringify(kept));
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

/** Hands a push message to the browser as its push service would, whatever pages are open. */
async function deliver(page: Page, { payload }: ReceivedPush): Promise<Worker> {
  const browser = await page.context().newCDPSession(page);
  let registrationId = '';
  browser.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
    registrationId = registrations[0]?.registrationId ?? registrationId;
  });
  await browser.send('ServiceWorker.enable');
  await until('the service worker to be known', () => registrationId !== '');
  const origin = market.stack().url;
  const data = JSON.stringify(payload);
  await browser.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data });
  await browser.detach();
  return until('the service worker to be awake', () => page.context().serviceWorkers()[0]);
}

/** As much of a service worker's own world as is touched below. */
interface WorkerScope {
  registration: ServiceWorkerRegistration;
  clients: { openWindow: (url: string) => Promise<null> };
  WindowClient: { prototype: { focus: () => Promise<void> } };
  NotificationEvent: new (
    name: string,
    init: { notification: Notification },
  ) => Event & { waitUntil: (work: Promise<unknown>) => void };
  dispatchEvent: (event: Event) => void;
}

/** What the browser shows of the market outside of its pages. */
const shownBy = (worker: Worker) =>
  worker.evaluate(async () => {
    const { registration } = self as unknown as WorkerScope;
    const shown = await registration.getNotifications();
    return shown.map(({ title, body, tag, data, silent }) => ({ title, body, tag, data, silent }));
  });

/**
 * Presses what is shown. Only a hand at the screen lets a worker bring a window forward: the two
 * calls that do so are noted instead. @returns what was noted
 */
const press = (worker: Worker): Promise<string[]> =>
  worker.evaluate(async () => {
    const scope = self as unknown as WorkerScope;
    const noted: string[] = [];
    scope.clients.openWindow = async (url) => {
      noted.push(`open ${url}`);
      return null;
    };
    scope.WindowClient.prototype.focus = async () => {
      noted.push('focus');
    };
    const [notification] = await scope.registration.getNotifications();
    if (!notification) throw new Error('Nothing is shown.');
    const event = new scope.NotificationEvent('notificationclick', { notification });
    const work: Promise<unknown>[] = [];
    event.waitUntil = (more) => void work.push(more);
    scope.dispatchEvent(event);
    await Promise.all(work);
    return noted;
  });

/** The addresses that push messages to a farmer go to. */
async function addresses(farmer: string): Promise<string[]> {
  const { rows } = await database.query<{ endpoint: string }>(
    'SELECT endpoint FROM push_subscriptions WHERE user_id = $1',
    [farmer],
  );
  return rows.map(({ endpoint }) => endpoint);
}

it('an order reaches a farmer whose market is closed, by push, for as long as they want it', async () => {
  await database.query('DELETE FROM push_subscriptions');
  push.received.length = 0;
  const { _id } = (await market.session('farmer')).user;
  const product = await market.bring({ name: 'Cardoons', quantityAvailable: 500 });
  let seen: Awaited<ReturnType<typeof connectPush>> | undefined;
  const farmer = await market.open('farmer', '/profile', {
    prepare: async (context) => {
      seen = await connectPush(context);
    },
  });
  if (!seen) throw new Error('The browser was not prepared.');
  const { context } = farmer;

  // Nobody is asked anything before they want it.
  await farmer.page.getByText('This browser does not show them yet.').waitFor();
  const before = await farmer.page.evaluate(async () => ({
    permission: Notification.permission,
    workers: (await navigator.serviceWorker.getRegistrations()).length,
  }));
  expect({ ...before, ...seen }).toEqual({
    permission: 'default',
    workers: 0,
    questions: 0,
    keys: [],
    ended: [],
  });

  await context.grantPermissions(['notifications'], { origin: market.stack().url });
  await farmer.page.getByRole('button', { name: 'Turn on' }).click();
  await farmer.page
    .getByText('This browser shows them, even while the market is closed.')
    .waitFor();
  const { publicKey } = await market.act<{ publicKey: string }>(
    'farmer',
    'GET',
    '/notifications/push-key',
  );
  expect(seen).toEqual({ questions: 1, keys: [publicKey], ended: [] });
  expect(await addresses(_id)).toHaveLength(1);

  // The farmer goes away. The order comes through the push service alone.
  const empty = await context.newPage();
  await farmer.page.close();
  const order = await market.buy('consumer', product, 2);
  const received = await until('the push service to be called', () => push.received[0], 60_000);
  const worker = await deliver(empty, received);
  const shown = await until('it to be shown', async () => (await shownBy(worker))[0]);
  expect(shown).toEqual({
    title: `New order from ${order.consumer.name}`,
    body: expect.stringContaining(`Order #${order._id.slice(0, 8)}: 1 item, ₨8.00, pickup on`),
    tag: received.payload.tag,
    data: { link: `/orders/${order._id}` },
    silent: false,
  });
  expect(await press(worker)).toEqual([`open ${market.stack().url}/orders/${order._id}`]);
  expect(await shownBy(worker)).toEqual([]);

  // With the market open, what is shown leads this window to the order.
  const page = await context.newPage();
  await page.goto('/about');
  await deliver(page, received);
  await until('it to be shown again', async () => (await shownBy(worker)).length === 1);
  expect(await press(worker)).toEqual(['focus']);
  await page.waitForURL(`**/orders/${order._id}`);
  await page.getByText(order.consumer.name).first().waitFor();

  await page.goto('/profile');
  await page.getByRole('button', { name: 'Turn off' }).click();
  await page.getByText('This browser does not show them yet.').waitFor();
  expect(await addresses(_id)).toEqual([]);
  expect(seen.ended).toHaveLength(1);

  // Turned on again, it ends for whoever signs in next: in the browser at once, here with the next
  // message, which the push service no longer takes.
  const turnOn = async () => {
    await page.getByRole('button', { name: 'Turn on' }).click();
    await page.getByText('This browser shows them, even while the market is closed.').waitFor();
  };
  await turnOn();
  const next = await market.session('farmer2');
  await page.evaluate(({ token, user }) => {
    localStorage.setItem('token', token);
    localStorage.setItem('user', JSON.stringify(user));
  }, next);
  const [left] = await addresses(_id);
  await page.reload();
  await until('the browser to have given it up', () => seen?.ended[1] === left);
  await market.buy('consumer', product);
  await until('it to be forgotten', async () => (await addresses(_id)).length === 0, 60_000);

  // A sign-out ends it in the same way.
  await turnOn();
  const [last] = await addresses(next.user._id);
  const [name] = next.user.name.split(' ');
  await page.getByRole('button', { name: new RegExp(`^${name}`) }).click();
  await page.getByRole('menuitem', { name: 'Logout' }).click();
  await until('the browser to have given it up', () => seen?.ended[2] === last);

  // All in all there was one message.
  expect(push.received).toEqual([received]);
  expect(push.refused).toEqual([]);
});

it('the bell rings in one tab for each order, and in none once it is switched off', async () => {
  await market.clearTable();
  const product = await market.bring({ name: 'Scorzonera', quantityAvailable: 500 });
  await market.buy('consumer', product);
  let strokes = 0;
  const farmer = await market.open('farmer', '/about', {
    prepare: async (context) => {
      await context.exposeFunction('testStroke', () => {
        strokes += 1;
      });
      await context.addInitScript(() => {
        const { start } = OscillatorNode.prototype;
        OscillatorNode.prototype.start = function (...when) {
          (window as unknown as { testStroke: () => void }).testStroke();
          start.apply(this, when);
        };
      });
    },
  });
  const other = { ...farmer, page: await farmer.context.newPage() };
  await other.page.goto('/about');
  await badge(other, 'Live').waitFor();
  const untilTitled = (person: typeof farmer, count: number) =>
    until(`${count} in the title`, async () => (await waitingOf(person)) === count);
  const told = async (count: number) => {
    const words = count === 1 ? /New order from/ : `${count} new orders`;
    await alertOf(other).getByText(words).waitFor();
    await untilTitled(farmer, count + 1);
    await untilTitled(other, count + 1);
  };
  /** Of several tabs one rings: which, is settled for a moment after each. */
  const settled = () =>
    until('the bell to be still', () =>
      farmer.page.evaluate(async () => (await navigator.locks.query()).held?.length === 0),
    );

  // Browsers let a page ring once somebody has touched it.
  await untilTitled(farmer, 1);
  await untilTitled(other, 1);
  await other.page.getByRole('heading', { level: 1 }).click();
  await bell(farmer).click();
  const panel = farmer.page.getByRole('dialog', { name: 'Notifications' });
  const sound = panel.getByRole('button', { name: 'Order sound on' });
  await sound.waitFor();
  await market.buy('consumer', product);
  await told(1);
  const icon = farmer.page.locator('link[rel=icon]');
  expect(await icon.getAttribute('href')).toMatch(/^data:image\/svg/);
  await until('two strokes of one bell', () => strokes === 2);

  await sound.click();
  await panel.getByRole('button', { name: 'Order sound off' }).waitFor();
  await settled();
  await market.buy('consumer2', product);
  await told(2);

  // It stays so on pages that are loaded anew.
  await farmer.page.goto('/profile');
  const choice = farmer.page.getByLabel('Ring for new orders');
  expect(await choice.isChecked()).toBe(false);
  await badge(farmer, 'Live').waitFor();
  await untilTitled(farmer, 3);
  await farmer.page.getByRole('heading', { level: 1 }).click();
  await market.buy('consumer', product);
  await told(3);
  await alertOf(farmer).getByText('New order from').waitFor();
  await settled();
  expect(strokes).toBe(2);

  await choice.check();
  await market.buy('consumer2', product);
  await told(4);
  await until('two more strokes', () => strokes > 3);
  expect(strokes).toBe(4);
});

it('what an order leaves scarce comes to the low-stock table, and goes once there is more', async () => {
  const product = await market.bring({ name: 'Salsify', quantityAvailable: 12 }, 'farmer2');
  await market.act('farmer2', 'PUT', '/notifications/read', {});
  const farmer = await market.open('farmer2', '/farmer/dashboard');
  const row = farmer.page
    .getByRole('table', { name: 'Low stock' })
    .getByRole('row', { name: /Salsify/ });
  await farmer.page.getByRole('heading', { name: 'Low Stock' }).waitFor();
  expect(await row.count()).toBe(0);
  const stayed = await mustNotReload(farmer);

  await market.buy('consumer', product, 11);
  await row.getByText('1 lb left, nearly gone').waitFor();
  await until(
    'one for the order and one for the stock',
    async () => (await unreadOf(farmer)) === 2,
  );
  await bell(farmer).click();
  const panel = farmer.page.getByRole('dialog', { name: 'Notifications' });
  await panel.getByText('Salsify is running low').waitFor();

  await market.act('farmer2', 'PUT', `/products/${product._id}`, { quantityAvailable: 40 });
  await untilCount('nothing to be scarce', row, 0);
  await stayed();
});
