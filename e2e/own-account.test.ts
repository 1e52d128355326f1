import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { until } from '../testing/until.ts';
import { dayFromNow, openMarket, REFUSED, toastOf } from './open-market.ts';
import { injectAxe, sidewaysScroll, violations } from './page-list.ts';
import { ACCOUNTS, holdRequests, PASSWORD, type Person, type Session, signIn } from './people.ts';

// Accounts in their owner's hands: several addresses, one's own data, the end of an account, mails turned off, and
// an email that is confirmed on another device while the order waits. The last test changes the market.

const market = openMarket();

/** Puts a product of the farm into the cart and opens the checkout. */
async function fillCart(person: Person, farm: Session): Promise<void> {
  const { page } = person;
  const product = await market.createProduct(farm, { name: 'Plums' });
  await page.goto(`/products/${product._id}`);
  await page.getByRole('button', { name: 'Add to Cart' }).click();
  await toastOf(person, /^Added .*Plums to your cart$/).waitFor();
  await page.goto('/checkout');
}

it('keeps several addresses, and offers them at the checkout', async () => {
  const farm = await market.createFarm('Plum Hill');
  const consumer = await market.register('consumer', 'Ada Moves');
  const visitor = await market.visit({ as: consumer, width: 360, height: 740 });
  const { page } = visitor;
  const release = await holdRequests(page, '**/api/notifications/preferences');
  await page.goto('/profile');
  const card = page.getByRole('region', { name: 'Addresses' });
  await card.getByText('1 Mill Lane, Putney, VT 05346').waitFor();
  // What still loads fits the phone, too.
  await page.getByText('Loading preferences').waitFor({ state: 'attached' });
  expect(await sidewaysScroll(page)).toBe(0);
  release();

  await card.getByRole('button', { name: 'Add an address' }).click();
  const dialog = page.getByRole('dialog', { name: 'New address' });
  await dialog.getByRole('button', { name: 'Save address' }).click();
  await dialog.getByText('Street is required').waitFor();
  await dialog.getByLabel('Name (optional)').fill('Work');
  await dialog.getByLabel('Street').fill('9 Elm Street');
  await dialog.getByLabel('City').fill('Dover');
  await dialog.getByLabel('Province').fill('VT');
  await dialog.getByLabel('Postal code').fill('05301');
  await dialog.getByRole('button', { name: 'Save address' }).click();
  await dialog.waitFor({ state: 'detached' });
  await card.getByText('Work').waitFor();

  // On another device the address of the profile follows the preferred one.
  const elsewhere = await market.visit({ as: consumer });
  await elsewhere.page.goto('/profile');
  const list = elsewhere.page.getByRole('region', { name: 'Addresses' });
  await list.getByRole('button', { name: 'Prefer Work' }).click();
  await card.getByRole('listitem').filter({ hasText: 'Work' }).getByText('Preferred').waitFor();

  await fillCart(visitor, farm);
  await page.getByText('Delivery', { exact: true }).click();
  const choice = page.getByLabel('Deliver to');
  await choice.selectOption({ label: '1 Mill Lane, Putney, VT 05346' });
  await expect.poll(() => page.getByLabel('Street').inputValue()).toBe('1 Mill Lane');
  await choice.selectOption({ label: 'Work: 9 Elm Street, Dover, VT 05301' });
  await expect.poll(() => page.getByLabel('City').inputValue()).toBe('Dover');
  await page.getByLabel('City').fill('Newfane');
  await expect.poll(() => choice.locator('option:checked').textContent()).toBe('Another address');
});

it('gives people all their data in a file, and lets them go', async () => {
  const consumer = await market.register('consumer', 'Gil Leaves');
  const visitor = await market.visit({ as: consumer, allowedErrors: REFUSED });
  const { page } = visitor;
  await page.goto('/profile');
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download my data' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/^farmgate-my-data-\d{4}-\d{2}-\d{2}\.json$/);
  const file = JSON.parse(await readFile(await download.path(), 'utf8'));
  expect(file).toMatchObject({ account: { name: 'Gil Leaves' }, orders: [], farm: null });

  // What it asks for while the account ends is refused.
  const elsewhere = await market.visit({
    as: await signIn(market.url, consumer.user.email),
    allowedErrors: REFUSED,
  });
  await elsewhere.page.goto('/orders');
  await page.getByRole('button', { name: 'Delete my account' }).click();
  const question = page.getByRole('alertdialog', { name: 'Delete your account?' });
  await question.getByText('Orders, under “Deleted user”. Accepted ones stay as agreed.').waitFor();
  await question.getByLabel('Your password').fill('not my password');
  await question.getByRole('button', { name: 'Delete my account' }).click();
  await question.getByText('That is not your password.').waitFor();
  await question.getByLabel('Your password').fill(PASSWORD);
  await question.getByRole('button', { name: 'Delete my account' }).click();
  await toastOf(visitor, 'Your account was deleted.').waitFor();
  await page.waitForURL(`${market.url}/`);
  await elsewhere.page.waitForURL(/\/login/);
  expect(await market.mailTo(consumer.user.email, 'Your account was deleted')).toContain(
    'Hello Gil',
  );
});

