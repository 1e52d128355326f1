import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { Product } from '#contract/catalogue/products/product';
import type { Order } from '#contract/ordering/orders/orders';
import { until } from '../testing/until.ts';
import { dayFromNow, openMarket, REFUSED, toastOf } from './open-market.ts';
import { holdRequests, PASSWORD, type Person, type Session } from './people.ts';

// One device and several people, one person and several tabs, and what stays when a session ends.

const market = openMarket({ hasWorker: false });

async function signInOn(page: Page, { user: { email } }: Session, password = PASSWORD) {
  await page.goto('/login');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL((url) => url.pathname !== '/login');
}

async function pressLogout(page: Page) {
  await page.getByRole('banner').locator('button[aria-haspopup="menu"]').last().click();
  await page.getByRole('menuitem', { name: 'Logout' }).click();
}

async function logOutOn(page: Page) {
  await pressLogout(page);
  await page.getByRole('banner').getByRole('link', { name: 'Login' }).waitFor();
}

async function addToCart({ page }: Person, product: Product) {
  await page.goto(`/products/${product._id}`);
  await page.getByRole('button', { name: 'Add to Cart' }).click();
  await page.getByText(/^Added .* to your cart$/).waitFor();
}

/** Returns a product as it is stored now. */
const stored = async ({ _id }: Product) =>
  (await market.call<{ data: Product }>('GET', `/products/${_id}`)).data;

/** Returns the names of all that this browser keeps. */
const keptNames = (page: Page) =>
  page.evaluate(() => [...Object.keys(localStorage), ...Object.keys(sessionStorage)]);

/** What belongs to the browser, no matter who uses it. */
const OF_THE_BROWSER =
  /^(token|user|left-session|logouts|device|market|theme|announcement-read|order-sound(-at|-allowed)?|order-keys|push-owner|signed-in-by-test)$/;

async function fillCheckout(page: Page, notes: string) {
  await page.goto('/checkout');
  await page.getByLabel('Pickup date').fill(dayFromNow(7));
  await page.getByLabel('Pickup time').fill('10:30');
  await page.getByLabel('Pickup location').fill('The gate');
  await page.getByLabel(/^Notes/).fill(notes);
}

/** Ends all sessions of somebody, as a new password on another device does, and returns the password. */
async function endSessionsOf(person: Session, currentPassword = PASSWORD): Promise<string> {
  const body = { email: person.user.email, password: currentPassword };
  const other = await market.call<Session>('POST', '/auth/login', { body });
  const newPassword = `${currentPassword}-new`;
  await market.call('PUT', '/auth/password', {
    as: other,
    body: { currentPassword, newPassword },
  });
  return newPassword;
}

const overlayOf = (page: Page) => page.getByRole('dialog', { name: 'Your session has ended' });

async function signInAgain(page: Page, password: string) {
  await overlayOf(page).getByLabel('Password').fill(password);
  await overlayOf(page).getByRole('button', { name: 'Sign in' }).click();
  await overlayOf(page).waitFor({ state: 'detached' });
}

it('keeps what two persons do on one device apart, and for each of them', async () => {
  const farmer = await market.createFarm('Tablet Farm');
  const [product, ada, bo] = await Promise.all([
    market.createProduct(farmer, { name: 'Turnips' }),
    market.register('consumer', 'Ada Tablet'),
    market.register('consumer', 'Bo Tablet'),
  ]);
  const person = await market.visit();
  const { page } = person;
  await signInOn(page, ada);
  await addToCart(person, product);
  await fillCheckout(page, 'For Ada alone.');
  await page.goto(`/messages/${farmer.user._id}`);
  await page.getByRole('textbox', { name: /message/i }).fill('A word of Ada');
  await page.goto('/products');
  await page.mouse.wheel(0, 400);
  await page.goto('/orders');

  const names = (await keptNames(page)).filter((name) => !OF_THE_BROWSER.test(name));
  // They came as a visitor.
  const owners = new Set(names.map((name) => name.split(':')[1]));
  expect([...owners].sort()).toEqual([ada.user._id, 'visitor'].sort());
  for (const name of ['cart', 'drafts', 'order-attempt']) {
    expect(names).toContain(`of:${ada.user._id}:${name}`);
  }

  await logOutOn(page);
  await signInOn(page, bo);
  await page.getByRole('link', { name: 'Cart (0)' }).waitFor();
  await page.goto(`/messages/${farmer.user._id}`);
  const message = page.getByRole('textbox', { name: /message/i });
  expect(await message.inputValue()).toBe('');
  await page.goto('/checkout');
  await page.getByRole('heading', { name: 'Your cart is empty' }).waitFor();

  await logOutOn(page);
  await signInOn(page, ada);
  await page.getByRole('link', { name: 'Cart (1)' }).waitFor();
  await page.goto('/checkout');
  await until('the notes', async () => {
    const notes = await page.getByLabel(/^Notes/).inputValue();
    return notes === 'For Ada alone.';
  });
});

