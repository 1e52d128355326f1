import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { createOrders, createProducts, createUsers, type TestUser } from '../e2e/fill.ts';
import { launchBrowser, openPerson } from '../e2e/people.ts';
import { startStack } from '../e2e/stack.ts';
import { until } from '../testing/until.ts';
import { call } from './call.ts';
import { median, percentile, ROUNDS, report, round } from './report.ts';

/**
 * Measures the built client in a browser: the first paint of `/` on a mid-range phone (CPU four times slower, fast
 * 3G), the JavaScript that an idle tab on `/` loads, the largest file of a page, and the time from an event's
 * arrival to its painted badge.
 */
const BYTES_PER_KB = 1000;
/** Fast 3G as in Lighthouse: bytes per second and milliseconds. */
const FAST_3G = { downloadThroughput: 1.6e6 / 8, uploadThroughput: 0.75e6 / 8, latency: 150 };
/** At most what the page shows at once. */
const EVENT_COUNT = 12;

const stack = await startStack({ workers: 0 });
const browser = await launchBrowser();

/** Opens `/` in a new context on a mid-range phone. @returns milliseconds to the first content */
async function firstPaint(): Promise<number> {
  const { page, context } = await openPerson(browser, stack.url, { width: 390, height: 844 });
  const devtools = await context.newCDPSession(page);
  await devtools.send('Network.enable');
  await devtools.send('Network.emulateNetworkConditions', { offline: false, ...FAST_3G });
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  await page.goto('/', { waitUntil: 'commit' });
  const painted = await until('the first paint', () =>
    page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime),
  );
  await context.close();
  return painted;
}

/** Returns the gzipped bytes of all scripts that a visitor's tab on `/` loads, also when idle. */
async function firstLoad(): Promise<number> {
  const { page, context } = await openPerson(browser, stack.url);
  const scripts = new Set<string>();
  page.on('response', (response) => {
    const { pathname } = new URL(response.url());
    if (pathname.endsWith('.js')) scripts.add(pathname);
  });
  await page.goto('/', { waitUntil: 'networkidle' });
  await page.waitForTimeout(3000);
  await context.close();
  return [...scripts].reduce((sum, path) => sum + gzipped(`dist/web${path}`), 0);
}

const gzipped = (file: string) => gzipSync(readFileSync(file), { level: 9 }).length;

/** Returns the largest script that not every page loads at the start. */
function largestChunk(): { file: string; bytes: number } {
  const html = readFileSync('dist/web/index.html', 'utf8');
  const sizes = readdirSync('dist/web/assets')
    .filter((file) => file.endsWith('.js') && !html.includes(file))
    .map((file) => ({ file, bytes: gzipped(`dist/web/assets/${file}`) }));
  return sizes.reduce((largest, each) => (each.bytes > largest.bytes ? each : largest));
}

/** Makes the page record the time from the frame of an accepted order to its painted badge. */
async function recordPaintTimes(page: Page): Promise<void> {
  // esbuild names functions with a helper that the page does not have.
  await page.addInitScript('globalThis.__name = (named) => named;');
  await page.addInitScript(() => {
    const marks: Record<string, number> = {};
    Object.assign(window, { paintTimes: marks });
    const Native = window.WebSocket;
    window.WebSocket = class extends Native {
      constructor(...args: ConstructorParameters<typeof WebSocket>) {
        super(...args);
        // Added first, so called before the client's handler.
        this.addEventListener('message', ({ data }) => {
          if (typeof data !== 'string' || !data.includes('"order.updated"')) return;
          const receivedAt = performance.now();
          const badges = () => document.body.textContent?.match(/Accepted/g)?.length ?? 0;
          const before = badges();
          const check = () => {
            if (badges() > before) {
              // The frame with the change is painted before the next one begins.
              requestAnimationFrame(() => {
                marks[Object.keys(marks).length] = performance.now() - receivedAt;
              });
            } else requestAnimationFrame(check);
          };
          requestAnimationFrame(check);
        });
      }
    };
  });
}

/** Returns milliseconds from the socket's frame to the painted badge, for orders accepted one by one. */
async function eventToBadge(): Promise<number[]> {
  const [farmer] = (await createUsers(stack.databaseUrl, 'farmer', 1)) as [TestUser];
  const [consumer] = (await createUsers(stack.databaseUrl, 'consumer', 1)) as [TestUser];
  const [product] = (await createProducts(stack.databaseUrl, [farmer], 1)) as [
    { id: string; farmer: string },
  ];
  const orders = await createOrders(stack.databaseUrl, consumer, product, EVENT_COUNT);
  const me = await call('GET', `${stack.url}/api/auth/me`, undefined, consumer.token);
  const { page, context } = await openPerson(browser, stack.url, {
    as: { token: consumer.token, user: JSON.parse(me.body).user },
  });
  await recordPaintTimes(page);
  await page.goto('/orders');
  await page.getByText('View Details').first().waitFor();
  await page.getByRole('status').filter({ hasText: 'Up to date' }).waitFor();
  const times = () =>
    page.evaluate(() =>
      Object.values((window as unknown as { paintTimes: Record<string, number> }).paintTimes),
    );
  for (const [index, id] of orders.entries()) {
    const { status } = await call(
      'PUT',
      `${stack.url}/api/orders/${id}`,
      { status: 'accepted' },
      farmer.token,
    );
    if (status !== 200) throw new Error(`Accepting an order returned ${status}`);
    await until('the badge', async () => (await times()).length > index);
  }
  const measured = await times();
  await context.close();
  return measured;
}

const paints: number[] = [];
const badges: number[][] = [];
const script = await firstLoad();
const largest = largestChunk();
for (let turn = 0; turn < ROUNDS; turn++) {
  paints.push(await firstPaint());
  badges.push(await eventToBadge());
  process.stderr.write('.');
}
process.stderr.write('\n');
const paint = median(paints);
const p50 = median(badges.map((times) => percentile(times, 0.5)));
const p99 = median(badges.map((times) => percentile(times, 0.99)));

report(
  'browser',
  [
    { measurement: 'first contentful paint of /, mid-range phone, ms', value: round(paint, 0) },
    {
      measurement: 'JavaScript of an idle tab on /, kB gzipped',
      value: round(script / BYTES_PER_KB, 1),
    },
    {
      measurement: `largest file of a page, kB gzipped (${largest.file})`,
      value: round(largest.bytes / BYTES_PER_KB, 1),
    },
    { measurement: 'socket frame to painted badge, p50 ms', value: round(p50) },
    { measurement: 'socket frame to painted badge, p99 ms', value: round(p99) },
  ],
  {
    'first paint on a mid-range phone under 2 s': paint < 2000,
    'JavaScript on the first load under 150 kB gzipped': script < 150 * BYTES_PER_KB,
    'no file of a page over 80 kB gzipped': largest.bytes < 80 * BYTES_PER_KB,
  },
);
await browser.close();
await stack.close();
process.exit(0);