it('gives an admin the same on the page of their account', async () => {
  const visitor = await market.visit({
    as: await signIn(market.url, ACCOUNTS.admin),
    allowedErrors: REFUSED,
  });
  const { page } = visitor;
  await page.goto('/admin/security');
  await page.getByLabel('Name', { exact: false }).first().fill('Root Keeper');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await toastOf(visitor, 'Profile updated successfully!').waitFor();
  await page.getByRole('button', { name: /Root/ }).first().waitFor();
  expect(await page.getByLabel('Street').count()).toBe(0);

  const mails = () =>
    page.getByRole('group', { name: 'New reports' }).getByRole('checkbox', { name: 'Email' });
  const saved = page.waitForResponse(
    (response) => response.request().method() === 'PUT' && response.url().endsWith('/preferences'),
  );
  // Not `uncheck`, which reads the state at once: the box follows the stored choice.
  await mails().click();
  await saved;
  await until('an empty box', async () => !(await mails().isChecked()));
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download my data' }).click();
  await downloading;
  await page.reload();
  await mails().waitFor();
  await expect.poll(() => mails().isChecked()).toBe(false);

  // Nobody is left to run the market.
  await page.getByRole('button', { name: 'Delete my account' }).click();
  const question = page.getByRole('alertdialog', { name: 'Delete your account?' });
  await question.getByText('What you did as an admin', { exact: false }).waitFor();
  await question.getByLabel('Your password').fill(PASSWORD);
  await question.getByRole('button', { name: 'Delete my account' }).click();
  await page
    .getByText('You are the only admin of this market.', { exact: false })
    .first()
    .waitFor();
});

it('says what becomes of a farm before its founder goes', async () => {
  const founder = await market.createFarm('Last Acre');
  const visitor = await market.visit({ as: founder });
  const { page } = visitor;
  await page.goto('/profile');
  await page.getByRole('button', { name: 'Delete my account' }).click();
  const question = page.getByRole('alertdialog', { name: 'Delete your account?' });
  await question.getByText('Your farm and its products. Its open orders are cancelled.').waitFor();
  await question.getByRole('button', { name: 'Keep my account' }).click();
  await question.waitFor({ state: 'detached' });
});

it('turns mails off by the link in them, without scripts and without signing in', async () => {
  const farm = await market.createFarm('Quiet Farm');
  const consumer = await market.register('consumer', 'Nora Orders');
  const order = await market.placeOrder(
    consumer,
    await market.createProduct(farm, { name: 'Quinces' }),
  );
  const body = { status: 'accepted' };
  await market.call('PUT', `/orders/${order._id}`, { as: farm, body });
  const mail = await market.mailTo(consumer.user.email, '/unsubscribe/');
  const link = /http\S+\/unsubscribe\/[\w./-]+/.exec(mail)?.[0] ?? '';
  const seen = await market.visit({ as: consumer });
  await seen.page.goto('/profile');
  const email = seen.page
    .getByRole('group', { name: 'Your orders', exact: true })
    .getByLabel('Email');
  await expect.poll(() => email.isChecked()).toBe(true);

  for (const look of [{ width: 360 }, { width: 1280, dark: true }]) {
    const { page } = await market.visit(look);
    await page.goto(link);
    await page.getByRole('heading', { name: 'Turn off these emails?' }).waitFor();
    await injectAxe(page);
    expect(await violations(page)).toEqual([]);
    expect(await sidewaysScroll(page)).toBe(0);
    await page.getByRole('button', { name: 'Turn off' }).click();
    await page.getByRole('heading', { name: 'These emails are off' }).waitFor();
    await seen.page
      .getByRole('group', { name: 'Your orders', exact: true })
      .locator('input:not(:checked)')
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('heading', { name: 'These emails are on again' }).waitFor();
  }
});

const linkIn = (mail: string) => /http\S+\/verify-email\?token=[\w-]+/.exec(mail)?.[0] ?? '';
const newEmail = () => `${crypto.randomUUID()}@farmgate.test`;

