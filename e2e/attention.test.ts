import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import type { FarmEscalation } from '#contract/ordering/attention/attention';
import { until } from '../testing/until.ts';
import { openMarket, REFUSED, toastOf } from './open-market.ts';
import { PASSWORD, type Person, type Session } from './people.ts';

const market = openMarket({ rings: true });

/** Has somebody join a farm who is told of new orders. */
async function hire(farmer: Session, name: string): Promise<Session> {
  const { url } = await market.ask<{ url: string }>('POST', '/farm/members/link', {
    as: farmer,
    body: { role: 'manager' },
  });
  const token = url.split('/').at(-1);
  const email = `${randomUUID()}@example.org`;
  return market.call<Session>('POST', `/invites/${token}/accept`, {
    body: { name, email, password: PASSWORD, acceptsTerms: true },
  });
}

const sheetOf = ({ page }: Person) => page.getByRole('complementary', { name: 'Waiting for you' });

/** Counts the tones of all pages of a browser. */
async function countTones({ context }: Person): Promise<() => number> {
  let count = 0;
  await context.exposeFunction('testTone', () => {
    count += 1;
  });
  await context.addInitScript(() => {
    const { start } = OscillatorNode.prototype;
    OscillatorNode.prototype.start = function (...when) {
      (window as unknown as { testTone: () => void }).testTone();
      start.apply(this, when);
    };
  });
  return () => count;
}

/** Opens a page that may ring: somebody has tapped it. */
async function openTapped(person: Person, address: string): Promise<void> {
  await person.page.goto(address);
  await person.page.getByRole('heading', { level: 1 }).first().click();
}

it('rings two devices until one says "I\'m on it", and shows both who is', async () => {
  const farmer = await market.createFarm('Ringing Farm');
  const ann = await hire(farmer, 'Ann Miller');
  const product = await market.createProduct(farmer, { name: 'Salsify' });
  const cora = await market.register('consumer', 'Cora Buyer');

  const phone = await market.visit({ as: farmer, width: 360 });
  const desk = await market.visit({ as: ann });
  const tones = [await countTones(phone), await countTones(desk)];
  await openTapped(phone, '/farmer/products');
  await openTapped(desk, '/farmer/orders');

  const order = await market.placeOrder(cora, product, 2);
  for (const person of [phone, desk]) {
    await sheetOf(person).getByText('New order from Cora Buyer').waitFor();
  }
  await until('both to ring again', () => tones.every((count) => count() >= 4));
  // The toast would say the same.
  expect(await toastOf(phone, 'New order').count()).toBe(0);

  // It covers nothing for good: at the end of the page all controls stand above it.
  const isCovered = await phone.page.evaluate(() => {
    const sheet = document.querySelector('aside.pinned');
    const last = [...document.querySelectorAll('main a[href], main button')]
      .filter((each) => !sheet?.contains(each))
      .at(-1);
    window.scrollTo(0, document.documentElement.scrollHeight);
    const [above, below] = [last, sheet].map((each) => each?.getBoundingClientRect());
    return (above?.bottom ?? 0) > (below?.top ?? 0);
  });
  expect(isCovered).toBe(false);

  await sheetOf(desk).getByRole('button', { name: "I'm on it" }).click();
  await sheetOf(desk).getByText("You're on it").waitFor();
  await sheetOf(phone).getByText('Ann Miller is on it').waitFor();
  expect(await sheetOf(phone).getByRole('button', { name: "I'm on it" }).count()).toBe(0);

  // On the page of the order everybody reads it, too.
  await phone.page.goto(`/orders/${order._id}`);
  await phone.page.getByText(/Ann Miller is on it since/).waitFor();
  const rung = tones.map((count) => count());

  // Another order rings again, and an answer ends it.
  const second = await market.placeOrder(cora, product, 1);
  await sheetOf(phone).getByRole('button', { name: "I'm on it" }).waitFor();
  await until('the desk to ring', () => (tones[1]?.() ?? 0) > (rung[1] ?? 0));
  await market.call('PUT', `/orders/${second._id}`, { as: ann, body: { status: 'accepted' } });
  await sheetOf(phone).getByRole('button', { name: "I'm on it" }).waitFor({ state: 'detached' });
});

