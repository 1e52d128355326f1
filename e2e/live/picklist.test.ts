import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { extractText, getDocumentProxy } from 'unpdf';
import { expect, it } from 'vitest';
import type { Product } from '#contract/catalogue/products/product';
import type { Order } from '#contract/ordering/orders/orders';
import { addDays } from '#contract/platform/time/constants';
import { until } from '../../testing/until.ts';
import { nextSaturday } from '../faults/helpers.ts';
import { expectNoReload, openMarket, untilCount } from './helpers.ts';

const market = openMarket();

/** A day on which the farm is open and the demo market has no orders of it. */
const DAY = addDays(nextSaturday(), 14);
const PATH = `/farmer/picklist?date=${DAY}`;

/** Opens the list on a phone, where the word that it is connected is not shown. */
async function openPhone() {
  const person = await market.visit(PATH, await market.session('farmer'), {
    width: 360,
    height: 740,
  });
  await person.page.getByText('Up to date').first().waitFor({ state: 'attached' });
  return person;
}

/** Places an order for the day, and accepts it unless it is to wait. */
async function order(
  account: 'consumer' | 'consumer2',
  items: { product: Product; quantity: number }[],
  isAccepted = true,
): Promise<Order> {
  const [first] = items;
  const placed = await market.callApi<Order>(account, 'POST', '/orders', {
    farmer: first?.product.farmer._id,
    items: items.map(({ product, quantity }) => ({ product: product._id, quantity })),
    pickupDetails: { date: DAY, time: '10:00', location: 'Farm gate' },
  });
  return isAccepted
    ? market.callApi<Order>('farmer', 'PUT', `/orders/${placed._id}`, { status: 'accepted' })
    : placed;
}

it('is live between the phone of a packer and the laptop of a farmer', async () => {
  const carrots = await market.createProduct({ name: 'Purple Carrots', quantityAvailable: 500 });
  const chicken = await market.callApi<Product>('farmer', 'POST', '/products', {
    name: 'Whole Chicken',
    description: 'From the pasture.',
    category: carrots.category?._id,
    price: 480,
    unit: 'kg',
    soldBy: 'piece_by_weight',
    pieceWeight: { average: 1.8, min: 1.4, max: 2.4 },
    quantityAvailable: 40,
  });
  const first = await order('consumer', [
    { product: carrots, quantity: 3 },
    { product: chicken, quantity: 1 },
  ]);
  const laptop = await market.open('farmer', PATH);
  const phone = await openPhone();
  await laptop.page.getByRole('checkbox', { name: 'Purple Carrots, 3 lb' }).waitFor();
  await phone.page.getByRole('checkbox', { name: 'Purple Carrots, 3 lb' }).waitFor();
  const tick = (page: Page, checked?: boolean) =>
    page.getByRole('checkbox', {
      name: /^Purple Carrots/,
      ...(checked !== undefined && { checked }),
    });
  // Both hear of each other, and so what a page asks for once it is live has been asked for.
  await tick(phone.page).click();
  await tick(laptop.page, true).click();
  await tick(phone.page, false).waitFor();
  const isNotReloaded = await expectNoReload(laptop);
  const asked: string[] = [];
  for (const { page } of [laptop, phone]) {
    page.on('request', (request) => {
      if (request.method() === 'GET' && /\/api\/farm\/picklist(\?|$)/.test(request.url())) {
        asked.push(request.url());
      }
    });
  }

  // Ticked on the phone.
  await tick(phone.page).click();
  await tick(laptop.page, true).waitFor();

  // Printed on the laptop: what comes now is more than that.
  await laptop.page.evaluate(() => {
    window.print = () => Object.assign(window, { isPrinted: true });
  });
  await laptop.page.getByRole('button', { name: 'Print', exact: true }).click();
  const dialog = laptop.page.getByRole('dialog', { name: 'Print 1' });
  await dialog.getByRole('button', { name: 'Print', exact: true }).click();
  await laptop.page.waitForFunction(() => 'isPrinted' in window);
  await phone.page.getByText(/Print 1,/).waitFor();
  const second = await order('consumer2', [{ product: carrots, quantity: 2 }], false);
  await market.callApi('farmer', 'PUT', `/orders/${second._id}`, { status: 'accepted' });
  await phone.page.getByRole('checkbox', { name: /^Purple Carrots, 5 lb, 3 lb done/ }).waitFor();
  await phone.page.getByRole('button', { name: '+2 since print 1' }).click();
  await phone.page
    .locator('[data-pick-row]')
    .getByText(`${second.consumer.name} #${second._id.slice(0, 8)}`)
    .waitFor();

  // Seen on the phone, by name on the laptop.
  await laptop.page.getByText('1 order changed since print 1, not seen yet').waitFor();
  await phone.page
    .locator('[data-pick-row]')
    .getByRole('button', { name: `Seen: ${second.consumer.name}, Purple Carrots new` })
    .click();
  await untilCount('nothing is unseen', laptop.page.getByText('not seen'), 0);

  // Weighed and packed on the phone.
  await phone.page.getByRole('button', { name: 'Packing' }).click();
  await laptop.page.getByRole('button', { name: 'Packing' }).click();
  const toOpen = phone.page.locator(`[data-pack-order="${first._id}"]`);
  await toOpen.click();
  const opened = phone.page.locator('main li').filter({ has: toOpen });
  const weight = opened.getByLabel(/^Weight of 1 × Whole Chicken/);
  await weight.fill('0,9+0.93');
  await weight.press('Enter');
  await opened.getByText('1.83 kg').waitFor();
  await opened.getByRole('button', { name: 'One crate more' }).click();
  await opened.getByRole('button', { name: /^Packed: order/ }).click();
  await laptop.page.getByText('1 of 2 packed').waitFor();
  await laptop.page.getByText('Packed, 1 crate').waitFor();

  // A new print takes the difference away.
  await laptop.page.getByRole('button', { name: 'Print', exact: true }).click();
  await laptop.page
    .getByRole('dialog', { name: 'Print 2' })
    .getByRole('button', { name: 'Print', exact: true })
    .click();
  await phone.page.getByText(/Print 2,/).waitFor();
  await untilCount('no change is left', phone.page.getByText(/changed since print/), 0);

  // All of it by events alone.
  expect(asked).toEqual([]);
  await isNotReloaded();
});