/** Fills in the dialog that changes an email. */
async function changeEmail({ page }: Person, email: string): Promise<void> {
  await page.getByRole('button', { name: 'Change email' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Change email' });
  await injectAxe(page);
  expect(await violations(page)).toEqual([]);
  expect(await sidewaysScroll(page)).toBe(0);
  await dialog.getByLabel('New email').fill(email);
  await dialog.getByLabel('Your password').fill('not it');
  await dialog.getByRole('button', { name: 'Change email' }).click();
  await dialog.getByText('That is not your password.').first().waitFor();
  await dialog.getByLabel('Your password').fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Change email' }).click();
  await dialog.waitFor({ state: 'detached' });
}

it('corrects a mistyped email, moves a confirmed one, and undoes that from the old one', async () => {
  const consumer = await market.register('consumer', 'Mia Stypes');
  const visitor = await market.visit({
    as: consumer,
    width: 360,
    height: 740,
    allowedErrors: REFUSED,
  });
  const { page } = visitor;
  await page.goto('/profile');
  const right = newEmail();
  await changeEmail(visitor, right);
  await page.getByText(`We sent a link to ${right}.`).first().waitFor();
  const reader = await market.visit({ width: 360, height: 740, allowedErrors: REFUSED });
  await reader.page.goto(linkIn(await market.mailTo(right, 'Confirm my email')));
  await reader.page.getByText('Mia Stypes').waitFor();
  await reader.page.getByRole('button', { name: 'Confirm my email' }).click();
  await reader.page.getByRole('heading', { name: 'Your email is confirmed' }).waitFor();

  const security = page.getByRole('region', { name: 'Sign-in and security' });
  await security.getByText('Confirmed', { exact: true }).waitFor();
  const next = newEmail();
  await changeEmail(visitor, next);
  await security.getByText(`We sent a link to ${next}.`).waitFor();
  await reader.page.goto(linkIn(await market.mailTo(next, 'Confirm my new email')));
  await reader.page.getByRole('button', { name: 'Confirm my new email' }).click();
  await reader.page.getByRole('heading', { name: 'Your email is confirmed' }).waitFor();
  await security.getByText(next, { exact: true }).waitFor();

  const notice = await market.mailTo(right, 'is about to change');
  await reader.page.goto(linkIn(notice));
  await reader.page.getByText(`New email: ${next}`).waitFor();
  await injectAxe(reader.page);
  expect(await violations(reader.page)).toEqual([]);
  await reader.page.getByRole('button', { name: "This wasn't me" }).click();
  await reader.page.getByRole('button', { name: 'Undo the change' }).click();
  await reader.page.getByRole('heading', { name: 'Your account has this email again' }).waitFor();
  // Anyone who is signed in is signed out.
  await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
  const mail = await market.mailTo(right, '/reset-password');
  await reader.page.goto(/http\S+\/reset-password\?token=[\w.-]+/.exec(mail)?.[0] ?? '');
  await reader.page.getByRole('heading', { name: 'Choose a new password' }).waitFor();
});

it('locks an account that somebody opened with the email of somebody else', async () => {
  const taker = await market.register('consumer', 'Tara Kes');
  const signedIn = await market.visit({ as: taker, allowedErrors: REFUSED });
  await signedIn.page.goto('/profile');
  const { page } = await market.visit({ width: 360, height: 740, allowedErrors: REFUSED });
  await page.goto(linkIn(await market.mailTo(taker.user.email, 'Confirm my email')));
  await page.getByText('Tara Kes').waitFor();
  await page.getByRole('button', { name: "This wasn't me" }).click();
  await page.getByRole('button', { name: 'Lock the account' }).click();
  await page.getByRole('heading', { name: 'The account is locked' }).waitFor();
  await signedIn.page.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
  await page.getByRole('link', { name: 'Set a password' }).click();
  await page.getByRole('heading', { name: 'Forgot your password?' }).waitFor();
});

it('places an order by itself once the email is confirmed on another device', async () => {
  const farm = await market.createFarm('Trusty Farm');
  const consumer = await market.register('consumer', 'Vera Late');
  const visitor = await market.visit({ as: consumer, allowedErrors: REFUSED });
  const { page } = visitor;
  await fillCart(visitor, farm);
  await market.requireVerifiedEmail();
  await page.getByLabel('Pickup date').fill(dayFromNow(7));
  await page.getByLabel('Pickup time').fill('10:30');
  await page.getByRole('button', { name: 'Place Order' }).click();
  const words = page.getByText('Your order is placed as soon as you did.');
  await words.waitFor();
  await page.getByRole('button', { name: 'Send the link again' }).click();
  await page.getByText('It may be among spam.').waitFor();

  const mail = await market.mailTo(consumer.user.email, '/verify-email');
  const phone = await market.visit({ width: 360, height: 740 });
  await phone.page.goto(linkIn(mail));
  await Promise.all([
    // Waited for from the start, since it goes away by itself.
    toastOf(visitor, 'Order placed successfully!').waitFor(),
    phone.page.getByRole('button', { name: 'Confirm my email' }).click(),
  ]);
  await phone.page.getByRole('heading', { name: 'Your email is confirmed' }).waitFor();
  await page.waitForURL(/\/orders\/[0-9a-f-]{36}/);
  await page.goto('/profile');
  await page.getByRole('heading', { name: 'Addresses' }).waitFor();
  expect(await page.getByText('Confirm your email').count()).toBe(0);
});
