import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { Picklist } from '#contract/ordering/picklist/picklist';
import { addDays } from '#contract/platform/time/constants';
import { until } from '../testing/until.ts';
import { nextSaturday } from './faults/helpers.ts';
import { createProducts, createUsers, withDatabase } from './fill.ts';
import { openMarket, untilCount } from './live/helpers.ts';
import { sidewaysScroll, waitUntilStill } from './page-list.ts';

// A market day of 60 orders on the phone of a packer: everything can be reached and hit with a thumb, and answers at
// once, however slow the line is.

const market = openMarket({ workers: 0 });
const DAY = addDays(nextSaturday(), 28);
const ORDERS = 60;
const PRODUCTS = 14;
const TARGET_PX = 44;

/** Makes 60 accepted orders of the demo farm: each has three products, and every fourth a chicken to weigh. */
async function fillDay(): Promise<void> {
  const { databaseUrl } = market.stack();
  const { user, token } = await market.session('farmer');
  const products = await createProducts(databaseUrl, [{ id: user._id, token }], PRODUCTS);
  const consumers = await createUsers(databaseUrl, 'consumer', ORDERS);
  await withDatabase(databaseUrl, (client) =>
    client.query(
      `WITH customer AS (
         SELECT id, n FROM unnest($1::uuid[]) WITH ORDINALITY AS customer (id, n)
       ), new_order AS (
         INSERT INTO orders (consumer_id, farmer_id, status, version, total_minor, payment_method, notes, is_pickup,
           date, time, pickup_location, updated_at)
         SELECT id, $2, 'accepted', 2, 5000, 'cash', '', true, $3::date,
           CASE WHEN n <= 30 THEN '10:00' ELSE '10:30' END, 'Farm gate', now() FROM customer
         RETURNING id, consumer_id
       ), entries AS (
         INSERT INTO order_timeline (order_id, sequence, kind, status, version, by_id)
         SELECT id, sequence, 'status', CASE sequence WHEN 1 THEN 'pending' ELSE 'accepted' END::"OrderStatus",
           sequence, consumer_id FROM new_order, generate_series(1, 2) AS sequence
       )
       INSERT INTO order_lines (order_id, position, product_id, name, unit, price_minor, quantity_milli, piece_milli)
       SELECT new_order.id, line, product.id, product.name,
         CASE WHEN line = 3 THEN 'kg' ELSE product.unit END, 250, 2000, CASE WHEN line = 3 THEN 1800 END
       FROM new_order JOIN customer ON customer.id = consumer_id, generate_series(0, 3) AS line
       JOIN products product ON product.id = ($4::uuid[])[1 + line * 3]
       WHERE line < 3 OR n % 4 = 0`,
      [consumers.map(({ id }) => id), user._id, DAY, products.map(({ id }) => id)],
    ),
  );
}

/** Returns what of a page's own content is too small for a thumb. Links within a sentence may be. */
const smallTargets = (page: Page): Promise<string[]> =>
  page.evaluate((leastPx) => {
    const isInText = (element: Element) =>
      element.matches('a, p button') &&
      getComputedStyle(element).display === 'inline' &&
      [...(element.parentElement?.childNodes ?? [])].some(
        (node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim(),
      );
    const targets = [
      ...document.querySelectorAll<HTMLElement>(
        'main :is(a[href], button, input, select, textarea, [role=checkbox], summary)',
      ),
    ];
    return targets.flatMap((element) => {
      if (!element.checkVisibility({ visibilityProperty: true }) || isInText(element)) return [];
      // A field is as large as the label that is pressed for it.
      const label = (element as HTMLInputElement).labels?.[0];
      const boxes = [element, ...(label?.contains(element) ? [label] : [])].map((each) =>
        each.getBoundingClientRect(),
      );
      const width = Math.max(...boxes.map((box) => box.width));
      const height = Math.max(...boxes.map((box) => box.height));
      if (width === 0 || (width >= leastPx - 0.5 && height >= leastPx - 0.5)) return [];
      const name = element.getAttribute('aria-label') ?? element.textContent;
      return [`${element.tagName} ${name?.trim()}: ${Math.round(width)} × ${Math.round(height)}`];
    });
  }, TARGET_PX);

/** Scrolls to an element. @returns whether a finger in its middle would hit it, and nothing that lies over it */
async function isReachable(target: Locator): Promise<boolean> {
  await target.scrollIntoViewIfNeeded();
  return target.evaluate((element) => {
    const box = element.getBoundingClientRect();
    const hit = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    return hit !== null && (element.contains(hit) || hit.contains(element));
  });
}

async function expectFits(page: Page): Promise<void> {
  await waitUntilStill(page);
  expect(await sidewaysScroll(page)).toBe(0);
  expect.soft(await smallTargets(page)).toEqual([]);
}

/** Holds back the calls of an address until it is released; they look like a slow line. */
async function hold(page: Page, address: RegExp): Promise<() => Promise<void>> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(address, async (route) => {
    if (route.request().method() === 'PUT') await released;
    await route.fallback();
  });
  return async () => {
    release();
    await page.unroute(address);
  };
}

