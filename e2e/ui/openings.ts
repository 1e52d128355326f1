import type { Page } from 'playwright-core';
import type { Viewer } from '../page-list.ts';

/** A menu, popover or dialog of a page, and how to open it. */
export type Opening = {
  name: string;
  path: string;
  open: (page: Page) => Promise<unknown>;
  /** The widths at which it exists; both without it. */
  only?: 'wide' | 'narrow';
};

/** A name that begins with these words, in the language of brackets too. */
const begins = (words: string) => new RegExp(`^⟦?${words}`);

const press = (name: string | RegExp) => (page: Page) =>
  page.getByRole('button', { name }).first().click();

const bell: Opening = {
  name: 'the notifications',
  path: '/about',
  open: press(begins('Notifications')),
};
const userMenu: Opening = {
  name: 'the user menu',
  path: '/about',
  open: (page) => page.getByRole('banner').locator('button[aria-haspopup="menu"]').last().click(),
  only: 'wide',
};
const smallMenu: Opening = {
  name: 'the small menu',
  path: '/about',
  open: press('Open menu'),
  only: 'narrow',
};

const failedSetting = async (page: Page) => {
  await page.getByLabel(begins('Name')).fill('');
  await page.getByRole('button', { name: 'Save settings' }).click();
};

const daysAhead = (days: number) =>
  new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

/** Closes a month for which there are orders. */
const closeMonth = async (page: Page) => {
  const form = page.getByRole('form', { name: 'Close days' });
  await form.getByLabel(begins('From')).fill(daysAhead(1));
  await form.getByLabel(begins('To ')).fill(daysAhead(31));
  await page.getByRole('button', { name: begins('Close these days') }).click();
  await page.getByRole('alertdialog').waitFor();
};

/** The session ends, as this tab learns from another one. */
const endSession = async (page: Page) => {
  await page.evaluate(() => {
    const event = { key: 'token', newValue: null, storageArea: localStorage };
    window.dispatchEvent(new StorageEvent('storage', event));
  });
  await page.getByRole('dialog').waitFor();
};

/** Logs out with a message that was refused. */
const logOutUnsent = async (page: Page) => {
  await page.evaluate(() => {
    const owner: string = JSON.parse(localStorage.getItem('user') ?? '{}')._id;
    const message = {
      _id: '1',
      owner,
      receiver: '2',
      content: 'Hi',
      createdAt: '',
      refusal: 'No.',
    };
    localStorage.setItem(`of:${owner}:unsent-messages`, JSON.stringify([message]));
  });
  await page.reload();
  await userMenu.open(page);
  await page.getByRole('menuitem', { name: 'Logout' }).click();
  await page.getByRole('alertdialog').waitFor();
};

