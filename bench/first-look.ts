import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import autocannon from 'autocannon';
import type { Page } from 'playwright-core';
import { launchBrowser, openPerson } from '../e2e/people.ts';
import { startStack } from '../e2e/stack.ts';
import { until } from '../testing/until.ts';
import { startFloor } from './floors/start.ts';
import { measureInterleaved, median, ROUNDS, type Row, report, round } from './report.ts';

/**
 * Measures how soon a visitor's page is there on a mid-range phone (CPU four times slower, slow 4G): first and largest
 * contentful paint, what moves, how long until it can be used, bytes, the same on a second visit, with the browser's
 * cache and with the service worker, and the time from a tap to the next page. The floor of a page is the same page
 * without its scripts. Then pages a second beside a prepared buffer of the same size.
 *
 * `BENCH_PARTS` names the parts to run (`looks`, `worker`, `taps`, `rates`), `BENCH_PAGES` the pages, by commas;
 * `BENCH_ROUNDS=1` makes them short.
 */
const BYTES_PER_KB = 1000;
const SLOW_4G = { downloadThroughput: 1.6e6 / 8, uploadThroughput: 0.75e6 / 8, latency: 150 };
const SECONDS = Number(process.env.BENCH_SECONDS ?? 3);
const WARM_UP_SECONDS = 1;
const listOf = (setting: string | undefined) => setting?.split(',').map((each) => each.trim());
const parts = listOf(process.env.BENCH_PARTS);
const isWanted = (part: 'looks' | 'worker' | 'taps' | 'rates') => parts?.includes(part) ?? true;
/** Nothing larger is painted after so long without anything happening. */
const QUIET_MS = 1500;

interface Look {
  firstPaintMs: number;
  largestPaintMs: number;
  shift: number;
  /** From the largest paint until a tap is answered; 0 if it could be tapped before. */
  usableAfterMs: number;
  bytes: number;
}

interface Marks {
  first: number;
  largest: number;
  shift: number;
  settled: number;
  changedAt: number;
}

const stack = await startStack({ workers: 0 });
const browser = await launchBrowser();

/** Makes the page note its paints and shifts. */
async function observe(page: Page): Promise<void> {
  await page.addInitScript('globalThis.__name = (named) => named;');
  await page.addInitScript(() => {
    const marks: Marks = { first: 0, largest: 0, shift: 0, settled: 0, changedAt: 0 };
    Object.assign(window, { marks });
    const watch = (type: string, note: (entry: PerformanceEntry & { value?: number }) => void) =>
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) note(entry);
        marks.changedAt = performance.now();
      }).observe({ type, buffered: true });
    watch('paint', ({ name, startTime }) => {
      if (name === 'first-contentful-paint') marks.first = startTime;
    });
    watch('largest-contentful-paint', ({ startTime }) => {
      marks.largest = startTime;
    });
    watch('layout-shift', ({ value = 0 }) => {
      marks.shift += value;
    });
    document.addEventListener('farmgate:settled', () => {
      marks.settled = performance.now();
      marks.changedAt = marks.settled;
    });
  });
}

/** Waits until the page is loaded and paints nothing more. */
async function marksOf(page: Page, hasScripts: boolean): Promise<Marks> {
  await page.waitForLoadState('load');
  return until('a quiet page', () =>
    page.evaluate(
      ([quietMs, awaitsScripts]) => {
        const { marks } = window as unknown as { marks: Marks };
        const isQuiet = performance.now() - marks.changedAt > quietMs;
        return marks.largest > 0 && isQuiet && (marks.settled > 0 || !awaitsScripts) ? marks : null;
      },
      [QUIET_MS, hasScripts] as const,
    ),
  );
}

