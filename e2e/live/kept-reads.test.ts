import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { Order } from '#contract/ordering/orders/orders';
import { until } from '../../testing/until.ts';
import type { Person } from '../people.ts';
import type { Program } from '../stack.ts';
import { badge, openMarket } from './helpers.ts';

const market = openMarket({ workers: 0 });

let server: Program | undefined;

/** Stops the server. @returns a function that starts another one at its address */
async function stopServer(): Promise<() => Promise<void>> {
  const stopped = server ?? market.stack().servers[0];
  const port = Number(new URL(market.stack().url).port);
  await stopped?.end('SIGKILL');
  return async () => {
    server = await market.stack().startServer(port);
  };
}

/** What the browser has kept: the hashes of the answers, and whether each is covered by events. */
const keptBy = (page: Page): Promise<Record<string, boolean>> =>
  page.evaluate(
    () =>
      new Promise<Record<string, boolean>>((resolve, reject) => {
        const request = indexedDB.open('farmgate', 1);
        request.onupgradeneeded = () => request.result.createObjectStore('kept-reads');
        request.onerror = () => reject(request.error);
        request.onsuccess = () => {
          const database = request.result;
          const head = database.transaction('kept-reads').objectStore('kept-reads').get('head');
          head.onsuccess = () => {
            database.close();
            const notes: Record<string, { isCovered: boolean }> = head.result?.notes ?? {};
            resolve(
              Object.fromEntries(
                Object.entries(notes).map(([hash, { isCovered }]) => [hash, isCovered]),
              ),
            );
          };
        };
      }),
  );

/** Waits until the browser has kept an answer whose key contains these words. */
const untilKept = (page: Page, words: string, { isCovered = false } = {}) =>
  until(`${words} to be kept`, async () =>
    Object.entries(await keptBy(page)).some(
      ([hash, covered]) => hash.includes(words) && (covered || !isCovered),
    ),
  );

/** Waits until the service worker has kept the whole application. */
const untilInstalled = (page: Page) =>
  until('the application to be kept', () =>
    page.evaluate(async () => {
      if (!navigator.serviceWorker.controller) return false;
      const kept = await caches.match(
        [...document.scripts].find(({ type }) => type === 'module')?.src ?? '',
        { ignoreVary: true },
      );
      const names = await caches.keys();
      const files = await caches.open(names.find((name) => name.includes('files')) ?? '');
      const paths = (await files.keys()).map(({ url }) => url);
      // The last page by name that everybody's browser keeps.
      return kept !== undefined && paths.some((url) => url.includes('StockView'));
    }),
  );

const asOf = ({ page }: Person) => page.getByRole('status').filter({ hasText: /^As of / });
const card = ({ page }: Person, order: Order) =>
  page.getByRole('listitem').filter({ hasText: order._id.slice(0, 8) });

it('shows what was known when the server is away, and catches up when it is back', async () => {
  const product = await market.createProduct({ name: 'Quinces', quantityAvailable: 500 });
  const order = await market.placeOrder('consumer', product);
  const consumer = await market.open('consumer', '/orders', { hasWorker: true });
  await card(consumer, order).getByText('Pending', { exact: true }).waitFor();
  await untilKept(consumer.page, '"mine"', { isCovered: true });
  await untilInstalled(consumer.page);

  const startServer = await stopServer();
  await consumer.page.reload();
  await card(consumer, order).getByText('Pending', { exact: true }).waitFor();
  await asOf(consumer).waitFor();
  expect(await asOf(consumer).textContent()).toMatch(/^As of \d{1,2}:\d\d [ap]m$/i);

  // What happens meanwhile on another server is replayed.
  await startServer();
  await market.callApi('farmer', 'PUT', `/orders/${order._id}`, { status: 'accepted' });
  await badge(consumer, 'Live').waitFor();
  await card(consumer, order).getByText('Accepted', { exact: true }).waitFor();
  await asOf(consumer).waitFor({ state: 'detached' });
});

