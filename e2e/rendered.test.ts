import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import type { Product } from '#contract/catalogue/products/product';
import { until } from '../testing/until.ts';
import { openMarket, REFUSED } from './open-market.ts';
import {
  injectAxe,
  openPageFixture,
  type PageFixture,
  setColorScheme,
  sidewaysScroll,
  violations,
} from './page-list.ts';
import {
  hasStyles,
  holdRequests,
  holdScripts,
  openContext,
  sharedBrowser,
  untilTakenOver,
} from './people.ts';

const market = openMarket({ hasWorker: false });
let fixture: PageFixture;
beforeAll(async () => {
  fixture = await openPageFixture(market);
});

/** The pages that the server renders. */
const PAGES = [
  '/',
  '/about',
  '/products',
  '/products?search=tomatos&sort=price-asc',
  '/products?filters=open&organic=true',
  '/products/:product',
  '/farmers',
  '/farmers?search=green',
  '/farmers/:farmer',
  '/help',
  '/no/such/page',
];

const marked = (page: Page) => page.locator('#root [data-mark]');

it.each([
  { width: 1280, timezoneId: 'Pacific/Auckland' },
  { width: 360, timezoneId: 'America/Los_Angeles' },
])(
  'takes over each page at $width px in $timezoneId without building it again',
  async ({ width, timezoneId }) => {
    const { page, context } = await market.visit({ width, timezoneId, allowedErrors: REFUSED });
    const warnings: string[] = [];
    context.on('console', (message) => {
      if (message.type() === 'warning') warnings.push(message.text());
    });
    for (const address of PAGES) {
      const release = await holdScripts(page);
      await page.goto(fixture.addressOf(address), { waitUntil: 'commit' });
      await page.locator('footer').waitFor();
      const count = await page.evaluate(() => {
        const elements = document.querySelectorAll(
          '#main :not(.first-for-customers *):is(h1, li), footer',
        );
        for (const element of elements) element.setAttribute('data-mark', '');
        return elements.length;
      });
      expect(count).toBeGreaterThan(1);
      const text = await page.locator('#main h1').first().textContent();
      release();
      await untilTakenOver(page);
      expect(await marked(page).count(), address).toBeGreaterThanOrEqual(count);
      expect(await page.locator('#main h1').first().textContent()).toBe(text);
      await page.unrouteAll({ behavior: 'ignoreErrors' });
    }
    expect(warnings).toEqual([]);
  },
);

it('does later what is pressed and typed before the scripts are there', async () => {
  const { page } = await market.visit({ as: 'consumer' });
  let release = await holdScripts(page);
  await page.goto(fixture.addressOf('/products/:product'), { waitUntil: 'commit' });
  // The page has the button in two places until then: see AddToCart.
  await hasStyles(page);
  const add = page.getByRole('button', { name: 'Add to Cart' });
  await add.click();
  await add.click();
  release();
  // Before the cart, since it goes away by itself.
  await page.getByText(/^Added .* to your cart$/).waitFor();
  await page.getByRole('link', { name: 'Cart (1)' }).first().waitFor();
  const cart = await page.evaluate(() => {
    const key = Object.keys(localStorage).find((name) => /^of:.*:cart$/.test(name));
    return JSON.parse(localStorage.getItem(key ?? '') ?? '{}');
  });
  expect(cart.lines).toMatchObject([{ quantity: 1 }]);

  await page.unrouteAll({ behavior: 'ignoreErrors' });
  release = await holdScripts(page);
  await page.goto('/farmers', { waitUntil: 'commit' });
  await page.getByRole('searchbox', { name: 'Search farmers' }).fill('green valley');
  release();
  await page.getByText('1 farm', { exact: true }).waitFor();
  await page.waitForURL(/search=green/);
});

