import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import type { Role } from '#contract/platform/http/http';
import { until } from '../testing/until.ts';
import { openMarket } from './open-market.ts';
import { openPageFixture, type PageFixture, waitUntilLoaded } from './page-list.ts';
import { holdRequests, untilTakenOver } from './people.ts';

const market = openMarket({ hasWorker: false });
let fixture: PageFixture;
beforeAll(async () => {
  fixture = await openPageFixture(market);
});

const PHONE = { width: 360, height: 740 };
const WORK = {
  farmer: ['Dashboard', 'Orders', 'Pick list', 'Products', 'Messages', 'Farm'],
  admin: ['Dashboard', 'Orders', 'Users', 'Categories', 'Messages', 'Market'],
};
const SHOP = {
  visitor: ['Shop', 'Farms', 'Sign in'],
  consumer: ['Shop', 'Farms', 'Cart (0)', 'Orders', 'Messages'],
};

const visit = (who: Role | 'visitor', size: { width: number; height?: number }) =>
  market.visit({ ...(who !== 'visitor' && { as: fixture.sessions[who] }), ...size });

/** The links of a navigation by their names, without what a count adds. */
async function linksOf(page: Page, name: string) {
  const found = page.getByRole('navigation', { name, exact: true }).getByRole('link');
  // The file of a work navigation may come after the page.
  await found.first().waitFor();
  return found.evaluateAll((links) =>
    links.map((link) => {
      const spoken = link.cloneNode(true) as Element;
      for (const hidden of spoken.querySelectorAll('[aria-hidden="true"]')) hidden.remove();
      return spoken.textContent?.replace(/^\d+/, '').trim();
    }),
  );
}

it.each([
  ['farmer', 'Farm', '/farmer/dashboard'],
  ['admin', 'Admin', '/admin/dashboard'],
] as const)(
  'gives a %s a rail, or a bar on phones, and no footer below work',
  async (role, name, home) => {
    for (const width of [1280, 820, 640]) {
      const { page } = await visit(role, { width });
      await page.goto(home);
      await waitUntilLoaded(page);
      const rail = page.getByRole('navigation', { name, exact: true });
      expect(await linksOf(page, name)).toEqual(WORK[role]);
      const box = await rail.boundingBox();
      expect(box).toMatchObject({ x: 0, y: 64 });
      expect(box?.width).toBeLessThan(120);
      expect(await rail.getByRole('link', { name: 'Dashboard' }).getAttribute('aria-current')).toBe(
        'page',
      );
      expect(await page.getByRole('contentinfo').count()).toBe(0);
    }

    const { page } = await visit(role, PHONE);
    await page.goto(home);
    await waitUntilLoaded(page);
    expect(await linksOf(page, name)).toEqual(WORK[role]);
    const bar = await page.getByRole('navigation', { name, exact: true }).boundingBox();
    expect(Math.round((bar?.y ?? 0) + (bar?.height ?? 0))).toBe(PHONE.height);
    // What fits above the bar does not scroll.
    await page.goto(role === 'farmer' ? '/farmer/picklist?date=2020-01-01' : '/admin/reports');
    await waitUntilLoaded(page);
    await until('a short page to be as high as the window', () =>
      page.evaluate(() => document.documentElement.scrollHeight === window.innerHeight),
    );
    // The shop's pages keep their footer, no matter who looks at them.
    await page.goto('/about');
    await page.getByRole('contentinfo').waitFor();
  },
);

it.each(['visitor', 'consumer'] as const)('gives a %s a bar on phones alone', async (who) => {
  const { page } = await visit(who, PHONE);
  await page.goto('/about');
  await waitUntilLoaded(page);
  expect(await linksOf(page, 'Shortcuts')).toEqual(SHOP[who]);
  const bar = page.getByRole('navigation', { name: 'Shortcuts' });

  // The menu has the same links, so the bar makes way for it.
  await page.getByRole('button', { name: 'Open menu' }).click();
  await bar.waitFor({ state: 'hidden' });
  if (who === 'consumer')
    await expect.poll(() => page.getByRole('link', { name: 'Cart (0)' }).count()).toBe(1);
  await page.getByRole('button', { name: 'Close menu' }).click();
  await bar.waitFor();
  if (who === 'consumer')
    await expect.poll(() => page.getByRole('link', { name: 'Cart (0)' }).count()).toBe(1);

  await page.setViewportSize({ width: 640, height: 740 });
  await bar.waitFor({ state: 'hidden' });
  if (who === 'consumer')
    await expect.poll(() => page.getByRole('link', { name: 'Cart (0)' }).count()).toBe(1);
});

it.each(['visitor', 'consumer'] as const)(
  'keeps the button that fills the cart of a %s above the bar of a phone',
  async (who) => {
    const { page } = await visit(who, PHONE);
    await page.goto('/products');
    await page.locator('main a[href^="/products/"]').first().click();
    const button = page.getByRole('button', { name: 'Add to Cart' });
    await button.waitFor();
    await waitUntilLoaded(page);
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0);
    const isOnTop = await button.evaluate((element) => {
      const { left, right, top, bottom } = element.getBoundingClientRect();
      return element.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2));
    });
    expect(isOnTop).toBe(true);
  },
);

it('leads a farmer from the menu to the orders to answer, and keeps /orders', async () => {
  const { page } = await visit('farmer', { width: 1280 });
  await page.goto('/about');
  await page.getByRole('banner').locator('button[aria-haspopup="menu"]').last().click();
  await page.getByRole('menuitem', { name: /^Orders/ }).click();
  await page.waitForURL('**/farmer/orders');
  await page.goto('/orders');
  await page.getByRole('heading', { name: 'My Orders' }).waitFor();
  const rail = page.getByRole('navigation', { name: 'Farm' });
  await expect
    .poll(() => rail.getByRole('link', { name: 'Orders' }).getAttribute('aria-current'))
    .toBe('page');
});