it('keeps what is typed into a form for its person alone, until it is saved', async () => {
  const [farmer, other] = await Promise.all([
    market.createFarm('Drafting Farm'),
    market.createFarm('Neighbouring Farm'),
  ]);
  const product = await market.createProduct(farmer, { name: 'Parsnips', price: 3 });
  const path = `/farmer/products/edit/${product._id}`;
  const { page: first, context } = await market.visit({ allowedErrors: /./ });
  const open = async (page: Page, to = path) => {
    await page.goto(to);
    return page.getByLabel(/^Description/);
  };
  const noteOn = (page: Page) => page.getByText('Restored what you had typed.');
  const expectRestored = async (page: Page) => {
    await noteOn(page).waitFor();
    expect(await page.getByLabel(/^Description/).inputValue()).toBe('Pulled this morning');
  };

  await signInOn(first, farmer);
  await (await open(first)).fill('Pulled this morning');
  await first.reload();
  await expectRestored(first);

  await first.close();
  const page = await context.newPage();
  await open(page);
  await expectRestored(page);

  // Somebody else may use the device once the session has ended.
  const password = await endSessionsOf(farmer);
  await signInOn(page, other);
  const theirs = await open(page, '/farmer/products/add');
  await theirs.waitFor();
  expect(await theirs.inputValue()).toBe('');
  await theirs.fill('Of the neighbour');
  await page.goto('/farmer/products');
  await logOutOn(page);

  await signInOn(page, farmer, password);
  const login = { email: farmer.user.email, password };
  const as = await market.call<Session>('POST', '/auth/login', { body: login });
  await market.call('PUT', `/products/${product._id}`, { as, body: { price: 9 } });
  await open(page);
  await expectRestored(page);
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.waitForURL('**/farmer/products');
  expect(await stored(product)).toMatchObject({ description: 'Pulled this morning', price: 9 });

  await (await open(page)).waitFor();
  await page.reload();
  await page.getByLabel(/^Description/).fill('Not wanted');
  await page.getByRole('link', { name: 'Back to my products' }).click();
  await page.getByRole('button', { name: 'Leave' }).click();
  await page.waitForURL('**/farmer/products');
  const field = await open(page);
  await field.waitFor();
  expect(await field.inputValue()).toBe('Pulled this morning');
  expect(await noteOn(page).count()).toBe(0);
  const drafts = `of:${farmer.user._id}:drafts`;
  expect(await page.evaluate((name) => localStorage.getItem(name), drafts)).toBe('{}');
});

it('saves a stock that was typed without a connection, after its tab was closed', async () => {
  const farmer = await market.createFarm('Offline Stock Farm');
  const product = await market.createProduct(farmer, { name: 'Swedes' });
  const { page, context } = await market.visit({ as: farmer, allowedErrors: /./ });
  await page.goto('/farmer/products?view=stock');
  const field = page.getByRole('textbox', { name: 'Stock of Swedes' });
  await field.waitFor();
  await context.setOffline(true);
  await field.fill('33');
  await field.press('Enter');
  await page.getByText("Not saved yet. We'll save it when you're back.").waitFor();
  await page.close();
  await context.setOffline(false);
  const next = await context.newPage();
  await next.goto('/farmer/orders');
  await until(
    'the stock to be saved',
    async () => (await stored(product)).quantityAvailable === 33,
  );
});

it('ends the session on the server with a logout, also with one that had no network', async () => {
  const ada = await market.register('consumer', 'Ada Gone');
  const { page, context } = await market.visit({ allowedErrors: /./ });
  const statusOf = async (token: string) =>
    (await fetch(`${market.url}/api/auth/me`, { headers: { authorization: `Bearer ${token}` } }))
      .status;
  const tokenNow = () => page.evaluate(() => String(localStorage.token));

  await signInOn(page, ada);
  const online = await tokenNow();
  await logOutOn(page);
  await until('the end of the session', async () => (await statusOf(online)) === 401);

  await signInOn(page, ada);
  const offline = await tokenNow();
  // What the question needs is there before the network goes.
  await page.getByRole('banner').locator('button[aria-haspopup="menu"]').last().waitFor();
  await context.setOffline(true);
  await logOutOn(page);
  expect(await statusOf(offline)).toBe(200);
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.headers().authorization === `Bearer ${offline}`) sent.push(request.url());
  });
  await context.setOffline(false);
  await until('the end of the session', async () => (await statusOf(offline)) === 401);
  expect(sent.filter((url) => !url.endsWith('/auth/logout'))).toEqual([]);
  await until('nothing left to send', () =>
    page.evaluate(() => (localStorage.getItem('logouts') ?? '[]') === '[]'),
  );
});