it.each(['its scripts', 'a scroll'])(
  'loads the pictures below the first screen of a phone after %s',
  async (what) => {
    const { page } = await market.visit({ width: 360, height: 740 });
    const release = await holdScripts(page);
    await page.goto('/products', { waitUntil: 'commit' });
    await hasStyles(page);
    const pictures = page.locator('#main article img');
    const isLoaded = (index: number) =>
      pictures.nth(index).evaluate((image: HTMLImageElement) => image.naturalWidth > 0);
    for (const index of [0, 1, 2, 3]) {
      await until(`picture ${index} to be there`, () => isLoaded(index));
    }
    expect(await pictures.nth(4).isVisible()).toBe(false);

    if (what === 'a scroll') await page.mouse.wheel(0, 300);
    else release();
    await until('the next picture to be there', () => isLoaded(4));
    release();
    await untilTakenOver(page);
  },
);

it('shows a signed-in customer their own home from the first paint on', async () => {
  const { page } = await market.visit({ as: 'consumer' });
  const release = await holdScripts(page);
  await page.goto('/', { waitUntil: 'commit' });
  await hasStyles(page);
  const heading = page.getByRole('heading', { name: 'Good food grows near you.' });
  await heading.waitFor();
  const { height } = (await heading.boundingBox()) ?? { height: 0 };
  expect(await page.getByRole('link', { name: 'Register' }).count()).toBe(0);
  expect(await page.getByRole('heading', { name: 'Featured products' }).count()).toBe(0);
  const answer = await holdRequests(page, '**/api/orders/consumer*');
  const asked = page.waitForRequest('**/api/orders/consumer*');
  release();
  await asked;
  // The skeleton of the server's page stays, and does not fade in again.
  const status = page.locator('#main').getByRole('status').first();
  await status.waitFor();
  expect(await status.evaluate((element) => getComputedStyle(element).animationName)).toBe('none');
  answer();
  await page.getByRole('heading', { name: 'Featured products' }).waitFor();
  await expect.poll(() => heading.boundingBox()).toMatchObject({ height });
});

it('leaves room for the rail of a farmer, whose own hidden product is there again', async () => {
  const farmer = await market.createFarm('Quiet Corner');
  const product = await market.createProduct(farmer, { name: 'Not yet ripe', isActive: false });
  const { page } = await market.visit({ as: farmer, allowedErrors: REFUSED });
  const release = await holdScripts(page);
  const response = await page.goto(`/products/${product._id}`, { waitUntil: 'commit' });
  expect(response?.status()).toBe(404);
  const main = page.locator('#main');
  await main.waitFor({ state: 'attached' });
  await hasStyles(page);
  const { x } = (await main.boundingBox()) ?? { x: 0 };
  expect(x).toBeGreaterThan(0);
  expect(await main.getByText('Product not found').isVisible()).toBe(false);
  release();
  await page.getByRole('heading', { name: 'Not yet ripe', level: 1 }).waitFor();
  await expect.poll(() => main.boundingBox()).toMatchObject({ x });
});

it('shows the shell and its spinner on private pages, which search engines leave out', async () => {
  const { headers } = await fetch(`${market.url}/orders`);
  expect(headers.get('x-robots-tag')).toBe('noindex');
  const open = await fetch(`${market.url}/products`);
  expect(open.headers.get('x-robots-tag')).toBe(null);
});