it('keeps what was ticked without a connection, and sends it when it is back', async () => {
  const beets = await market.createProduct({ name: 'Golden Beets', quantityAvailable: 500 });
  await order('consumer', [{ product: beets, quantity: 4 }]);
  const laptop = await market.open('farmer', PATH);
  const phone = await openPhone();
  const box = (page: typeof phone.page) => page.getByRole('checkbox', { name: /^Golden Beets/ });
  await box(phone.page).waitFor();
  await phone.context.setOffline(true);
  await box(phone.page).click();
  await phone.page.getByText(/not sent yet. They are kept on this device/).waitFor();
  await expect.poll(() => box(phone.page).getAttribute('aria-checked')).toBe('true');
  expect(await box(laptop.page).getAttribute('aria-checked')).toBe('false');
  await phone.context.setOffline(false);
  await until(
    'the tick on the laptop',
    async () => (await box(laptop.page).getAttribute('aria-checked')) === 'true',
  );
  await untilCount('nothing is unsent', phone.page.getByText(/not sent yet. They/), 0);
});

it('works with a keyboard alone', async () => {
  const leeks = await market.createProduct({ name: 'Autumn Leeks', quantityAvailable: 500 });
  await order('consumer', [{ product: leeks, quantity: 6 }]);
  const { page } = await market.open('farmer', PATH);
  const row = page.getByRole('checkbox', { name: /^Autumn Leeks/ });
  await row.waitFor();
  await row.focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Space');
  await page.getByRole('checkbox', { name: /^Autumn Leeks/, checked: true }).waitFor();
  await page.keyboard.press('-');
  await page.getByRole('checkbox', { name: 'Autumn Leeks, 6 lb, 5 lb done' }).waitFor();
  await page.keyboard.press('u');
  await page.getByRole('checkbox', { name: /^Autumn Leeks/, checked: true }).waitFor();
});

/** Millimetres in the pixels of a page. */
const mm = (length: number) => (length * 96) / 25.4;