it('opens private and public pages cold without a server', async () => {
  const product = await market.createProduct({ name: 'Medlars', quantityAvailable: 500 });
  const { user: farmer } = await market.session('farmer');
  await market.callApi('consumer', 'POST', '/messages', {
    receiver: farmer._id,
    content: 'Do you have medlars on Friday?',
  });
  const consumer = await market.open('consumer', `/products/${product._id}`, { hasWorker: true });
  const { page } = consumer;
  await page.getByRole('heading', { name: 'Medlars' }).waitFor();
  await page.getByRole('button', { name: 'Add to Cart' }).first().click();
  await untilKept(page, `"detail","${product._id}"`);
  await page.goto(`/messages/${farmer._id}`);
  await page.getByText('Do you have medlars on Friday?').first().waitFor();
  await untilKept(page, '"thread"');
  await page.goto('/checkout');
  await page.getByRole('button', { name: /Place Order/ }).waitFor();
  await untilKept(page, `"detail","${farmer._id}"`);
  await untilInstalled(page);

  const startServer = await stopServer();
  // A new tab has nothing in memory.
  await page.close();
  const cold = await consumer.context.newPage();
  const reader = { ...consumer, page: cold };
  await cold.goto(`/messages/${farmer._id}`);
  await cold.getByText('Do you have medlars on Friday?').first().waitFor();
  await cold.goto(`/products/${product._id}`);
  await cold.getByRole('heading', { name: 'Medlars' }).waitFor();
  await asOf(reader).waitFor();
  await cold.goto('/checkout');
  await cold.getByText('Medlars').first().waitFor();
  await cold.getByRole('button', { name: /Place Order/ }).waitFor();
  await startServer();
  await badge(reader, 'Live').waitFor();
  await asOf(reader).waitFor({ state: 'detached' });
});

it('says to a visitor of when a page is that the server rendered before it went away', async () => {
  const product = await market.createProduct({ name: 'Rowan berries', price: 3 });
  const address = `/products/${product._id}`;
  const visitor = await market.visit(address, undefined, { hasWorker: true });
  const { page } = visitor;
  let moves = 0;
  await until('the page to be kept', async () => {
    // Nothing is kept for a visitor who does nothing.
    await page.mouse.move(100 + (moves++ % 50), 100);
    if (moves % 20 === 0) await page.reload();
    return page.evaluate(async (path) => {
      const kept = await caches.match(path, { ignoreVary: true });
      return (await kept?.text())?.includes('data-as-of') ?? false;
    }, address);
  });

  const startServer = await stopServer();
  await page.reload();
  await page.getByRole('heading', { name: 'Rowan berries' }).waitFor();
  await asOf(visitor).waitFor();
  await startServer();
  // What it shows is refetched, though no event says what happened meanwhile.
  await market.callApi('farmer', 'PUT', `/products/${product._id}`, { price: 4.25 });
  await page.mouse.move(200, 200);
  await page.getByText('₨4.25').first().waitFor();
  await asOf(visitor).waitFor({ state: 'detached' });
});

it('leaves nothing behind after a sign-out, also in another tab', async () => {
  const consumer = await market.open('consumer', '/orders', { hasWorker: true });
  await untilKept(consumer.page, '"mine"');
  const other = await consumer.context.newPage();
  await other.goto('/orders');
  await badge({ ...consumer, page: other }, 'Live').waitFor();
  await other.getByRole('banner').locator('button[aria-haspopup="menu"]').click();
  await other.getByRole('menuitem', { name: 'Logout' }).click();
  await until('everything to be removed', async () => {
    const kept = Object.keys(await keptBy(consumer.page));
    return !kept.some((hash) => /"(mine|thread|conversations|notifications)"/.test(hash));
  });
  await consumer.page.getByRole('link', { name: 'Login' }).first().waitFor();
});

it('ends at the sign-in when the session has ended meanwhile', async () => {
  const session = await market.session('consumer2');
  const reader = await market.visit('/orders', session, { hasWorker: true });
  await badge(reader, 'Live').waitFor();
  await untilKept(reader.page, '"mine"');
  await reader.page.evaluate(() => {
    // As if the account had been deleted elsewhere.
    const [head, body] = (localStorage.getItem('token') ?? '').split('.');
    localStorage.setItem('token', `${head}.${body}.c2lnbmVkIGJ5IG5vYm9keQ`);
  });
  await reader.page.reload();
  await reader.page.waitForURL(/\/login/);
  await until('everything to be removed', async () => {
    const kept = Object.keys(await keptBy(reader.page));
    return !kept.some((hash) => hash.includes('"mine"'));
  });
});