const listOnServer = () => market.callApi<Picklist>('farmer', 'GET', `/farm/picklist?date=${DAY}`);

it('fits 60 orders on a phone, where each press answers at once', async () => {
  await fillDay();
  const { page } = await market.visit(
    `/farmer/picklist?date=${DAY}`,
    await market.session('farmer'),
    {
      width: 360,
      height: 740,
    },
  );
  const rows = page.locator('[data-pick-row]');
  await rows.first().waitFor();
  await untilCount('all products', rows, (await listOnServer()).products.length);

  // Harvest.
  await expectFits(page);
  const box = rows.last().getByRole('checkbox');
  expect(await isReachable(box)).toBe(true);
  const releaseTicks = await hold(page, /\/farm\/picklist\/ticks$/);
  await box.click();
  await untilCount('the tick', rows.last().getByRole('checkbox', { checked: true }), 1);
  expect((await listOnServer()).ticks).toEqual([]);
  const undo = page.getByRole('button', { name: 'Undo' });
  expect(await isReachable(undo)).toBe(true);
  await undo.click();
  await untilCount(
    'the tick to be undone',
    rows.last().getByRole('checkbox', { checked: false }),
    1,
  );
  await box.click();
  await releaseTicks();
  await until('the last tick on the server', async () =>
    (await listOnServer()).ticks.some(({ quantity }) => quantity > 0),
  );
  await expect
    .poll(() => rows.last().getByRole('checkbox').getAttribute('aria-checked'))
    .toBe('true');

  // Packing, order by order: the last one.
  await page.getByRole('button', { name: 'Packing' }).click();
  const orders = page.locator('[data-pack-order]');
  await untilCount('all orders', orders, ORDERS);
  await expectFits(page);
  expect(await isReachable(orders.last())).toBe(true);
  const releasePacking = await hold(page, /\/orders\/[^/]+\/packing$/);
  await orders.last().click();
  const opened = page.locator('main li').filter({ has: orders.last() });
  const more = opened.getByRole('button', { name: 'One crate more' });
  expect(await isReachable(more)).toBe(true);
  await expectFits(page);
  await more.click();
  await opened.getByText('1', { exact: true }).waitFor();
  await opened.getByRole('button', { name: /^Packed: order/ }).click();
  await page.getByText(`1 of ${ORDERS} packed`).waitFor();
  await releasePacking();
  await until('the packed order on the server', async () =>
    (await listOnServer()).orders.some(
      ({ packing, crates }) => packing === 'packed' && crates === 1,
    ),
  );

  // From the middle of the list the next one comes, whose name stays in view while the panel above it closes.
  const [now, next] = await Promise.all(
    [20, 21].map(async (place) =>
      page.locator(
        `[data-pack-order="${await orders.nth(place).getAttribute('data-pack-order')}"]`,
      ),
    ),
  );
  if (!now || !next) throw new Error('There are too few orders');
  await now.click();
  const panel = page.locator('main li').filter({ has: now });
  const packed = panel.getByRole('button', { name: /^Packed: order/ });
  // The button at the end of its panel is what somebody looks at.
  await packed.scrollIntoViewIfNeeded();
  await packed.click();
  await page.getByText(`2 of ${ORDERS} packed`).waitFor();
  await until(
    'the next order to be open',
    async () => (await next.getAttribute('aria-expanded')) === 'true',
  );
  await until('its name to be in view', () =>
    next.locator('bdi').evaluate((name) => {
      const { top, bottom, left } = name.getBoundingClientRect();
      const hit = document.elementFromPoint(left + 2, (top + bottom) / 2);
      return top >= 0 && bottom <= innerHeight && name.contains(hit);
    }),
  );

  // Packing, product by product: the last weight.
  await page.getByRole('button', { name: 'By product' }).click();
  const weights = page.getByLabel(/^Weight for/);
  await weights.first().waitFor();
  await expectFits(page);
  const weight = weights.last();
  expect(await isReachable(weight)).toBe(true);
  const releaseWeights = await hold(page, /\/weights?$/);
  await weight.fill('3.5');
  await weight.press('Enter');
  await page.getByText('3.5 kg').first().waitFor();
  await releaseWeights();
  await until('the weight on the server', async () =>
    (await listOnServer()).orders.some(({ lines }) => lines.some(({ packed }) => packed === 3.5)),
  );

  // Loading.
  await page.getByRole('button', { name: 'Loading' }).click();
  const handOver = page.getByRole('region', { name: 'Loading' }).getByRole('listitem');
  await untilCount('all orders', handOver, ORDERS);
  await expectFits(page);
  expect(await isReachable(handOver.last())).toBe(true);
});