/** Opens a page in a context of its own; `warm` opens it a second time with what the browser kept. */
async function look(
  path: string,
  { hasScripts = true, isWarm = false }: { hasScripts?: boolean; isWarm?: boolean } = {},
): Promise<Look> {
  const { page, context } = await openPerson(browser, stack.url, { width: 390, height: 844 });
  const devtools = await context.newCDPSession(page);
  await devtools.send('Network.enable');
  if (!hasScripts) await devtools.send('Network.setBlockedURLs', { urls: ['*.js'] });
  if (isWarm) {
    await page.goto(path, { waitUntil: 'networkidle' });
    await page.goto('about:blank');
  }
  await devtools.send('Network.emulateNetworkConditions', { offline: false, ...SLOW_4G });
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  await observe(page);
  let bytes = 0;
  devtools.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await page.goto(path, { waitUntil: 'commit' });
  const { first, largest, shift, settled } = await marksOf(page, hasScripts);
  await context.close();
  return {
    firstPaintMs: first,
    largestPaintMs: largest,
    shift,
    usableAfterMs: hasScripts ? Math.max(0, settled - largest) : 0,
    bytes,
  };
}

/**
 * Serves what another address does, later by the latency of a slow connection: a worker's requests are not slowed down.
 */
async function startSlowProxy(target: string): Promise<{ url: string; close: () => void }> {
  const server = createServer((asked, answer) => {
    setTimeout(() => {
      const { method, headers, url = '/' } = asked;
      const onward = request(target + url, { method, headers }, (response) => {
        answer.writeHead(response.statusCode ?? 502, response.headers);
        response.pipe(answer);
      });
      onward.on('error', () => answer.destroy());
      asked.pipe(onward);
    }, SLOW_4G.latency);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://localhost:${port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Opens pages a second time in a browser whose service worker has kept them. Returns the largest paint of each. */
async function looksFromWorker(paths: readonly string[]): Promise<number[]> {
  const proxy = await startSlowProxy(stack.url);
  const { page, context } = await openPerson(browser, proxy.url, {
    width: 390,
    height: 844,
    hasWorker: true,
  });
  const devtools = await context.newCDPSession(page);
  await observe(page);
  const found: number[] = [];
  for (const path of paths) {
    await page.goto(path);
    // Nothing is kept for a tab that nobody uses.
    await page.mouse.move(100, 100);
    await page.mouse.move(120, 120);
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    await page.goto(path);
    await until('the page to be kept', () =>
      page.evaluate(async () => (await caches.match(location.href)) !== undefined),
    );
    await page.goto('about:blank');
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 });
    await page.goto(path, { waitUntil: 'commit' });
    found.push((await marksOf(page, true)).largest);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  }
  await context.close();
  proxy.close();
  return found;
}

/** Returns milliseconds from a tap on a link of `/` to the painted products, which may be fetched before it. */
async function tapToProducts(isPrefetched: boolean): Promise<number> {
  const { page, context } = await openPerson(browser, stack.url, { width: 390, height: 844 });
  const devtools = await context.newCDPSession(page);
  await devtools.send('Network.enable');
  await devtools.send('Network.emulateNetworkConditions', { offline: false, ...SLOW_4G });
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  await observe(page);
  await page.goto('/', { waitUntil: 'commit' });
  await marksOf(page, true);
  await page.evaluate(() => {
    document.addEventListener(
      'click',
      () => {
        const tappedAt = performance.now();
        const check = () => {
          const isThere = document.querySelector('#main form input[type="search"]');
          if (!isThere || !document.querySelector('#main article')) requestAnimationFrame(check);
          else {
            // The frame with the change is painted before the next one begins.
            requestAnimationFrame(() => {
              Object.assign(window, { tapMs: performance.now() - tappedAt });
            });
          }
        };
        requestAnimationFrame(check);
      },
      { capture: true, once: true },
    );
  });
  const link = page.getByRole('link', { name: 'Shop Now' });
  if (isPrefetched) {
    const answered = page.waitForResponse(/\/api\/products\?/);
    // The first movement loads what prefetches, the second is the intent.
    await page.mouse.move(10, 10);
    await link.hover();
    await answered;
    await page.waitForLoadState('networkidle');
  }
  await link.tap();
  const taken = await until('the products', () =>
    page.evaluate(() => (window as unknown as { tapMs?: number }).tapMs),
  );
  await context.close();
  return taken;
}

async function perSecond(url: string): Promise<number> {
  const load = (duration: number) => autocannon({ url, connections: 50, duration });
  await load(WARM_UP_SECONDS);
  const { requests, non2xx, errors } = await load(SECONDS);
  if (non2xx + errors > 0) throw new Error(`${non2xx + errors} responses of ${url} were not 2xx.`);
  return requests.average;
}

const firstIdAt = async (path: string): Promise<string> => {
  const response = await fetch(`${stack.url}/api${path}?limit=1`);
  const { data } = (await response.json()) as { data: { _id: string }[] };
  return data[0]?._id ?? '';
};
const pages = {
  '/': '/',
  '/products': '/products',
  'a product': `/products/${await firstIdAt('/products')}`,
  'a farm': `/farmers/${await firstIdAt('/users/farmers')}`,
};

const rows: Row[] = [];
const goals: Record<string, boolean> = {};
const wantedPages = listOf(process.env.BENCH_PAGES);
const measured = Object.entries(pages).filter(([name]) => wantedPages?.includes(name) ?? true);
for (const [name, path] of isWanted('looks') ? measured : []) {
  const looks = await measureInterleaved({
    cold: () => look(path),
    floor: () => look(path, { hasScripts: false }),
    warm: () => look(path, { isWarm: true }),
  });
  const floorMs = median(looks.floor.map(({ largestPaintMs }) => largestPaintMs));
  for (const [state, all] of Object.entries(looks)) {
    const middle = (value: (each: Look) => number) => median(all.map(value));
    rows.push({
      page: name,
      state,
      'first paint ms': round(
        middle((each) => each.firstPaintMs),
        0,
      ),
      'largest paint ms': round(
        middle((each) => each.largestPaintMs),
        0,
      ),
      'usable after ms': round(
        middle((each) => each.usableAfterMs),
        0,
      ),
      shift: round(
        middle((each) => each.shift),
        4,
      ),
      kB: round(middle(({ bytes }) => bytes) / BYTES_PER_KB, 0),
    });
  }
  const cold = (value: (each: Look) => number) => median(looks.cold.map(value));
  goals[`${name}: largest paint at most 1.25 times its floor`] =
    cold(({ largestPaintMs }) => largestPaintMs) <= 1.25 * floorMs;
  goals[`${name}: largest paint within 1.6 s`] = cold((each) => each.largestPaintMs) <= 1600;
  goals[`${name}: moves at most 0.01`] = cold(({ shift }) => shift) <= 0.01;
  goals[`${name}: can be used 1.2 s after`] = cold((each) => each.usableAfterMs) <= 1200;
}

if (isWanted('worker')) {
  const rounds: number[][] = [];
  while (rounds.length < ROUNDS)
    rounds.push(await looksFromWorker(measured.map(([, path]) => path)));
  for (const [index, [name]] of measured.entries()) {
    const largest = median(rounds.map((round) => round[index] ?? Number.NaN));
    rows.push({ page: name, state: 'from the worker', 'largest paint ms': round(largest, 0) });
    goals[`${name}: largest paint from the worker within 0.6 s`] = largest <= 600;
  }
}

if (isWanted('taps')) {
  const taps = await measureInterleaved({
    'a first tap on / to the products': () => tapToProducts(false),
    'a tap on / to the prefetched products': () => tapToProducts(true),
  });
  for (const [name, times] of Object.entries(taps)) {
    rows.push({ page: name, 'largest paint ms': round(median(times), 0) });
  }
  goals['content within 100 ms of a tap on a prefetched link'] =
    median(taps['a tap on / to the prefetched products']) <= 100;
}

const ready = await startFloor('ready-buffer');
for (const [name, path] of isWanted('rates') ? measured : []) {
  const body = await (await fetch(stack.url + path)).text();
  await fetch(ready.url, { method: 'PUT', body });
  const rates = await measureInterleaved({
    farmgate: () => perSecond(stack.url + path),
    ready: () => perSecond(ready.url),
  });
  const [ours, floor] = [median(rates.farmgate), median(rates.ready)];
  rows.push({ page: `${name}, a second`, farmgate: round(ours, 0), buffer: round(floor, 0) });
  goals[`${name}: at least 0.8 of the prepared buffer`] = ours >= 0.8 * floor;
}
report('first-look', rows, goals);
await ready.close();
await browser.close();
await stack.close();
process.exit(0);
