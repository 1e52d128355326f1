import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import type { Product } from '#contract/catalogue/products/product';
import type { PickDay } from '#contract/ordering/picklist/picklist';
import type { Role } from '#contract/platform/http/http';
import { addDays } from '#contract/platform/time/constants';
import type { openMarket } from './open-market.ts';
import { ACCOUNTS, type Session, signIn } from './people.ts';

/** Who looks at the market. */
export type Viewer = 'visitor' | Role;
export const viewers = ['visitor', 'consumer', 'farmer', 'admin'] as const;

/** The sessions of the demo accounts, and the addresses of the pages in the demo market. */
export type PageFixture = {
  sessions: Record<Role, Session>;
  /** Returns a path with its parameters filled in. */
  addressOf: (path: string) => string;
};

/** Signs the demo accounts in and finds a product, an order and people for the parameters of the routes. */
export async function openPageFixture(market: ReturnType<typeof openMarket>): Promise<PageFixture> {
  const [consumer, farmer, admin] = await Promise.all(
    (['consumer', 'farmer', 'admin'] as const).map((who) => signIn(market.url, ACCOUNTS[who])),
  );
  if (!consumer || !farmer || !admin) throw new Error('The demo accounts are missing.');
  await market.call('PUT', '/market/pages/help', {
    as: admin,
    body: {
      title: 'Questions',
      body: '# Where do I pay?\n\nAt the **gate**: [the farms](/farmers).',
    },
  });
  const firstOf = async (path: string, as: Session) =>
    (await market.ask<{ _id: string }[]>('GET', path, { as }))[0]?._id ?? '';
  const [own] = await market.ask<Product[]>('GET', '/products/farmer/me', { as: farmer });
  const ids: Record<string, string> = {
    product: await firstOf(`/products?farmer=${farmer.user._id}`, consumer),
    own: own?._id ?? '',
    import: own ? await previewOf(market, farmer, own) : '',
    farmer: farmer.user._id,
    consumer: consumer.user._id,
    order: await firstOf(`/orders/consumer?status=pending`, consumer),
    completed: await firstOf('/orders/consumer?status=completed', consumer),
    pickDay: await firstPickDay(market, farmer),
  };
  return {
    sessions: { consumer, farmer, admin },
    addressOf: (path) => path.replace(/:(\w+)/g, (_, name: string) => ids[name] ?? ''),
  };
}

/** Uploads a file of products with a row that changes this one and a row that is refused. @returns the preview's id */
async function previewOf(
  market: ReturnType<typeof openMarket>,
  { token }: Session,
  { _id, name, price }: Product,
): Promise<string> {
  const form = new FormData();
  const file = ['id,name,price', `${_id},${name},${price + 1}`, `,${name},-1`].join('\n');
  form.append('file', new Blob([file], { type: 'text/csv' }), 'products.csv');
  const response = await fetch(`${market.url}/api/farm/products/imports`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: form,
  });
  return ((await response.json()) as { data: { _id: string } }).data._id;
}

/** Returns the first day from today on which the farm has something to pick. */
async function firstPickDay(
  market: ReturnType<typeof openMarket>,
  farmer: Session,
): Promise<string> {
  const today = new Date().toISOString().slice(0, 10);
  const data = await market.ask<PickDay[]>(
    'GET',
    `/farm/picklist/days?from=${today}&to=${addDays(today, 13)}`,
    { as: farmer },
  );
  return data.find(({ orders }) => orders > 0)?.date ?? today;
}