/** Where the composer ends and how much there is to scroll beside the messages. */
const measureChat = (page: Page) =>
  page.evaluate(() => {
    const form = document.querySelector('main form')?.getBoundingClientRect();
    const main = document.querySelector('main');
    return {
      composerEnd: Math.round(form?.bottom ?? 0),
      pageScroll: (document.scrollingElement?.scrollHeight ?? 0) - window.innerHeight,
      mainScroll: (main?.scrollHeight ?? 0) - (main?.clientHeight ?? 0),
    };
  });

it.each(['consumer', 'farmer', 'admin'] as const)(
  'fills the window with a conversation of a %s, with and without a connection',
  async (role) => {
    const { page, context } = await market.visit({
      as: fixture.sessions[role],
      ...PHONE,
      allowedErrors: /ERR_INTERNET_DISCONNECTED|WebSocket|socket/i,
    });
    const path = {
      consumer: '/messages/:farmer',
      farmer: '/messages/:consumer',
      admin: '/admin/messages/:consumer',
    };
    await page.goto(fixture.addressOf(path[role]));
    await page.getByRole('textbox', { name: /^Message to/ }).waitFor();
    const whole = { composerEnd: PHONE.height, pageScroll: 0, mainScroll: 0 };
    await expect.poll(() => measureChat(page)).toEqual(whole);
    await context.setOffline(true);
    await page
      .getByRole('banner')
      .getByText(/^Offline since/)
      .filter({ visible: true })
      .waitFor();
    await expect.poll(() => measureChat(page)).toEqual(whole);
    await context.setOffline(false);
    await page
      .getByRole('banner')
      .getByText(/^Offline since/)
      .filter({ visible: true })
      .waitFor({ state: 'hidden' });
    expect(await page.getByRole('contentinfo').count()).toBe(0);
  },
);

/** Waits until the focus is where `selector` says. */
const waitForFocus = (page: Page, selector: string) =>
  page.waitForFunction((wanted) => document.activeElement?.matches(wanted), selector);

it('returns the focus to the opener of a dialog, and moves it on when that is gone', async () => {
  const consumer = await visit('consumer', { width: 1280 });
  const { page } = consumer;
  await page.goto(fixture.addressOf('/products/:product'));
  await page.getByRole('button', { name: 'Add to Cart' }).click();
  await page.getByRole('link', { name: 'Cart (1)' }).click();
  const clear = page.getByRole('button', { name: 'Clear cart' });
  await clear.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('alertdialog').waitFor();
  await expect.poll(() => page.locator('#frame').getAttribute('inert')).toBe('');
  await page.keyboard.press('Escape');
  await page.getByRole('alertdialog').waitFor({ state: 'detached' });
  await page.waitForFunction(() => document.activeElement?.textContent === 'Clear cart');

  // The last line goes with the whole list.
  await page.getByRole('button', { name: /^Remove / }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'Browse Products' }).waitFor();
  await waitForFocus(page, '#main');

  const farmer = await visit('farmer', { width: 1280 });
  await farmer.page.goto(fixture.addressOf('/orders/:order'));
  const reject = farmer.page.getByRole('button', { name: /^Reject order/ });
  await reject.focus();
  await farmer.page.keyboard.press('Enter');
  await farmer.page.getByRole('alertdialog').waitFor();
  await farmer.page.keyboard.press('Escape');
  await farmer.page.getByRole('alertdialog').waitFor({ state: 'detached' });
  await waitForFocus(farmer.page, '[aria-label^="Reject order"]');

  const admin = await visit('admin', { width: 1280 });
  await admin.page.goto('/admin/categories');
  await admin.page.getByRole('button', { name: 'Add category' }).click();
  await waitForFocus(admin.page, '[role=dialog] input[name=name]');
  await admin.page.keyboard.press('Escape');
  await admin.page.waitForFunction(() => document.activeElement?.textContent === 'Add category');
});

it('brings the first error of a long form into view, even if the field has the focus', async () => {
  const { page } = await visit('farmer', PHONE);
  await page.goto(fixture.addressOf('/farmer/products/edit/:own'));
  const quantity = page.getByRole('spinbutton', { name: 'Quantity' });
  await quantity.fill('0');
  const save = page.locator('form button[type=submit]');
  await save.scrollIntoViewIfNeeded();
  await save.click();
  await page.getByText('Valid quantity is required').waitFor();
  await page.waitForFunction(() => {
    const { top, bottom } = document.activeElement?.getBoundingClientRect() ?? new DOMRect();
    return (
      document.activeElement?.getAttribute('aria-invalid') === 'true' && top > 64 && bottom < 676
    );
  });
  await page.getByRole('button', { name: '1 field needs attention' }).waitFor();
});

it('opens the menu of a user that was pressed before its file had come', async () => {
  const { page } = await visit('consumer', { width: 1280 });
  const release = await holdRequests(page, '**/assets/frame-*.js');
  // The page is not whole before the file is there.
  await page.goto('/about', { waitUntil: 'commit' });
  await untilTakenOver(page);
  const button = page.getByRole('banner').locator('button[aria-haspopup=menu]').last();
  await button.click();
  const menu = page.getByRole('menu');
  expect(await menu.count()).toBe(0);
  release();
  await menu.getByRole('menuitem', { name: 'Logout' }).waitFor();
  await page.keyboard.press('Escape');
  await menu.waitFor({ state: 'detached' });
  await until('the focus on the button', () =>
    button.evaluate((element) => element === document.activeElement),
  );
});