it('prints on a roll of 80 mm, with nothing cut off', async () => {
  const name = `Kohlrabi${'riesenkohlrabi'.repeat(5)}`;
  const kohlrabi = await market.createProduct({ name, quantityAvailable: 500 });
  const placed = await order('consumer', [{ product: kohlrabi, quantity: 123 }]);
  const { page } = await market.visit(`${PATH}&view=pack`, await market.session('farmer'), {
    // What closes the dialog takes the sheet away before it is measured.
    prepare: (context) =>
      context.addInitScript(() => {
        window.print = () => Object.assign(window, { isPrinted: true });
        window.addEventListener(
          'afterprint',
          (event) => {
            if ('isPrinted' in window) event.stopImmediatePropagation();
          },
          true,
        );
      }),
  });

  // From the browser's own menu: what is closed on the screen is open on paper.
  const row = page.locator('main li').filter({
    has: page.locator(`[data-pack-order="${placed._id}"]`),
  });
  await row.waitFor();
  expect(await row.getByText(name).count()).toBe(0);
  await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
  expect(await row.getByText(`123 lb ${name}`).count()).toBe(1);
  await page.setViewportSize({ width: Math.round(mm(72)), height: 1000 });
  await page.emulateMedia({ media: 'print' });
  expect(await tooWide('main')).toEqual([]);
  expect(await page.getByRole('button', { name: 'Print', exact: true }).count()).toBe(0);
  await page.emulateMedia({ media: null });
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
  await expect.poll(() => row.getByText(name).count()).toBe(0);

  // The numbered print.
  await page.getByRole('button', { name: 'Print', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: /^Print \d/ });
  const title = await dialog.getByRole('heading').first().textContent();
  await dialog.getByText('80 mm roll').click();
  await dialog.getByRole('button', { name: 'Print', exact: true }).click();
  await page.waitForFunction(() => 'isPrinted' in window);
  const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
  const [, width = 0, height = 0] = pdf.match(/MediaBox\s*\[0 0 ([\d.]+) ([\d.]+)\]/) ?? [];
  expect([(Number(width) / 72) * 25.4, (Number(height) / 72) * 25.4].map(Math.round)).toEqual([
    80, 297,
  ]);
  await page.setViewportSize({ width: Math.round(mm(72)), height: 1000 });
  await page.emulateMedia({ media: 'print' });
  const sheet = page.locator('[data-print-sheet="list-80mm"]');
  expect(await tooWide('[data-print-sheet]')).toEqual([]);
  await expect
    .poll(() => sheet.textContent())
    .toMatch(new RegExp(`${title}, .+ \\d{1,2}:\\d\\d [ap]m`, 'i'));
  expect((await sheet.locator('.pick-qr').boundingBox())?.width).toBeGreaterThan(mm(20));
  const figure = sheet.locator('tr').filter({ hasText: name }).locator('.pick-figure');
  await expect.poll(() => figure.textContent()).toBe('123 lb');

  /** Returns what stands beyond the paper, or is cut off in its own box. */
  function tooWide(of: string): Promise<string[]> {
    return page.evaluate((selector) => {
      const paper = document.documentElement.clientWidth;
      return [...document.querySelectorAll(`${selector} *`)]
        .filter((element) => {
          if (element.closest('svg, .sr-only') || element.clientWidth === 0) return false;
          const { left, right } = element.getBoundingClientRect();
          return left < 0 || right > paper + 0.5 || element.scrollWidth > element.clientWidth + 1;
        })
        .map((element) => `${element.tagName} ${element.className}: ${element.textContent}`);
    }, of);
  }
});

it('downloads a slip for each order, in the script of its goods', async () => {
  const goods = await market.createProduct({ name: 'گاجر تازہ', quantityAvailable: 500 });
  const placed = await order('consumer', [{ product: goods, quantity: 2 }]);
  const { page } = await market.visit(PATH, await market.session('farmer'));
  await page.getByRole('button', { name: 'Print', exact: true }).click();
  await page.getByRole('radio', { name: 'Packing slips' }).click();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download PDF' }).click(),
  ]);
  expect(file.suggestedFilename()).toMatch(/^packing-slips-[\d-]+\.pdf$/);
  const { text } = await extractText(
    await getDocumentProxy(new Uint8Array(await readFile(await file.path()))),
  );
  const slip = text.find((each) => each.includes(placed._id.slice(0, 8))) ?? '';
  expect(slip.replace(/[\s\u2060]+/g, ' ')).toContain('گاجر تازہ');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
});