/** Every menu, popover and dialog that each viewer can open. */
export const openings: Record<Viewer, readonly Opening[]> = {
  visitor: [smallMenu],
  consumer: [
    smallMenu,
    userMenu,
    bell,
    { name: 'change email', path: '/profile', open: press('Change email') },
    { name: 'set up an app', path: '/profile', open: press('Set up an app') },
    { name: 'add a passkey', path: '/profile', open: press('Add a passkey') },
    { name: 'clear cart', path: '/checkout', open: press('Clear cart') },
    {
      name: 'report an order',
      path: '/orders/:order',
      open: press('Report a problem with this order'),
    },
    {
      name: 'what was wrong with an order',
      path: '/orders/:completed',
      open: async (page) => {
        await press('Was anything wrong?')(page);
        await page.getByRole('dialog').getByRole('checkbox').first().check();
      },
    },
    { name: 'a new address', path: '/profile', open: press('Add an address') },
    { name: 'another address', path: '/profile', open: press(begins('Edit')) },
    { name: 'deleting the account', path: '/profile', open: press('Delete my account') },
    { name: 'a failed new password', path: '/profile', open: press('Change password') },
    { name: 'report a product', path: '/products/:product', open: press('Report this product') },
    { name: 'report a farm', path: '/farmers/:farmer', open: press('Report this farm') },
    { name: 'cancel order', path: '/orders/:order', open: press(begins('Cancel order')) },
    {
      name: 'wishes for shortages',
      path: '/orders/:order',
      open: press('If something runs short'),
    },
    {
      name: 'a failed form',
      path: '/checkout',
      open: async (page) => {
        // The checkout begins with a day and a place, and would be accepted as it is.
        await page.getByLabel('Pickup location').fill('');
        await page.getByRole('button', { name: 'Place Order' }).click();
      },
    },
    { name: 'a session that has ended', path: '/orders', open: endSession },
    { name: 'logging out with something unsent', path: '/about', open: logOutUnsent, only: 'wide' },
  ],
  farmer: [
    smallMenu,
    userMenu,
    bell,
    { name: 'update status', path: '/orders/:order', open: press('Update Status') },
    { name: 'reject order', path: '/orders/:order', open: press(begins('Reject order')) },
    {
      name: 'what is short in an order',
      path: '/orders/:order',
      open: press('Short on something?'),
    },
    { name: 'pausing orders', path: '/farmer/dashboard', open: press('Pause orders') },
    { name: 'a shortage', path: '/farmer/products', open: press(begins('Short of ')) },
    {
      name: 'a new place',
      path: '/farmer/settings?section=places',
      open: press('Add a place'),
    },
    {
      name: 'inviting somebody',
      path: '/farmer/settings?section=people',
      open: press('Invite someone'),
    },
    {
      name: 'an invitation by a link',
      path: '/farmer/settings?section=people',
      open: async (page) => {
        await press('Invite someone')(page);
        await press('Make a link')(page);
        await page.getByRole('dialog').getByLabel('Invitation link').waitFor();
      },
    },
    {
      name: 'copying the hours of a day',
      path: '/farmer/settings?section=days',
      open: press(begins('Copy the hours of')),
    },
    {
      name: 'a city for the time zone',
      path: '/farmer/settings?section=days',
      open: async (page) => {
        await page.getByRole('combobox', { name: 'Time zone' }).fill('kath');
      },
    },
    {
      name: 'orders that closed days meet',
      path: '/farmer/settings?section=days',
      open: closeMonth,
    },
    {
      name: 'print the pick list',
      path: '/farmer/picklist?date=:pickDay',
      open: press('Print'),
    },
    { name: 'labels', path: '/farmer/picklist?date=:pickDay', open: press('Labels') },
    {
      name: 'a part of a product',
      path: '/farmer/picklist?date=:pickDay',
      open: press(begins('Part of ')),
    },
    {
      name: 'an order to pack',
      path: '/farmer/picklist?date=:pickDay&view=pack',
      open: (page) => page.locator('[data-pack-order]').first().click(),
    },
    {
      name: 'handing over',
      path: '/farmer/picklist?date=:pickDay&view=load',
      open: press(begins('Hand over')),
    },
    { name: 'delete product', path: '/farmer/products', open: press(begins('Delete ')) },
    { name: 'a failed form', path: '/farmer/products/add', open: press('Add product') },
  ],
  admin: [
    smallMenu,
    userMenu,
    bell,
    { name: 'add category', path: '/admin/categories', open: press('Add category') },
    { name: 'delete category', path: '/admin/categories', open: press(begins('Delete ')) },
    { name: 'delete user', path: '/admin/users', open: press(begins('Delete ')) },
    {
      name: 'a user',
      path: '/admin/users',
      open: (page) => page.locator('main button[aria-expanded="false"]').first().click(),
    },
    { name: 'update status', path: '/admin/orders', open: press('Update Status') },
    { name: 'suspend somebody', path: '/admin/users/:consumer', open: press('Suspend') },
    { name: 'set up an app', path: '/admin/security', open: press('Set up an app') },
    { name: 'a failed setting', path: '/admin/market', open: failedSetting },
  ],
};
