import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { Order } from '#contract/ordering/orders/orders';
import { until } from '../testing/until.ts';
import { isFocused } from './keys.ts';
import { dayFromNow, openMarket } from './open-market.ts';

// What a farm and a consumer change of an order, by keys alone: each dialog takes the focus, keeps it in itself, and
// gives it back to where it was opened.

const market = openMarket({ hasWorker: false });
const DAY = dayFromNow(7);

/** Waits until an element has the focus. @throws with the one that has it instead */
const untilFocused = (what: string, target: Locator) =>
  until(`the focus on ${what}`, () => isFocused(target)).catch(async (error: Error) => {
    const other = await target
      .page()
      .evaluate(() => document.activeElement?.outerHTML.slice(0, 300));
    throw new Error(`${error.message}, but on ${other}`);
  });

/** Waits until a dialog has the focus in it. */
const untilFocusIn = (dialog: Locator) =>
  until('the focus in the dialog', () =>
    dialog.evaluate((element) => element.contains(document.activeElement)),
  );

/** Presses Tab until the target has the focus. @throws when it is not reached, or the focus leaves `within` */
async function tabTo(
  target: Locator,
  { within, most = 60 }: { within?: Locator; most?: number } = {},
) {
  const { keyboard } = target.page();
  await target.waitFor();
  for (let stops = 0; stops <= most; stops++) {
    if (await isFocused(target)) return;
    await keyboard.press('Tab');
    if (within) await untilFocusIn(within);
  }
  throw new Error(`Not reached within ${most} stops: ${target}`);
}

async function press(target: Locator, within?: Locator, key = 'Enter'): Promise<void> {
  await tabTo(target, within ? { within } : {});
  await target.page().keyboard.press(key);
}

const named = (from: Page | Locator, name: string | RegExp) =>
  from.getByRole('button', { name, ...(typeof name === 'string' && { exact: true }) }).first();

/** Opens a dialog from a button that has the focus, closes it by Escape, and opens it again. */
async function openTwice(opener: Locator, dialog: Locator): Promise<void> {
  await press(opener);
  await dialog.waitFor();
  await untilFocusIn(dialog);
  await opener.page().keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await untilFocused('the opener', opener);
  await opener.page().keyboard.press('Enter');
  await dialog.waitFor();
  await untilFocusIn(dialog);
}

async function openOrder() {
  const [farmer, consumer] = await Promise.all([
    market.createFarm('Keyed Farm'),
    market.register('consumer', 'Ann Asked'),
  ]);
  const [carrots, kale] = await Promise.all(
    ['Carrots', 'Kale'].map((name) =>
      market.createProduct(farmer, { name, price: 2, quantityAvailable: 20 }),
    ),
  );
  if (!carrots || !kale) throw new Error('The products are missing.');
  const order = await market.ask<Order>('POST', '/orders', {
    as: consumer,
    body: {
      farmer: carrots.farmer._id,
      items: [
        { product: carrots._id, quantity: 5, price: 2 },
        { product: kale._id, quantity: 4, price: 2 },
      ],
      pickupDetails: { date: DAY, time: '10:30', location: '1 Mill Lane' },
    },
  });
  await market.call('PUT', `/orders/${order._id}`, { as: farmer, body: { status: 'accepted' } });
  const read = async () => await market.ask<Order>('GET', `/orders/${order._id}`, { as: consumer });
  return { farmer, consumer, order, read };
}

it('changes, proposes, answers and shares by keys alone', async () => {
  const { farmer, consumer, order, read } = await openOrder();
  const [{ page: own }, { page: farm }] = await Promise.all([
    market.visit({ as: consumer }),
    market.visit({ as: farmer }),
  ]);
  await Promise.all([own.goto(`/orders/${order._id}`), farm.goto(`/orders/${order._id}`)]);

  // The consumer changes the order.
  const change = named(own, 'Change order');
  const changing = own.getByRole('dialog', { name: 'Change order' });
  await openTwice(change, changing);
  await press(named(changing, 'One more: Quantity of Carrots'), changing);
  await press(named(changing, 'Save changes'), changing);
  await changing.waitFor({ state: 'detached' });
  await untilFocused('what opened it', change);
  expect((await read()).items[0]?.quantity).toBe(6);

  // The farm is short of something.
  const short = named(farm, 'Short on something?');
  const proposing = farm.getByRole('dialog');
  await farm.getByText('6 lb').filter({ visible: true }).first().waitFor();
  await openTwice(short, proposing);
  const rowOf = (name: string) => proposing.getByRole('listitem').filter({ hasText: name }).first();
  // The four choices of a line are one stop; arrows move among them.
  const all = rowOf('Carrots').getByRole('radio', { name: 'All there' });
  await tabTo(all, { within: proposing });
  await farm.keyboard.press('ArrowRight');
  await expect
    .poll(() => rowOf('Carrots').getByRole('radio', { name: 'Less' }).isChecked())
    .toBe(true);
  await press(named(proposing, 'Ask Ann Asked'), proposing);
  await proposing.waitFor({ state: 'detached' });
  await farm.getByText("Waiting for Ann Asked's answer").first().waitFor();
  await until('the focus to be in the page', () =>
    farm.evaluate(() => document.activeElement !== document.body),
  );

  // The consumer looks at the way out, and says yes.
  const cancel = named(own, /^Cancel the whole order/);
  const question = own.getByRole('alertdialog');
  await press(cancel);
  await question.waitFor();
  await untilFocusIn(question);
  await own.keyboard.press('Escape');
  await question.waitFor({ state: 'detached' });
  await untilFocused('what opened the question', cancel);
  const accept = named(own, 'Accept all');
  await tabBack(accept);
  await own.keyboard.press('Enter');
  await own
    .getByText(/^Change accepted/)
    .first()
    .waitFor();
  await until('the focus to be in the page', () =>
    own.evaluate(() => document.activeElement !== document.body),
  );
  expect(await read()).toMatchObject({ openChange: null, items: [{ quantity: 5 }, {}] });

  // The farm shares what there is among all orders.
  await farm.goto('/farmer/products');
  const open = named(farm, 'Short of Kale');
  const sharing = farm.getByRole('dialog');
  await openTwice(open, sharing);
  const from = sharing.getByLabel('From');
  await tabTo(from, { within: sharing });
  await farm.keyboard.type(DAY.slice(5).replace('-', '') + DAY.slice(0, 4));
  await tabTo(sharing.getByLabel(/^How much is there/), { within: sharing });
  await farm.keyboard.type('2');
  await sharing.getByText('4 lb ordered, 2 lb shared').waitFor();
  await press(named(sharing, 'Share among 1 order'), sharing);
  await sharing.getByText('1 order asked.').waitFor();
  await untilFocusIn(sharing);
  await farm.keyboard.press('Escape');
  await sharing.waitFor({ state: 'detached' });
  await untilFocused('what opened it', open);
  await own.getByText('2 lb of Kale').filter({ visible: true }).first().waitFor();
});

/** Presses Shift+Tab until the target has the focus. */
async function tabBack(target: Locator): Promise<void> {
  await target.waitFor();
  for (let stops = 0; stops < 60; stops++) {
    if (await isFocused(target)) return;
    await target.page().keyboard.press('Shift+Tab');
  }
  throw new Error(`Not reached: ${target}`);
}