it('lets one read, search, sort and page through the market without scripts', async () => {
  const context = await openContext(await sharedBrowser(), {
    baseURL: market.url,
    javaScriptEnabled: false,
  });
  const page = await context.newPage();
  await page.goto('/');
  await page.getByRole('link', { name: 'Shop Now' }).click();
  await page.waitForURL('**/products');
  const names = () => page.locator('article h3').allTextContents();
  const first = await names();
  expect(first).toHaveLength(24);
  await page.setViewportSize({ width: 360, height: 740 });
  await page.locator('article img').nth(4).waitFor();
  await page.setViewportSize({ width: 1280, height: 800 });
  // By keyboard: cards that are painted as they come near move the link, and without scripts a click cannot follow it.
  await page.getByRole('link', { name: 'Next page' }).press('Enter');
  await page.waitForURL(/cursor=/);
  const second = await names();
  expect(second.length).toBeGreaterThan(0);
  expect(second.filter((name) => first.includes(name))).toEqual([]);

  await page.goto('/products');
  await page.getByRole('combobox', { name: 'Sort by' }).selectOption('price-asc');
  await page.getByRole('button', { name: 'Search' }).click();
  await page.waitForURL(/sort=price-asc/);
  const data = await market.ask<Product[]>('GET', '/products?sort=price-asc&limit=24');
  expect(await names()).toEqual(data.map(({ name }) => name));

  await page.getByRole('link', { name: 'Filters' }).click();
  await page.getByRole('checkbox', { name: /Organic/ }).check();
  await page.getByRole('button', { name: 'Show products' }).click();
  await page.waitForURL(/organic=true/);
  const count = await page.locator('article').count();
  expect(await page.locator('article').getByText('Organic', { exact: true }).count()).toBe(count);

  await page.goto('/farmers');
  await page.getByRole('searchbox', { name: 'Search farmers' }).fill('green valley');
  await page.getByRole('searchbox', { name: 'Search farmers' }).press('Enter');
  await page.waitForURL(/search=green/);
  await page.getByText('1 farm', { exact: true }).waitFor();

  await page
    .getByRole('link', { name: /Green Valley Farm/ })
    .first()
    .click();
  await page.waitForURL(/\/farmers\/[\w-]+$/);
  await page.getByRole('heading', { name: 'Green Valley Farm', level: 1 }).waitFor();
  const sold = page
    .locator('article')
    .filter({ has: page.getByRole('link') })
    .first();
  const name = (await sold.locator('h3').textContent()) ?? '';
  await sold.getByRole('link', { name }).first().click();
  await page.waitForURL(/\/products\/[\w-]+$/);
  await page.getByRole('heading', { name, level: 1 }).waitFor();
  await page.getByText('Green Valley Farm').first().waitFor();
  await page.getByText(/^₨\d/).first().waitFor();

  const missing = await page.goto('/no/such/page');
  expect(missing?.status()).toBe(404);
  await page.getByRole('link', { name: 'Back to Home' }).click();
  await page.waitForURL(`${market.url}/`);

  await page.goto('/login');
  expect(await page.locator('noscript p').textContent()).toMatch(
    /^\s*Farmgate needs JavaScript to show this page\./,
  );
  await context.close();
});

it('has the stock of the API in the next page, and takes a product that is gone off it', async () => {
  const farmer = await market.createFarm('Swift Creek');
  const product = await market.createProduct(farmer, { name: 'Creek Cress', quantityAvailable: 9 });
  const read = async (path: string) => {
    const response = await fetch(market.url + path);
    return { status: response.status, html: await response.text() };
  };
  const address = `/products/${product._id}`;
  const list = '/products?search=Creek+Cress';
  for (const path of [address, list, address, list]) {
    expect((await read(path)).html).toContain('Only 9 lb left');
  }
  await market.call('PUT', address, { as: farmer, body: { quantityAvailable: 3 } });
  for (const path of [address, list]) {
    const { html } = await read(path);
    expect(html).toContain('Only 3 lb left');
    expect(html).not.toContain('Only 9 lb left');
  }
  await market.call('DELETE', address, { as: farmer });
  const gone = await read(address);
  expect(gone.status).toBe(404);
  expect(gone.html).toContain('Product not found');
  expect((await read(list)).html).not.toContain('Creek Cress</a>');
});

it('is live after it is taken over', async () => {
  const farmer = await market.createFarm('Bell Yard');
  const product = await market.createProduct(farmer, { name: 'Bell Beans', quantityAvailable: 40 });
  const { page } = await market.visit();
  await page.goto(`/products/${product._id}`);
  await page.getByText('40 lb').first().waitFor();
  await market.call('PUT', `/products/${product._id}`, {
    as: farmer,
    body: { quantityAvailable: 7 },
  });
  await page.getByText('Only 7 lb left').waitFor();
});