it('rings in one of several tabs, and in none where the sound is off', async () => {
  const farmer = await market.createFarm('Farm with two tabs');
  const product = await market.createProduct(farmer, { name: 'Skirret' });
  const cora = await market.register('consumer', 'Cora Buyer');
  const person = await market.visit({ as: farmer });
  const tones = await countTones(person);
  await openTapped(person, '/farmer/products');
  const other = { ...person, page: await person.context.newPage() };
  await openTapped(other, '/farmer/products');
  await market.placeOrder(cora, product);
  for (const tab of [person, other])
    await sheetOf(tab)
      .getByText(/^New order/)
      .waitFor();
  // Both have had three times to ring: two tones each time, of one of them.
  const rings = async () => {
    const rangAt = await person.page.evaluate(() => localStorage.getItem('order-sound-at'));
    return Number(rangAt);
  };
  const first = await until('the first ring', async () => (await rings()) || undefined);
  await until('it to ring again', async () => (await rings()) >= first + 8_000);
  const passed = (await rings()) - first;
  expect(tones()).toBeLessThanOrEqual(2 * (Math.ceil(passed / 3_000) + 1));

  await person.page.goto('/farmer/settings?section=alerts');
  await person.page.getByLabel('Ring for new orders').uncheck();
  await until('the other tab to follow', () =>
    other.page.evaluate(() => localStorage.getItem('order-sound') === 'false'),
  );
  await sheetOf(other).getByText('The sound is off in this browser.').waitFor();
});

it('says so where "I\'m on it" did not get through, and goes on asking', async () => {
  const farmer = await market.createFarm('Farm without a line');
  const product = await market.createProduct(farmer, { name: 'Oca' });
  const cora = await market.register('consumer', 'Cora Buyer');
  const person = await market.visit({ as: farmer, width: 360, allowedErrors: /./ });
  await openTapped(person, '/farmer/products');
  await market.placeOrder(cora, product);
  const button = sheetOf(person).getByRole('button', { name: "I'm on it" });
  await button.waitFor();
  await person.page.route('**/api/attention/ack', (route) => route.abort());
  await button.click();
  await sheetOf(person)
    .getByText(/doesn't know yet that you're on it/)
    .waitFor();
  await person.page.unroute('**/api/attention/ack');
  await button.click();
  await sheetOf(person).getByText("You're on it").waitFor();
});

it('follows the plan that a farm chooses, and rings who tries it out', async () => {
  const farmer = await market.createFarm('Farm with a plan');
  const ann = await hire(farmer, 'Ann Miller');
  const product = await market.createProduct(farmer, { name: 'Mashua' });
  const cora = await market.register('consumer', 'Cora Buyer');
  const owner = await market.visit({ as: farmer, allowedErrors: REFUSED });
  const desk = await market.visit({ as: ann });
  await desk.page.goto('/farmer/products');
  await owner.page.goto('/farmer/settings?section=alerts');

  const { page } = owner;
  const step = page.getByRole('group', { name: 'Step 1', exact: true });
  await step.getByLabel('Who').selectOption('The owners');
  await page.getByText('At once: a ring on open pages and a push message to the owners.').waitFor();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await toastOf(owner, 'Saved. The next order is told like this.').waitFor();
  const plan = await market.ask<FarmEscalation>('GET', '/farm/escalation', { as: farmer });
  expect(plan.steps[0]).toMatchObject({ afterSeconds: 0, to: 'owner', channels: ['ring', 'push'] });

  await page.getByRole('button', { name: 'Ring me now' }).click();
  await page.getByText('It rang. Did you hear it?').waitFor();
  await sheetOf(owner).getByText('This is how a new order rings').waitFor();

  await market.placeOrder(cora, product);
  await sheetOf(owner).getByText('New order from Cora Buyer').waitFor();
  // It reached the other person, too, whom it does not ring.
  await toastOf(desk, 'New order from Cora Buyer').waitFor();
  expect(await sheetOf(desk).getByText('New order').count()).toBe(0);

  // Who is off today is not rung, and the others are.
  await page.getByRole('button', { name: 'Not today' }).click();
  await page.getByText(/^You are off until/).waitFor();
  await sheetOf(owner).getByText('New order').waitFor({ state: 'detached' });
});

it('shows admins what waits, who was told, and where nobody can be reached', async () => {
  const farmer = await market.createFarm('Farm out of reach');
  const product = await market.createProduct(farmer, { name: 'Yacon' });
  const cora = await market.register('consumer', 'Cora Buyer');
  await market.placeOrder(cora, product);
  const admin = await market.visit({ as: 'admin', width: 360 });
  await admin.page.goto('/admin/orders');
  const row = admin.page.getByRole('row').filter({ hasText: 'Farm out of reach' });
  await row.getByText('Nobody can be reached').waitFor();
  await row.getByText('Step 1').waitFor();
  await market.prove(farmer);
  // No event says it: the page asks again now and then, and when it is opened.
  await admin.page.reload();
  await row.getByText('Step 1').waitFor();
  await row.getByText('Nobody can be reached').waitFor({ state: 'detached' });
});
