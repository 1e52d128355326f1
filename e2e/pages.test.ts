import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import type { Role } from '#contract/http';
import { openMarket, REFUSED } from './open-market.ts';
import { ACCOUNTS, type Session, signIn } from './people.ts';
import { until } from './stack.ts';

const market = openMarket();

type Viewer = 'visitor' | Role;
const viewers = ['visitor', 'consumer', 'farmer', 'admin'] as const;

let axe: string;
let sessions: Record<Role, Session>;
/** Values for the parameters of the routes. */
let ids: { product: string; own: string; farmer: string; consumer: string; order: string };

beforeAll(async () => {
  axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  const [consumer, farmer, admin] = await Promise.all(
    (['consumer', 'farmer', 'admin'] as const).map((who) => signIn(market.url, ACCOUNTS[who])),
  );
  if (!consumer || !farmer || !admin) throw new Error('The demo accounts are missing.');
  sessions = { consumer, farmer, admin };
  const firstOf = async (path: string, as: Session) =>
    (await market.call<{ data: { _id: string }[] }>('GET', path, { as })).data[0]?._id ?? '';
  const own = await firstOf('/products/farmer/me', farmer);
  ids = {
    product: await firstOf(`/products?farmer=${farmer.user._id}`, consumer),
    own,
    farmer: farmer.user._id,
    consumer: consumer.user._id,
    order: await firstOf(`/orders/consumer?status=pending`, consumer),
  };
});

/** Returns a path with its parameters filled in. */
const addressOf = (path: string) =>
  path.replace(/:(\w+)/g, (_, name: keyof typeof ids) => ids[name]);

/** The title of each page without `· Farmgate`, by viewer. */
const publicPages: [path: string, title: RegExp][] = [
  ['/', /^Farmgate$/],
  ['/about', /^About$/],
  ['/products', /^Products$/],
  ['/products?search=nothing-like-it&filters=open', /^Products$/],
  ['/products/:product', /\w/],
  ['/farmers', /^Farmers$/],
  ['/farmers/:farmer', /^Green Valley Farm$/],
  ['/no/such/page', /^Page not found$/],
];
const pages: Record<Viewer, [path: string, title: RegExp][]> = {
  visitor: [
    ...publicPages,
    ['/login', /^Login$/],
    ['/register', /^Register$/],
    ['/forgot-password', /^Forgot password$/],
    ['/reset-password?token=any', /^Reset password$/],
    ['/products/nothing', /^Product$/],
    ['/farmers/nobody', /^Farmer$/],
  ],
  consumer: [
    ['/', /^Farmgate$/],
    ['/products/:product', /\w/],
    ['/farmers/:farmer', /^Green Valley Farm$/],
    ['/checkout', /^Checkout$/],
    ['/profile', /^Profile$/],
    ['/messages', /^Messages$/],
    ['/messages/:farmer', /\w/],
    ['/orders', /^My Orders$/],
    ['/orders?status=rejected&page=empty', /^My Orders$/],
    ['/orders/:order', /^Order #[0-9a-f]{8}$/],
  ],
  farmer: [
    ['/products/:own', /\w/],
    ['/farmers/:farmer', /^Green Valley Farm$/],
    ['/farmer/dashboard', /^Farmer Dashboard$/],
    ['/farmer/products', /^My Products$/],
    ['/farmer/products/add', /^Add Product$/],
    ['/farmer/products/edit/:own', /^Edit .+$/],
    ['/farmer/products/edit/nothing', /^Edit Product$/],
    ['/farmer/orders', /^Orders$/],
    ['/farmer/profile', /^Profile$/],
    ['/profile', /^Profile$/],
    ['/messages', /^Messages$/],
    ['/messages/:consumer', /\w/],
    ['/orders', /^My Orders$/],
    ['/orders/:order', /^Order #[0-9a-f]{8}$/],
  ],
  admin: [
    ['/products/:product', /\w/],
    ['/admin/dashboard', /^Admin Dashboard$/],
    ['/admin/users', /^Users$/],
    ['/admin/categories', /^Categories$/],
    ['/admin/orders', /^Orders$/],
    ['/admin/orders?order=:order', /^Orders$/],
    ['/admin/messages', /^Messages$/],
    ['/admin/messages/:consumer', /\w/],
  ],
};

/** Waits until the page has a heading and no loading placeholders. */
async function waitUntilLoaded(page: Page): Promise<void> {
  await page.locator('main :is(h1, h2), [role=dialog] h2').first().waitFor({ state: 'attached' });
  await page.waitForFunction(
    () => !document.querySelector('main .bone, main .animate-late, [role=dialog] .bone'),
  );
}

/** Switches the colour scheme and waits until the page's text has its colour. */
async function setColorScheme(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  await page.waitForFunction((isDark) => {
    const [red] = /\d+/.exec(getComputedStyle(document.body).color) ?? [];
    return Number(red) > 128 === isDark;
  }, colorScheme === 'dark');
}

/** Waits two frames, and then for the transitions and animations that they began. */
async function waitUntilStill(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    await frame();
    await frame();
    await Promise.allSettled(document.getAnimations().map(({ finished }) => finished));
  });
}

/** Returns axe's serious and critical violations of the current page. */
async function violations(page: Page): Promise<string[]> {
  await waitUntilStill(page);
  const options: RunOptions = {
    resultTypes: ['violations'],
    rules: { 'label-content-name-mismatch': { enabled: true } },
  };
  const found = await page.evaluate(
    async (runOptions) =>
      (window as unknown as { axe: typeof import('axe-core') }).axe.run(runOptions),
    options,
  );
  return (found as AxeResults).violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
}