it('has no violations that axe finds before its scripts are there, in both themes', async () => {
  const { page } = await market.visit({
    bypassCSP: true,
    allowedErrors: /ERR_FAILED|status of 404/,
  });
  await page.route('**/assets/*.js', (route) => route.abort());
  // Else the page would be loaded again.
  await page.addInitScript(() => sessionStorage.setItem('reloads-without-scripts', '3'));
  for (const address of PAGES) {
    await page.goto(fixture.addressOf(address), { waitUntil: 'load' });
    await page.getByText(/couldn't be loaded completely/).waitFor();
    await injectAxe(page);
    for (const colorScheme of ['light', 'dark'] as const) {
      await setColorScheme(page, colorScheme);
      expect(await violations(page), `${address}, ${colorScheme}`).toEqual([]);
    }
  }
});

it('shows stored text to the letter, and lets none of it be mark-up', async () => {
  const text = '</script><script>document.title="x"</script><b title="&quot;">\u2028{{7*7}}';
  const farmer = await market.createFarm('Odd <i>Words</i> & "Sons"');
  const product = await market.createProduct(farmer, {
    name: 'Odd <b>beets</b> "&amp;"',
    description: text,
  });
  const { page } = await market.visit();
  const response = await page.goto(`/products/${product._id}`);
  const html = (await response?.text()) ?? '';
  expect(html).not.toContain('<script>document');
  expect(html).not.toContain('<b>beets');
  await page.getByRole('heading', { name: product.name, level: 1 }).waitFor();
  await page.getByText('{{7*7}}').waitFor();
  expect(await page.title()).toBe(`${product.name} · Farmgate`);
  const structured = await page
    .locator('script[type="application/ld+json"]')
    .evaluateAll((all) => all.map((each) => JSON.parse(each.textContent ?? '')));
  expect(structured[0]).toMatchObject({
    '@type': 'Product',
    name: product.name,
    // A separator of lines is stored as a line break.
    description: text.replace('\u2028', '\n'),
  });
  const shared = (name: string) =>
    page.locator(`meta[property="og:${name}"]`).getAttribute('content');
  expect(await shared('title')).toContain(product.name);
  expect(await page.locator('link[rel="canonical"]').getAttribute('href')).toBe(
    `${market.url}/products/${product._id}`,
  );
});

it.each([
  ['the end of a script', '</script><script>document.title="x"</script>'],
  ['quotes and entities', `"><i title='&quot;'>\`&amp;`],
  ['right-to-left text', 'فلفل طازج من المزرعة'],
  ['a very long word', 'W'.repeat(58)],
])('shows %s in the names of farms, pages and the market to the letter', async (_, text) => {
  const { sessions } = fixture;
  const rename = (name: string) =>
    market.call('PUT', '/market', { as: sessions.admin, body: { name } });
  const farmer = await market.createFarm(text);
  const product = await market.createProduct(farmer, { name: text, description: text });
  await market.call('PUT', '/market/pages/help', {
    as: sessions.admin,
    body: { title: text, body: `Ask ${text} at the gate.` },
  });
  await rename(text);
  try {
    const { page } = await market.visit({ width: 360, height: 740 });
    for (const [address, heading] of [
      [`/farmers/${farmer.user._id}`, text],
      [`/products/${product._id}`, text],
      ['/help', text],
      [`/products?search=${encodeURIComponent(text)}`, 'Products'],
      ['/', undefined],
      ['/login', undefined],
    ] as const) {
      const html = (await (await page.goto(address))?.text()) ?? '';
      expect(html, address).not.toMatch(/<script>document|<i title=/);
      if (heading) await page.getByRole('heading', { level: 1 }).first().waitFor();
      if (heading === text) {
        expect(await page.getByRole('heading', { level: 1 }).first().textContent()).toBe(text);
      }
      await until('the title', async () => (await page.title()).endsWith(text));
      expect(
        await page
          .locator('script')
          .evaluateAll(
            (all) =>
              all.filter((each) => !each.hasAttribute('src') && !each.getAttribute('type')).length,
          ),
        address,
      ).toBe(0);
      expect(await sidewaysScroll(page), address).toBe(0);
    }
  } finally {
    await rename('Farmgate');
  }
});

it('shows its own address as the canonical one after going on', async () => {
  const { page } = await market.visit();
  await page.goto('/');
  await page.getByRole('link', { name: 'About', exact: true }).first().click();
  await page.getByRole('heading', { name: 'About Farmgate' }).waitFor();
  await until('the address', async () => {
    const href = await page.locator('link[rel="canonical"]').getAttribute('href');
    return href === `${market.url}/about`;
  });
});
