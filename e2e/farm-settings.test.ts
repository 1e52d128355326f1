import { expect, it } from 'vitest';
import { until } from '../testing/until.ts';
import { dayFromNow, openMarket, REFUSED } from './open-market.ts';

const market = openMarket({ hasWorker: false });

it('delivers to the places that the farm lists, and offers pickup to everyone else', async () => {
  const farmer = await market.createFarm('Near Farm');
  const kale = await market.createProduct(farmer, { name: 'Kale', price: 2 });

  const { page: farm } = await market.visit({ as: farmer });
  await farm.goto('/farmer/settings?section=places');
  const areas = farm.getByLabel('Postcodes and cities you deliver to').first();
  await areas.fill('05346');
  await areas.press('Enter');
  await areas.fill('putney');
  await farm.getByLabel('Accepts delivery').check();
  await areas.press('Enter');
  await farm.getByRole('button', { name: 'Save' }).click();
  await farm.getByText('Farm profile updated successfully!').waitFor();

  const consumer = await market.register('consumer', 'Dora Distant');
  const { page } = await market.visit({
    as: consumer,
    width: 360,
    height: 740,
    allowedErrors: REFUSED,
  });
  await page.goto(`/farmers/${farmer.user._id}`);
  await page.getByRole('heading', { name: 'Delivers to' }).waitFor();
  await page.goto(`/products/${kale._id}`);
  await page.getByRole('button', { name: 'Add to Cart' }).click();
  await page.goto('/checkout');
  await page.getByText('Delivery', { exact: true }).click();
  await page.getByText('Delivers to 05346, putney.').waitFor();
  for (const [label, value] of [
    ['Street', '1 Far Road'],
    ['City', 'Bern'],
    ['Province', 'BE'],
    ['Postal code', '3011'],
    ['Delivery date', dayFromNow(2)],
    ['Delivery time', '10:00'],
  ] as const) {
    await page.getByLabel(label).fill(value);
  }
  await page.getByText("The farm doesn't deliver to Bern, 3011.").waitFor();
  await page.getByRole('button', { name: 'Place Order' }).click();
  // At its field, and the cart is kept.
  await page
    .getByText(/^This farm doesn't deliver to that address\./)
    .first()
    .waitFor();
  await page.getByRole('spinbutton', { name: 'Quantity of Kale' }).waitFor();

  // The same city in another spelling is served.
  await page.getByLabel('City').fill('PUTNEY');
  await page.getByText("The farm doesn't deliver to Bern, 3011.").waitFor({ state: 'hidden' });
  await page.getByLabel('City').fill('Bern');
  await page.getByRole('button', { name: 'Choose pickup' }).click();
  await page.getByLabel('Pickup date').fill(dayFromNow(2));
  await page.getByLabel('Pickup time').fill('10:00');
  await page.getByLabel('Pickup location').fill('At the gate');
  await page.getByRole('button', { name: 'Place Order' }).click();
  await page.waitForURL('**/orders/*');
  await page.getByText('At the gate').first().waitFor();
});

it('gives everyone of the farm a calendar of their own, until it is ended', async () => {
  const farmer = await market.createFarm('Calendar Farm');
  const product = await market.createProduct(farmer, { name: 'Leeks' });
  await market.placeOrder(await market.register('consumer', 'Carl Calendar'), product, 2);

  const { page } = await market.visit({ as: farmer, width: 360, height: 740 });
  await page.goto('/farmer/settings?section=days');
  const part = page.getByRole('region', { name: 'Your calendar' });
  await part.getByRole('button', { name: 'Make an address' }).click();
  const field = part.getByLabel('Address');
  const address = await until('the address', () => field.inputValue());
  const read = async (url: string) => {
    const answer = await fetch(url);
    return { status: answer.status, text: await answer.text() };
  };
  expect((await read(address)).text).toContain('Carl Calendar');

  await part.getByRole('button', { name: 'New address' }).click();
  await page.getByRole('button', { name: 'Make a new address' }).click();
  await until('a new address', async () => (await field.inputValue()) !== address);
  const renewed = await field.inputValue();
  expect((await read(address)).status).toBe(404);
  expect((await read(renewed)).status).toBe(200);

  await part.getByRole('button', { name: 'End', exact: true }).click();
  await page.getByRole('button', { name: 'End calendar' }).click();
  await part.getByRole('button', { name: 'Make an address' }).waitFor();
  expect((await read(renewed)).status).toBe(404);
});
