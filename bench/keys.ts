import type { Page } from 'playwright-core';
import { createOrders, createProducts, createUsers, type TestUser } from '../e2e/fill.ts';
import { launchBrowser, openPerson, type Session } from '../e2e/people.ts';
import { startStack } from '../e2e/stack.ts';
import { until } from '../testing/until.ts';
import { call } from './call.ts';
import { median, percentile, ROUNDS, report, round } from './report.ts';

/**
 * Measures how long a farmer with many orders waits for a key in the split view, on a processor four
 * times slower: from the press of J or K to the painted choice, measured by the browser's own event timing.
 */
const ORDER_COUNT = 46;
const CPU_SLOWDOWN = 4;
const PRESSES = 20;
const AIM_MS = 100;

const stack = await startStack({ workers: 0 });
const browser = await launchBrowser();

/** Makes the page collect the milliseconds from each key press to the next paint. */
async function recordKeys(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const durations: number[] = [];
    Object.assign(window, { keyDurations: durations });
    new PerformanceObserver((list) => {
      for (const { name, duration } of list.getEntries()) {
        if (name === 'keydown') durations.push(duration);
      }
    }).observe({ type: 'event', durationThreshold: 16, buffered: true } as PerformanceObserverInit);
  });
}

/** Returns the milliseconds of each press in a new page. */
async function measureKeys(farmer: TestUser, user: Session['user']): Promise<number[]> {
  const { page, context } = await openPerson(browser, stack.url, {
    as: { token: farmer.token, user },
  });
  await recordKeys(page);
  await page.goto('/farmer/orders');
  await until('all rows', async () => (await page.locator('[data-order]').count()) === ORDER_COUNT);
  const devtools = await context.newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
  for (let press = 0; press < PRESSES; press++) {
    await page.keyboard.press(press < PRESSES / 2 ? 'j' : 'k');
    // People look before they press again, and the detail follows meanwhile.
    await page.evaluate(
      () => new Promise((resolve) => requestIdleCallback(resolve, { timeout: 2_000 })),
    );
  }
  const durations = await page.evaluate(
    () => (window as unknown as { keyDurations: number[] }).keyDurations,
  );
  await context.close();
  return durations;
}

const [farmer] = (await createUsers(stack.databaseUrl, 'farmer', 1)) as [TestUser];
const [consumer] = (await createUsers(stack.databaseUrl, 'consumer', 1)) as [TestUser];
const [product] = (await createProducts(stack.databaseUrl, [farmer], 1)) as [
  { id: string; farmer: string },
];
await createOrders(stack.databaseUrl, consumer, product, ORDER_COUNT);
const me = await call('GET', `${stack.url}/api/auth/me`, undefined, farmer.token);
const { user } = JSON.parse(me.body);

const rounds: number[][] = [];
for (let turn = 0; turn < ROUNDS; turn++) {
  rounds.push(await measureKeys(farmer, user));
  process.stderr.write('.');
}
process.stderr.write('\n');
const p50 = median(rounds.map((times) => percentile(times, 0.5)));
const p95 = median(rounds.map((times) => percentile(times, 0.95)));

report(
  'keys',
  [
    { measurement: `key to painted choice among ${ORDER_COUNT} orders, p50 ms`, value: round(p50) },
    { measurement: `key to painted choice among ${ORDER_COUNT} orders, p95 ms`, value: round(p95) },
  ],
  { [`J and K painted within ${AIM_MS} ms (p50)`]: p50 < AIM_MS },
);
await browser.close();
await stack.close();
process.exit(0);
