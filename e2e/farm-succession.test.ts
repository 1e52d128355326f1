import { expect, it } from 'vitest';
import type { Member } from '#contract/farm/members/members';
import type { FarmRole } from '#contract/platform/session/constants';
import { openMarket, REFUSED, toastOf } from './open-market.ts';
import { PASSWORD, type Session, signIn } from './people.ts';

// A farm outlives the account that registered it.

const market = openMarket();

/** Invites somebody, who accepts with a new account. */
async function hire(owner: Session, name: string, role: FarmRole): Promise<Session> {
  await market.prove(owner);
  const email = `${name.replaceAll(' ', '.').toLowerCase()}@farmhands.test`;
  await market.call<Member>('POST', '/farm/members', { as: owner, body: { email, role } });
  const link = /\/invites\/[\w-]+/.exec(await market.mailTo(email))?.[0] ?? '';
  await market.call('POST', `${link}/accept`, { body: { name, password: PASSWORD } });
  return signIn(market.url, email);
}

it('lets its founder leave, and goes on with its other people', async () => {
  const founder = await market.createFarm('Old Orchard');
  await market.createProduct(founder, { name: 'Pears' });
  const second = await hire(founder, 'Ann Heir', 'owner');

  const colleague = await market.visit({ as: second });
  await colleague.page.goto('/farmer/settings?section=people');
  const people = colleague.page.getByRole('region', { name: 'People' });
  await people.getByText(founder.user.name).waitFor();

  const leaver = await market.visit({ as: founder, allowedErrors: REFUSED });
  const { page } = leaver;
  await page.goto('/farmer/settings?section=people');
  await page.getByRole('button', { name: 'Leave the farm' }).click();
  const question = page.getByRole('alertdialog', { name: 'Leave this farm?' });
  await question.getByText(/The farm goes on with its other people\./).waitFor();
  await question.getByRole('button', { name: 'Leave the farm' }).click();
  await page.waitForURL(/\/login/);
  await people.getByText(founder.user.name).waitFor({ state: 'detached' });

  // The same email and password, and no farm.
  await page.getByLabel('Email').fill(founder.user.email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await toastOf(leaver, 'Login successful!').waitFor();

  // The farm has a contact of its own now.
  const farm = colleague.page;
  await farm.goto('/farmer/settings?section=farm');
  const contact = farm.getByRole('form', { name: 'Contact' });
  await contact.getByLabel('Phone').fill('(802) 555-0177');
  await contact.getByLabel('City').fill('Putney');
  await contact.getByRole('button', { name: 'Save' }).click();
  await contact.getByText('Farm profile updated successfully!').waitFor();
  await farm.getByRole('tab', { name: 'Places' }).click();
  const ways = farm.getByRole('form', { name: 'How customers get it' });
  await ways.getByLabel('Delivery radius (km)').fill('20');
  await ways.getByRole('button', { name: 'Save' }).click();
  await ways.getByText('Farm profile updated successfully!').waitFor();
  const visitor = await market.visit();
  await visitor.page.goto(`/farmers/${founder.user._id}`);
  await visitor.page.getByRole('heading', { name: 'Old Orchard' }).waitFor();
  await visitor.page.getByText('(802) 555-0177').waitFor();
  await visitor.page.getByText(/Delivery up to 20 km/).waitFor();
  expect(await visitor.page.getByText(founder.user.email).count()).toBe(0);
});

it('is handed over or closed when an admin deletes its founder', async () => {
  const founder = await market.createFarm('New Orchard');
  await market.createProduct(founder, { name: 'Plums' });
  const successor = await hire(founder, 'Ben Heir', 'manager');
  const admin = await market.visit({ as: 'admin', allowedErrors: REFUSED });
  const { page } = admin;
  await page.goto(`/admin/users/${founder.user._id}`);
  await page.getByRole('button', { name: 'Delete' }).click();
  const question = page.getByRole('alertdialog');
  const farmChoice = question.getByLabel('What becomes of New Orchard');
  await farmChoice.waitFor();
  expect(await farmChoice.locator('option').allTextContents()).toEqual([
    'Hand over to Ben Heir (Manager)',
    'Close the farm',
  ]);
  await farmChoice.selectOption('Close the farm');
  await question.getByText(/leave the market/).waitFor();
  await farmChoice.selectOption('Hand over to Ben Heir (Manager)');
  await question.getByText(/go on\. This action cannot be undone\./).waitFor();
  await question.getByRole('button', { name: 'Delete user' }).click();
  await toastOf(admin, 'User deleted successfully!').waitFor();
  await page.waitForURL(/\/admin\/users$/);

  const owner = await market.visit({ as: successor });
  await owner.page.goto('/farmer/settings?section=people');
  const people = owner.page.getByRole('region', { name: 'People' });
  await people.getByText('Ben Heir').waitFor();
  await people.getByRole('button', { name: 'Invite someone' }).waitFor();
  const visitor = await market.visit();
  await visitor.page.goto(`/farmers/${founder.user._id}`);
  await visitor.page.getByRole('heading', { name: 'New Orchard' }).waitFor();
});
