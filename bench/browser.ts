import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { launchBrowser, openPerson } from '../e2e/people.ts';
import { startStack, until } from '../e2e/stack.ts';
import { call } from './call.ts';
import { makeOrders, makePeople, makeProducts, type Someone } from './fill.ts';
import { median, percentile, ROUNDS, report, round } from './report.ts';

/**
 * The built client in a browser: the first paint of `/` on a mid phone (a processor four times slower,
 * fast 3G), the JavaScript that a quiet tab on `/` ends up with, the largest file of a page, and the
 * time from an event's arrival at the browser to its new word painted.
 */
const KB = 1000;
/** Fast 3G, as Lighthouse has it: bytes a second and milliseconds. */
const FAST_3G = { downloadThroughput: 1.6e6 / 8, uploadThroughput: 0.75e6 / 8, latency: 150 };
/** No more than the page shows at once. */
const EVENTS = 12;

const stack = await startStack({ workers: 0 });
const browser = await launchBrowser();

/** Opens `/` anew on a mid phone. @returns milliseconds to the first content */
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

/** Bytes, gzipped, of every script that a visitor's quiet tab on `/` loads, idle time included. */
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

/** The largest file that a page loads for itself: all but what every page begins with. */
function largestChunk(): { file: string; bytes: number } {
  const html = readFileSync('dist/web/index.html', 'utf8');
  const sizes = readdirSync('dist/web/assets')
    .filter((file) => file.endsWith('.js') && !html.includes(file))
    .map((file) => ({ file, bytes: gzipped(`dist/web/assets/${file}`) }));
  return sizes.reduce((largest, each) => (each.bytes > largest.bytes ? each : largest));
}

/** Has the page note when the frame of an accepted order came and when its badge was painted. */
async function listen(page: Page): Promise<void> {
  // The compiler that runs this file names functions with a helper that the page does not have.
  await page.addInitScript('globalThis.__name = (named) => named;');
  await page.addInitScript(() => {
    const marks: Record<string, number> = {};
    Object.assign(window, { paintTimes: marks });
    const Native = window.WebSocket;
    window.WebSocket = class extends Native {
      constructor(...args: ConstructorParameters<typeof WebSocket>) {
        super(...args);
        // Added first, so heard before the client.
        this.addEventListener('message', ({ data }) => {
          if (typeof data !== 'string' || !data.includes('"order.updated"')) return;
          const cameAt = performance.now();
          const badges = () => document.body.textContent?.match(/Accepted/g)?.length ?? 0;
          const before = badges();
          const look = () => {
            if (badges() > before) {
              // The frame that holds the change is painted before the next one begins.
              requestAnimationFrame(() => {
                marks[Object.keys(marks).length] = performance.now() - cameAt;
              });
            } else requestAnimationFrame(look);
          };
          requestAnimationFrame(look);
        });
      }
    };
  });
}

/** Milliseconds from the socket's frame to the painted badge, for orders accepted one by one. */
async function eventToBadge(): Promise<number[]> {
  const [farmer] = (await makePeople(stack.databaseUrl, 'farmer', 1)) as [Someone];
  const [consumer] = (await makePeople(stack.databaseUrl, 'consumer', 1)) as [Someone];
  const [product] = (await makeProducts(stack.databaseUrl, [farmer], 1)) as [
    { id: string; farmer: string },
  ];
  const orders = await makeOrders(stack.databaseUrl, consumer, product, EVENTS);
  const me = await call('GET', `${stack.url}/api/auth/me`, undefined, consumer.token);
  const { page, context } = await openPerson(browser, stack.url, {
    as: { token: consumer.token, user: JSON.parse(me.body).user },
  });
  await listen(page);
  await page.goto('/orders');
  await page.getByText('View Details').first().waitFor();
  await page.getByRole('status').filter({ hasText: 'Live' }).waitFor();
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
    if (status !== 200) throw new Error(`Accepting an order answered ${status}`);
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
    { figure: 'first contentful paint of /, mid phone, ms', value: round(paint, 0) },
    { figure: 'JavaScript of a quiet tab on /, kB gzipped', value: round(script / KB, 1) },
    {
      figure: `largest file of a page, kB gzipped (${largest.file})`,
      value: round(largest.bytes / KB, 1),
    },
    { figure: 'socket frame to painted badge, p50 ms', value: round(p50) },
    { figure: 'socket frame to painted badge, p99 ms', value: round(p99) },
  ],
  {
    'first paint on a mid phone under 2 s': paint < 2000,
    'JavaScript on the first load under 150 kB gzipped': script < 150 * KB,
    'no file of a page over 80 kB gzipped': largest.bytes < 80 * KB,
  },
);
await browser.close();
await stack.close();
process.exit(0);
