import { expect, it } from 'vitest';
import { until } from '../testing/until.ts';
import { openMarket, toastOf } from './open-market.ts';
import { PASSWORD } from './people.ts';

// People of a farm, from the invitation to their removal; no page is reloaded.

const market = openMarket();

/** Returns the link in the mail to this address. */
const linkTo = async (address: string): Promise<string> =>
  /\/invites\/[\w-]+/.exec(await market.mailTo(address, '/invites/'))?.[0] ?? '';

it('invites somebody who joins, sees what their role includes, and is gone once removed', async () => {
  const owner = await market.createFarm('Hill Farm');
  await market.prove(owner);
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

  const hand = await market.visit({ allowedErrors: /status of 4\d\d|ERR_FAILED/ });
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

  // What Ben writes without a network stays on his device.
  const words = 'Forty bunches, and ten of them are yours.';
  await page.goto(`/messages/${consumer.user._id}`);
  await hand.context.route('**/api/messages', (route) =>
    route.request().method() === 'POST' ? route.abort() : route.fallback(),
  );
  await page.getByLabel('Message to Cora Buyer').fill(words);
  await page.keyboard.press('Enter');
  await page.getByText("Not sent yet. We'll send it when you're back.").waitFor();

  await people.getByRole('button', { name: 'Remove Ben Hand' }).click();
  await farm.getByRole('button', { name: 'Remove', exact: true }).click();
  const again = page.getByRole('dialog', { name: 'Your session has ended' });
  await again.waitFor();
  await until(
    'the list without Ben',
    async () => (await people.getByText('Ben Hand').count()) === 0,
  );

  // He reads and copies what nobody can send any more.
  await hand.context.unroute('**/api/messages');
  await again.getByLabel('Password').fill(PASSWORD);
  await again.getByRole('button', { name: 'Sign in', exact: true }).click();
  const unsent = page.getByRole('region', { name: "Messages that weren't sent" });
  await unsent.getByText(words).waitFor();
  await unsent.getByText('To Cora Buyer').waitFor();
  // A farm's pages lead to the one that says why they are closed.
  await page.goto('/farmer/picklist');
  await page.waitForURL('**/farmer/dashboard');
  await page.getByRole('heading', { name: 'You work for no farm at the moment' }).waitFor();
  // The file of the navigation may come after the page.
  const links = page.getByRole('navigation', { name: 'Farm' }).getByRole('link');
  await until('two links alone', async () => (await links.count()) === 2);
  await unsent.getByText(words).waitFor();
  await hand.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await unsent.getByRole('button', { name: 'Copy' }).click();
  await toastOf(hand, 'Message copied.').waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(words);
  await unsent.getByRole('button', { name: 'Delete' }).click();
  await unsent.waitFor({ state: 'detached' });

  // Invited a second time on one day nobody is mailed, and finds it where they are.
  await market.call('POST', '/farm/members', {
    as: owner,
    body: { email: 'ben@farmhands.test', role: 'packer' },
  });
  await page.reload();
  const invitations = page.getByRole('region', { name: 'Invitations' });
  await invitations.getByText(/Hill Farm invites you as packer, until/).waitFor();
  await invitations.getByRole('link', { name: 'See the invitation of Hill Farm' }).click();
  await page.getByRole('heading', { name: 'Work for Hill Farm' }).waitFor();
  await page.getByRole('button', { name: 'Accept' }).click();
  await page.waitForURL('**/farmer/dashboard');
  await people.getByText('Ben Hand').waitFor();
  await page.evaluate(() => localStorage.clear());

  // The link worked once.
  await page.goto(await linkTo('ben@farmhands.test'));
  await page.getByRole('heading', { name: 'This invitation has ended' }).waitFor();
});

it('begins with the work of a role, on its day', async () => {
  const owner = await market.createFarm('Brook Farm');
  await market.prove(owner);
  const product = await market.createProduct(owner, { name: 'Peas' });
  const order = await market.placeOrder(await market.register('consumer', 'Pia Customer'), product);
  const { date } = order.pickupDetails ?? { date: '' };
  const signIn = async (role: 'packer' | 'seller') => {
    const email = `${role}@brook.test`;
    await market.call('POST', '/farm/members', { as: owner, body: { email, role } });
    const body = { name: `A ${role}`, password: PASSWORD };
    await market.call('POST', `${await linkTo(email)}/accept`, { body });
    const { page } = await market.visit();
    await page.goto('/login');
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('main').getByRole('button', { name: 'Sign in', exact: true }).click();
    return page;
  };
  const packing = await signIn('packer');
  await packing.waitForURL(`**/farmer/picklist?date=${date}`);
  await packing.getByRole('heading', { name: 'Pick list', level: 1 }).waitFor();
  await packing.goto('/farmer/products/add');
  await packing.waitForURL('**/farmer/products');
  await packing.getByRole('link', { name: 'View Peas' }).waitFor();
  expect(await packing.getByRole('link', { name: /^(Edit|Add product)/ }).count()).toBe(0);

  const selling = await signIn('seller');
  await selling.waitForURL('**/farmer/orders?day=today');
  await selling.getByRole('heading', { name: 'Orders', level: 1 }).waitFor();
});