/** The title of each page without `· Farmgate`. */
const publicPages: [path: string, title: RegExp][] = [
  ['/', /^Farmgate$/],
  ['/about', /^About$/],
  ['/products', /^Products$/],
  ['/products?search=nothing-like-it&filters=open', /^Products$/],
  ['/products/:product', /\w/],
  ['/farmers', /^Farmers$/],
  ['/farmers/:farmer', /^Green Valley Farm$/],
  ['/help', /^Questions$/],
  ['/no/such/page', /^Page not found$/],
];
/** Every page of each viewer with its title. */
export const pages: Record<Viewer, [path: string, title: RegExp][]> = {
  visitor: [
    ...publicPages,
    ['/login', /^Login$/],
    ['/register', /^Register$/],
    ['/forgot-password', /^Forgot password$/],
    ['/reset-password?token=any', /^Reset password$/],
    ['/setup#token=any', /^Set up$/],
    ['/verify-email?token=nothing', /^Confirm email$/],
    ['/products/nothing', /^Product$/],
    ['/farmers/nobody', /^Farmer$/],
  ],
  consumer: [
    ['/', /^Farmgate$/],
    ['/products/:product', /\w/],
    ['/farmers/:farmer', /^Green Valley Farm$/],
    ['/favorites', /^Favorites$/],
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
    ['/farmer/products', /^My products$/],
    ['/farmer/products?view=stock', /^My products$/],
    ['/farmer/products/add', /^Add product$/],
    ['/farmer/products/edit/:own', /^Edit .+$/],
    ['/farmer/products/edit/nothing', /^Edit product$/],
    ['/farmer/products/import/:import', /^Import$/],
    ['/farmer/products/import/nothing', /^Import$/],
    ['/farmer/orders', /^Orders$/],
    ['/farmer/settings', /^Farm settings$/],
    ['/farmer/settings?section=days', /^Farm settings$/],
    ['/farmer/settings?section=places', /^Farm settings$/],
    ['/farmer/settings?section=payment', /^Farm settings$/],
    ['/farmer/settings?section=people', /^Farm settings$/],
    ['/farmer/picklist?date=:pickDay', /^Pick list of .+$/],
    ['/farmer/picklist?date=:pickDay&view=pack', /^Pick list of .+$/],
    ['/farmer/picklist?date=:pickDay&view=pack&by=product', /^Pick list of .+$/],
    ['/farmer/picklist?date=:pickDay&view=load', /^Pick list of .+$/],
    ['/farmer/picklist?date=2020-01-01', /^Pick list of .+$/],
    ['/farmer/slots', /^Pickup slots$/],
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
    ['/admin/orders/:order', /^Order #[0-9a-f]{8}$/],
    ['/admin/orders/nothing', /^Order #nothing$/],
    ['/admin/users/:farmer', /\w/],
    ['/admin/users/:consumer', /\w/],
    ['/admin/users/nobody', /^User$/],
    ['/admin/products/:own', /^Edit .+$/],
    ['/admin/security', /^Your account$/],
    ['/admin/users?state=suspended', /^Users$/],
    ['/admin/reports', /^Reports$/],
    ['/admin/reports?state=settled&kind=message', /^Reports$/],
    ['/admin/hidden-products', /^Hidden products$/],
    ['/admin/audit', /^Audit$/],
    ['/admin/market', /^Market$/],
    ['/admin/farms', /^Farms$/],
    ['/admin/farms?state=preparing', /^Farms$/],
    ['/admin/farms?state=approved', /^Farms$/],
    ['/admin/audit?action=order.statusChanged&to=2020-01-01', /^Audit$/],
    ['/admin/pages', /^Pages$/],
    ['/admin/pages?page=help', /^Pages$/],
    ['/admin/health', /^Health$/],
    ['/admin/messages', /^Messages$/],
    ['/admin/messages/:consumer', /\w/],
  ],
};

/** Waits until the page has a heading and no loading placeholders. */
export async function waitUntilLoaded(page: Page): Promise<void> {
  await page.locator('main :is(h1, h2), [role=dialog] h2').first().waitFor({ state: 'attached' });
  await page.waitForFunction(
    () => !document.querySelector('main .skeleton, main .animate-late, [role=dialog] .skeleton'),
  );
}

/** Switches the colour scheme and waits until the page's text has its colour. */
export async function setColorScheme(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  await page.waitForFunction((isDark) => {
    const [red] = /\d+/.exec(getComputedStyle(document.body).color) ?? [];
    return Number(red) > 128 === isDark;
  }, colorScheme === 'dark');
}

/** Waits two frames, and then for the transitions and animations that they began, but for endless ones. */
export async function waitUntilStill(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    await frame();
    await frame();
    const ending = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY);
    await Promise.allSettled(ending.map(({ finished }) => finished));
  });
}

/** Goes to another address as a link does. */
export async function follow(page: Page, address: string): Promise<void> {
  await page.evaluate((to) => history.pushState(null, '', to), address);
  await waitUntilLoaded(page);
  // A list that stays, paler, until the next one is there.
  await page.waitForFunction(() => !document.querySelector('main [aria-busy="true"]'));
  await waitUntilStill(page);
}

const require = createRequire(import.meta.url);

/** Puts axe into the page. The context must bypass the content security policy. */
export async function injectAxe(page: Page): Promise<void> {
  await page.evaluate(await readFile(require.resolve('axe-core/axe.min.js'), 'utf8'));
}

/**
 * Returns axe's serious and critical violations of the current page, and all of the rules in `also`,
 * which are off by default or of less weight.
 */
export async function violations(page: Page, also: readonly string[] = []): Promise<string[]> {
  await waitUntilStill(page);
  const options: RunOptions = {
    resultTypes: ['violations'],
    rules: Object.fromEntries(
      ['label-content-name-mismatch', ...also].map((rule) => [rule, { enabled: true }]),
    ),
  };
  const found = await page.evaluate(
    async (runOptions) =>
      (window as unknown as { axe: typeof import('axe-core') }).axe.run(runOptions),
    options,
  );
  return (found as AxeResults).violations
    .filter(({ id, impact }) => impact === 'serious' || impact === 'critical' || also.includes(id))
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
}

/** Returns how far the page's content is wider than the window, in pixels; 0 if it fits. */
export async function sidewaysScroll(page: Page): Promise<number> {
  return page.evaluate(() =>
    Math.max(0, (document.scrollingElement?.scrollWidth ?? 0) - window.innerWidth),
  );
}

/** Puts a product into the cart of a consumer. */
export async function fillCart(page: Page, { addressOf }: PageFixture): Promise<void> {
  await page.goto(addressOf('/products/:product'));
  await page.getByRole('button', { name: 'Add to Cart' }).click();
  await page.getByRole('link', { name: 'Cart (1)' }).waitFor();
}