it.each(viewers)(
  'shows every page of a %s accessibly, without errors, wide and light, narrow and dark',
  {
    timeout: 300_000,
  },
  async (viewer) => {
    const visitor = await market.visit({
      ...(viewer !== 'visitor' && { as: sessions[viewer] }),
      allowedErrors: REFUSED,
      // The content security policy blocks injected scripts; security.test.ts tests it.
      bypassCSP: true,
      reducedMotion: true,
    });
    const { page, pageErrors } = visitor;
    if (viewer === 'consumer') await fillCart(page);
    const wrong: string[] = [];
    for (const [path, title] of pages[viewer]) {
      const expectRefusal = /nothing$|nobody$/.test(path);
      pageErrors.length = 0;
      await page.setViewportSize({ width: 1280, height: 800 });
      await page.goto(addressOf(path));
      await setColorScheme(page, 'light');
      await waitUntilLoaded(page);
      await page.evaluate(axe);
      const told = (await page.title()).replace(/^\(\d+\) /, '').replace(/ · Farmgate$/, '');
      if (!title.test(told)) wrong.push(`${path} is called '${told}'`);
      wrong.push(...(await violations(page)).map((what) => `${path}, light: ${what}`));

      await page.setViewportSize({ width: 360, height: 740 });
      await setColorScheme(page, 'dark');
      await waitUntilLoaded(page);
      const [content, room] = await page.evaluate(() => [
        document.scrollingElement?.scrollWidth ?? 0,
        window.innerWidth,
      ]);
      if ((content ?? 0) > (room ?? 0))
        wrong.push(`${path} scrolls sideways: ${content} > ${room}`);
      wrong.push(...(await violations(page)).map((what) => `${path}, dark: ${what}`));
      wrong.push(
        ...pageErrors
          .filter((words) => !(expectRefusal && REFUSED.test(words)))
          .map((words) => `${path} logs: ${words}`),
      );
    }
    expect(wrong).toEqual([]);
  },
);

async function fillCart(page: Page): Promise<void> {
  await page.goto(addressOf('/products/:product'));
  await page.getByRole('button', { name: 'Add to Cart' }).click();
  await page.getByRole('link', { name: 'Cart (1)' }).waitFor();
}

/** The redirects of each viewer from a route; empty where they may stay. */
const guarded: Record<string, Record<Viewer, string[]>> = {};
const stay: string[] = [];
const viaLogin = {
  visitor: ['/login'],
  consumer: ['/login', '/'],
  farmer: ['/login', '/farmer/dashboard'],
  admin: ['/login', '/admin/dashboard'],
};
for (const path of [
  '/',
  '/about',
  '/farmers',
  '/farmers/:farmer',
  '/products',
  '/products/:product',
  '/forgot-password',
  '/reset-password',
  '/no/such/page',
]) {
  guarded[path] = { visitor: stay, consumer: stay, farmer: stay, admin: stay };
}
for (const path of ['/login', '/register']) {
  guarded[path] = {
    visitor: stay,
    consumer: ['/'],
    farmer: ['/farmer/dashboard'],
    admin: ['/admin/dashboard'],
  };
}
for (const path of ['/profile', '/messages', '/messages/:farmer', '/orders', '/orders/:order']) {
  guarded[path] = {
    visitor: ['/login'],
    consumer: stay,
    farmer: stay,
    admin: ['/admin/dashboard'],
  };
}
guarded['/checkout'] = { ...viaLogin, consumer: stay };
for (const path of [
  '/farmer/dashboard',
  '/farmer/products',
  '/farmer/products/add',
  '/farmer/products/edit/:own',
  '/farmer/orders',
]) {
  guarded[path] = { ...viaLogin, farmer: stay };
}
guarded['/farmer/profile'] = { visitor: ['/login'], consumer: stay, farmer: stay, admin: stay };
for (const path of [
  '/admin/dashboard',
  '/admin/users',
  '/admin/categories',
  '/admin/orders',
  '/admin/messages',
  '/admin/messages/:consumer',
]) {
  guarded[path] = { ...viaLogin, admin: stay };
}

it.each(viewers)('redirects a %s to permitted pages', async (viewer) => {
  const { page } = await market.visit({
    ...(viewer !== 'visitor' && { as: sessions[viewer] }),
    allowedErrors: REFUSED,
  });
  await page.goto('/about');
  await page.getByRole('heading', { name: 'About Farmgate' }).waitFor();
  await page
    .getByRole('banner')
    .getByRole('link', { name: 'Login' })
    .or(page.getByRole('banner').locator('button[aria-haspopup="menu"]'))
    .first()
    .waitFor();
  const redirects: Record<string, string[]> = {};
  for (const path of Object.keys(guarded)) {
    redirects[path] = await page.evaluate(async (address) => {
      const steps: string[] = [];
      const replaceState = history.replaceState;
      history.replaceState = (...to) => {
        steps.push(String(to[2]));
        replaceState.apply(history, to);
      };
      history.pushState(null, '', address);
      for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
      history.replaceState = replaceState;
      return steps;
    }, addressOf(path));
  }
  const wanted = Object.entries(guarded).map(([path, by]) => [path, by[viewer]]);
  expect(redirects).toEqual(Object.fromEntries(wanted));

  // The same on a full page load, before the session is known.
  const closed = Object.entries(guarded).find(([, by]) => by[viewer].length > 0);
  if (!closed) return;
  await page.goto(addressOf(closed[0]));
  const end = closed[1][viewer].at(-1);
  await until('the guard', () => new URL(page.url()).pathname === end);
});
