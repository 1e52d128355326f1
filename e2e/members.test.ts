import { expect, it } from 'vitest';
import { openMarket, REFUSED } from './open-market.ts';
import { PASSWORD } from './people.ts';
import { until } from './stack.ts';

// People of a farm, from the invitation to the farewell; no page is loaded anew.

const market = openMarket();

/** Returns the link in the mail to this address. */
const linkTo = async (address: string): Promise<string> =>
  /\/invites\/[\w-]+/.exec(await market.mailTo(address))?.[0] ?? '';

it('invites somebody who joins, sees what their role includes, and is gone once removed', async () => {
  const owner = await market.createFarm('Hill Farm');
  const product = await market.createProduct(owner, { name: 'Beans' });
  const consumer = await market.register('consumer', 'Cora Buyer');
  const order = await market.placeOrder(consumer, product);

  const { page: farm } = await market.visit({ as: owner });
  await farm.goto('/farmer/settings?section=people');
  await farm.getByRole('button', { name: 'Invite someone' }).click();
  const dialog = farm.getByRole('dialog');
  await dialog.getByLabel('Email').fill('ben@farmhands.test');
  await dialog.getByLabel('Role').selectOption('seller');
  await dialog.getByRole('button', { name: 'Send invitation' }).click();
  const people = farm.getByRole('region', { name: 'People' });
  await people.getByText('Invited', { exact: true }).waitFor();

  const hand = await market.visit({ allowedErrors: REFUSED });
  const { page } = hand;
  await page.goto(await linkTo('ben@farmhands.test'));
  await page.getByRole('heading', { name: 'Work for Hill Farm' }).waitFor();
  await page.getByLabel('Name').fill('Ben Hand');
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Accept' }).click();
  await page.waitForURL('**/farmer/dashboard');
  await people.getByText('Ben Hand').waitFor();

  // A seller hands over and does not accept; the page follows a new role by itself.
  await page.goto(`/orders/${order._id}`);
  await page
    .getByRole('heading', { name: /Beans|Cora Buyer/ })
    .first()
    .waitFor();
  const accept = page.getByRole('button', { name: /^Accept/ });
  expect(await accept.count()).toBe(0);
  await people.getByLabel('Role of Ben Hand').selectOption('manager');
  await accept.first().waitFor();

  await people.getByRole('button', { name: 'Remove Ben Hand' }).click();
  await farm.getByRole('button', { name: 'Remove', exact: true }).click();
  await page.waitForURL(/\/login/);
  await until(
    'the list without Ben',
    async () => (await people.getByText('Ben Hand').count()) === 0,
  );

  // The link worked once.
  await page.goto(await linkTo('ben@farmhands.test'));
  await page.getByRole('heading', { name: 'This invitation has ended' }).waitFor();
});