it('places one order from two tabs, whatever they say, and shows it in both', async () => {
  const farmer = await market.createFarm('Twice Farm');
  const [product, ada] = await Promise.all([
    market.createProduct(farmer, { name: 'Turnips' }),
    market.register('consumer', 'Ada Twice'),
  ]);
  const person = await market.visit({ as: ada });
  const first = person.page;
  await addToCart(person, product);
  const second = await person.context.newPage();
  await fillCheckout(first, 'From the first tab.');
  await fillCheckout(second, 'From the second tab.');

  const release = await holdRequests(first, /\/api\/orders$/);
  const isUnderWay = first.waitForRequest(/\/api\/orders$/);
  await first.getByRole('button', { name: 'Place Order' }).click();
  await isUnderWay;
  await second.getByRole('button', { name: 'Place Order' }).click();
  await second.getByRole('button', { name: 'Placing order...' }).waitFor();
  release();
  await Promise.all([
    first.waitForURL(/\/orders\/[\w-]+$/),
    second.waitForURL(/\/orders\/[\w-]+$/),
  ]);
  expect(second.url()).toBe(first.url());
  const data = await market.ask<Order[]>('GET', '/orders/consumer', { as: ada });
  expect(data.map(({ notes }) => notes)).toEqual(['From the first tab.']);
});

it('hides a page whose session ends, and its person goes on with what they typed', async () => {
  const farmer = await market.createFarm('Overnight Farm');
  const { page, context } = await market.visit({ as: farmer, allowedErrors: REFUSED });
  await page.goto('/farmer/products/add');
  const name = page.getByLabel('Product name');
  await name.fill('Half a pumpkin');
  const second = await context.newPage();
  await second.goto('/farmer/profile');
  const description = second.getByLabel('Description');
  await description.fill('Half a description');

  const password = await endSessionsOf(farmer);
  await Promise.all([overlayOf(page).waitFor(), overlayOf(second).waitFor()]);
  await expect.poll(() => name.isVisible()).toBe(false);
  await expect.poll(() => page.getByRole('banner').count()).toBe(0);
  await expect.poll(() => page.title()).toMatch(/^Sign in/);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));

  await signInAgain(page, password);
  await expect.poll(() => name.inputValue()).toBe('Half a pumpkin');
  await expect.poll(() => name.evaluate((field) => field === document.activeElement)).toBe(true);
  expect(asked.filter((url) => url.includes('/api/'))[0]).toMatch(/\/auth\/login$/);
  // The other tab is released with it.
  await overlayOf(second).waitFor({ state: 'detached' });
  await expect.poll(() => description.inputValue()).toBe('Half a description');
});

it('leaves a dialog open beneath, with its text, whatever is pressed above it', async () => {
  const farmer = await market.createFarm('Dialog Farm');
  const [product, ada] = await Promise.all([
    market.createProduct(farmer, { name: 'Turnips' }),
    market.register('consumer', 'Ada Dialog'),
  ]);
  const order = await market.placeOrder(ada, product);
  const person = await market.visit({ as: farmer, allowedErrors: REFUSED });
  const { page } = person;
  await page.goto(`/orders/${order._id}`);
  await page.getByRole('button', { name: /^Reject order/ }).click();
  const dialog = page.getByRole('alertdialog');
  await dialog.getByRole('textbox').fill('The frost took them.');

  let password = await endSessionsOf(farmer);
  await overlayOf(page).waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await overlayOf(page).getByRole('heading').click();
  await signInAgain(page, password);
  await expect.poll(() => dialog.getByRole('textbox').inputValue()).toBe('The frost took them.');

  // And again, before the command is given.
  password = await endSessionsOf(farmer, password);
  await overlayOf(page).waitFor();
  await signInAgain(page, password);
  await dialog.getByRole('button', { name: 'Reject order' }).click();
  await toastOf(person, /rejected/).waitFor();
});

it('gives a fresh page to somebody else, and leaves the page of a suspended account', async () => {
  const [ada, bo] = await Promise.all([
    market.register('consumer', 'Ada Away'),
    market.register('consumer', 'Bo Here'),
  ]);
  const { page } = await market.visit({ as: ada, allowedErrors: REFUSED });
  await page.goto('/profile');
  await page.getByLabel('Street').fill('Nobody else sees this');
  await endSessionsOf(ada);
  await overlayOf(page).getByLabel('Email').fill(bo.user.email);
  await signInAgain(page, PASSWORD);
  await page.waitForURL(`${market.url}/`);
  await page.goto('/profile');
  await page.getByText('Email cannot be changed').waitFor();
  await expect.poll(() => page.getByLabel('Street').inputValue()).toBe('1 Mill Lane');

  const admin = await market.call<Session>('POST', '/auth/login', {
    body: { email: 'admin@farmgate.test', password: PASSWORD },
  });
  await market.call('PUT', `/users/${bo.user._id}/suspension`, {
    as: admin,
    body: { suspended: true },
  });
  await page.waitForURL(/\/login/);
  expect(await overlayOf(page).count()).toBe(0);
});
