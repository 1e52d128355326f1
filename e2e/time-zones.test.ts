import { expect, it } from 'vitest';
import { addDays, dayIn } from '#contract/platform/time/constants';
import { openMarket } from './open-market.ts';
import type { Session } from './people.ts';

const market = openMarket({ hasWorker: false });

/** Neither has summer time; Kathmandu is three quarters of an hour ahead. */
const KARACHI = 'Asia/Karachi';
const KATHMANDU = 'Asia/Kathmandu';

const setZone = (farmer: Session, farmName: string, timeZone: string) =>
  market.call('PUT', '/users/farmers/profile', {
    as: farmer,
    body: { farmName, description: 'Vegetables from the hill.', timeZone },
  });

it("shows a customer elsewhere both clocks, and follows the farm's choice live", async () => {
  const farmer = await market.createFarm('Far Farm');
  await setZone(farmer, 'Far Farm', KARACHI);
  const [kale, consumer] = await Promise.all([
    market.createProduct(farmer, { name: 'Kale' }),
    market.register('consumer', 'Nima Neighbour'),
  ]);
  const { _id } = await market.placeOrder(consumer, kale);
  const { page } = await market.visit({ as: consumer, timezoneId: KATHMANDU });
  // On the cards of the list, in what is under way on the home page, and on the order's own page.
  for (const path of ['/orders', '/']) {
    await page.goto(path);
    await page.getByText(/10:30\sam at the farm \(11:15\sam your time\)$/).waitFor();
  }
  await page.goto(`/orders/${_id}`);
  await page.getByText(/^10:30\sam at the farm \(11:15\sam your time\)$/).waitFor();

  const { page: atFarm } = await market.visit({ as: farmer, timezoneId: KARACHI });
  await atFarm.goto('/profile');
  await atFarm.getByRole('tab', { name: 'Farm Profile' }).click();
  const hours = atFarm.getByRole('form', { name: 'Business hours' });
  const zone = hours.getByRole('combobox', { name: 'Time zone' });
  await expect.poll(() => zone.inputValue()).toBe('Karachi');
  await zone.click();
  await atFarm.keyboard.type('nepal');
  await atFarm.getByRole('option', { name: /^Kathmandu/ }).click();
  await hours.getByRole('button', { name: 'Save' }).click();
  await hours.getByText('Farm profile updated successfully!').waitFor();
  await page.getByText(/^10:30\sam$/).waitFor();
  await page.getByText(/^Starts .+ your time; it was/).waitFor();
  await expect.poll(() => page.getByText(/at the farm \(/).count()).toBe(0);
});

it('takes no day that is over where the farm is, whatever the day is here', async () => {
  const [west, east] = ['Pacific/Pago_Pago', 'Pacific/Kiritimati'];
  const farmer = await market.createFarm('Early Farm');
  await setZone(farmer, 'Early Farm', east);
  const [chard, consumer] = await Promise.all([
    market.createProduct(farmer, { name: 'Chard' }),
    market.register('consumer', 'Lani Late'),
  ]);
  const { page } = await market.visit({ as: consumer, timezoneId: west });
  await page.goto(`/products/${chard._id}`);
  await page.getByRole('button', { name: 'Add to Cart' }).click();
  await page.goto('/checkout');
  await page.getByText(/^By the farm's clock, where it is/).waitFor();
  const date = page.getByLabel('Pickup date');
  expect([dayIn(east), dayIn(east, Date.now() - 60_000)]).toContain(await date.getAttribute('min'));
  await date.fill(dayIn(west));
  await page.getByLabel('Pickup time').fill('10:30');
  await page.getByText('Choose a date that is not in the past.').waitFor();
  await date.fill(dayIn(east, Date.now() + 86_400_000));
  await page.getByRole('button', { name: 'Place Order' }).click();
  await page.waitForURL(/\/orders\/[0-9a-f-]{36}$/);
  await page.getByText(/^10:30\sam at the farm \(.+9:30\sam your time\)$/).waitFor();
});

it.each([26, -26])(
  'on a device whose clock is %d hours off, days are right and a question has its time',
  async (hours) => {
    const farmer = await market.createFarm(`Clock Farm ${hours}`);
    const [beans, consumer] = await Promise.all([
      market.createProduct(farmer, { name: 'Beans' }),
      market.register('consumer', 'Olga Off'),
    ]);
    const order = await market.placeOrder(consumer, beans, 4);
    await market.call('PUT', `/orders/${order._id}`, { as: farmer, body: { status: 'accepted' } });
    await market.call('POST', `/orders/${order._id}/changes`, {
      as: farmer,
      body: {
        items: [
          { lineId: order.items[0]?._id, action: 'reduce', newQuantity: 2, reason: 'damaged' },
        ],
      },
    });
    const { page, context } = await market.visit({ as: consumer });
    await context.addInitScript((aheadMs) => {
      const RealDate = Date;
      const now = () => RealDate.now() + aheadMs;
      globalThis.Date = new Proxy(RealDate, {
        construct: (target, args: [] | [number]) =>
          args.length === 0 ? new target(now()) : new target(...args),
        get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
      });
    }, hours * 3_600_000);
    await page.goto(`/orders/${order._id}`);
    // Two hours by default.
    await page
      .getByText(/1 h 5\d min|2 h 00 min/)
      .first()
      .waitFor();
    expect(await page.getByText('Time is up').count()).toBe(0);

    await page.goto(`/products/${beans._id}`);
    await page.getByRole('button', { name: 'Add to Cart' }).click();
    await page.goto('/checkout');
    const date = page.getByLabel('Pickup date');
    await date.waitFor();
    const today = dayIn(undefined);
    const min = await date.getAttribute('min');
    expect([today, dayIn('UTC')]).toContain(min);
    expect(await date.getAttribute('max')).toBe(addDays(min ?? '', 56));
    await date.fill(addDays(today, 1));
    await page.getByLabel('Pickup time').fill('10:30');
    await page.getByRole('button', { name: 'Place Order' }).click();
    await page.waitForURL(/\/orders\/[0-9a-f-]{36}$/);
  },
);
