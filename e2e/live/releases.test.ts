import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { Product } from '#contract/catalogue/products/product';
import { until } from '../../testing/until.ts';
import { callApi } from '../faults/helpers.ts';
import {
  ACCOUNTS,
  openPerson,
  PASSWORD,
  type Person,
  type Session,
  sharedBrowser,
  signIn,
} from '../people.ts';
import { type RunningProxy, startProxy } from '../proxy.ts';
import { buildReleases, type Releases, SECOND_WORD } from '../releases.ts';
import { freePort, type Program, printOutput, type Stack, startStack } from '../stack.ts';
import { badge, expectNoReload } from './helpers.ts';

// Two releases of the product, behind one address whose requests and sockets go to any of the servers.

let releases: Releases;
let stack: Stack;
let proxy: RunningProxy;
let browser: Browser;
let url: string;
/** The servers of each release that run. */
let servers: Program[] = [];
const people: Person[] = [];

const portOf = (server: Program) => Number(new URL(server.url).port);

/** Has these releases served from now on, each by a server of its own. */
async function serve(...folders: string[]): Promise<void> {
  const ended = servers;
  servers = [];
  for (const folder of folders)
    servers.push(await stack.startServer(undefined, `${folder}/server`));
  proxy.targets = servers.map(portOf);
  await Promise.all(ended.map((server) => server.end()));
}

beforeAll(async () => {
  const port = await freePort();
  url = `http://localhost:${port}`;
  [releases, browser] = await Promise.all([buildReleases(), sharedBrowser()]);
  stack = await startStack({ programs: releases.programs, env: { PUBLIC_URL: url } });
  servers = [...stack.servers];
  proxy = await startProxy(port, servers.map(portOf));
});
afterEach(async ({ task }) => {
  await Promise.all(people.splice(0).map(({ context }) => context.close()));
  if (task.result?.state === 'fail') printOutput(stack);
});
afterAll(async () => {
  proxy?.close();
  await stack?.close();
  await releases?.remove();
});

/** A tab, what it could not load, and how often it has loaded a page. */
type Tab = Person & { missing: string[]; loads: () => number };

async function open(address: string, options: Parameters<typeof openPerson>[2] = {}): Promise<Tab> {
  const person = await openPerson(browser, url, options);
  people.push(person);
  const missing: string[] = [];
  let loads = 0;
  person.page.on('response', (response) => {
    const { pathname } = new URL(response.url());
    if (pathname.startsWith('/assets/') && response.status() >= 400) missing.push(pathname);
  });
  person.page.on('domcontentloaded', () => loads++);
  await person.page.goto(address);
  return { ...person, missing, loads: () => loads };
}

const releaseOf = (page: Page) =>
  page.evaluate(() => {
    const scripts = [...document.querySelectorAll<HTMLScriptElement>('script[type="module"]')];
    return new URL(scripts.at(-1)?.src ?? '', location.origin).pathname;
  });
const untilRelease = (page: Page, name: string) =>
  // Not `evaluate`, which fails when the page is loaded again meanwhile.
  page.waitForFunction((src) => document.querySelector(`script[src="${src}"]`), name);
const scriptsOf = (html: string) =>
  Array.from(html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g), ([, address = '']) => address);
const alert = (page: Page) => page.getByRole('alert');

/** Waits until the tab can take another release, for which it loads a file when it is idle. */
const untilReady = (page: Page) =>
  until('the file that takes releases', async () => {
    await page.mouse.move(100, 100 + Math.round(performance.now() % 50));
    return page.evaluate(() =>
      performance.getEntriesByType('resource').some(({ name }) => name.includes('/assets/worker-')),
    );
  });

/** Goes to one page after the other until the tab is of the release. */
async function goUntilRelease(page: Page, links: readonly string[], name: string): Promise<void> {
  let clicks = 0;
  await until('the newer release', async () => {
    await page
      .getByRole('link', { name: links[clicks++ % links.length] ?? '' })
      .first()
      .click();
    return (await releaseOf(page).catch(() => '')) === name;
  });
}

it('goes on with its own files after a build in its place', async () => {
  await releases.switchTo(releases.second.folder);
  // The first request for a page of the server, and one for the shell.
  for (const address of ['/about', '/login']) {
    const answer = await fetch(url + address);
    const html = await answer.text();
    expect(answer.headers.get('x-release')).toBe(releases.first.name);
    expect(html).toContain(releases.first.name);
    expect(html).not.toContain(SECOND_WORD);
    // Answers of the API name it too, also those that are kept in memory.
    for (let times = 0; times < 2; times++) {
      const { headers } = await fetch(`${url}/api/categories`);
      expect(headers.get('x-release')).toBe(releases.first.name);
    }
    for (const file of scriptsOf(html)) expect((await fetch(url + file)).status, file).toBe(200);
  }
  const { page, missing, pageErrors } = await open('/about');
  await page.getByRole('link', { name: 'Products' }).first().click();
  await page.getByRole('heading', { name: 'Products', level: 1 }).waitFor();
  expect([missing, pageErrors]).toEqual([[], []]);
  // What is started next is the newer one.
  await serve(path.dirname(releases.programs));
  expect((await fetch(url)).headers.get('x-release')).toBe(releases.second.name);
});

it('lets old and new tabs sign in, order and stay live while two releases are served', async () => {
  await serve(releases.first.folder);
  const oldFarmer = await open('/farmer/orders', { as: 'farmer' });
  const oldVisitor = await open('/about');
  const [first] = servers;
  if (!first) throw new Error('No server runs.');
  servers = [first, await stack.startServer(undefined, `${releases.second.folder}/server`)];
  proxy.targets = servers.map(portOf);

  // An old tab goes where it has not been.
  await oldVisitor.page.getByRole('link', { name: 'Farmers' }).first().click();
  await oldVisitor.page.getByRole('heading', { name: /farm/i, level: 1 }).waitFor();

  const buyer = await open('/');
  for (const address of ['/', '/about', '/farmers', '/register', '/products', '/login'])
    await buyer.page.goto(address);
  await buyer.page.getByRole('textbox', { name: 'Email', exact: true }).fill(ACCOUNTS.consumer);
  await buyer.page.locator('input[name=password]').fill(PASSWORD);
  await buyer.page.getByRole('button', { name: 'Sign in' }).click();
  await buyer.page.getByText('Login successful!').waitFor();

  const farmer = await signIn(url, ACCOUNTS.farmer);
  const figs = await createProduct(farmer);
  await buyer.page.goto(`/products/${figs._id}`);
  await buyer.page.getByRole('button', { name: 'Add to Cart' }).click();
  await buyer.page.getByText('Added Figs to your cart').waitFor();
  await buyer.page.goto('/checkout');
  await buyer.page
    .getByRole('group', { name: 'Next pickup days' })
    .getByRole('radio')
    .nth(1)
    .check({ force: true });
  await buyer.page.getByLabel('Pickup time').fill('10:30');
  await buyer.page.getByRole('button', { name: 'Place Order' }).click();
  await buyer.page.waitForURL(/\/orders\/[0-9a-f-]{36}$/);
  const id = new URL(buyer.page.url()).pathname.split('/').at(-1) ?? '';

  // The old tab shows it, and the new tab its answer.
  await oldFarmer.page
    .getByText(`#${id.slice(0, 8)}`)
    .first()
    .waitFor();
  const { token } = farmer;
  await callApi(url, 'PUT', `/orders/${id}`, { token, body: { status: 'accepted' } });
  await buyer.page.getByText('Accepted', { exact: true }).first().waitFor();
  await oldFarmer.page.getByText('Accepted', { exact: true }).first().waitFor();
  for (const { missing, pageErrors } of [oldFarmer, oldVisitor, buyer])
    expect([missing, pageErrors]).toEqual([[], []]);
});

async function createProduct({ token }: Session): Promise<Product> {
  const { body: categories } = await callApi(url, 'GET', '/categories', { token });
  const { body } = await callApi(url, 'POST', '/products', {
    token,
    body: {
      ...{ name: 'Figs', description: 'Sweet and soft.', category: categories.data[0]._id },
      ...{ quantityAvailable: 50, price: 2, unit: 'lb' },
    },
  });
  return body.data;
}

it('takes the newer release with the next address, once, and keeps what is typed', async () => {
  await serve(releases.first.folder);
  const { user } = await signIn(url, ACCOUNTS.consumer);
  const tab = await open(`/messages/${user._id}`, { as: 'farmer' });
  const { page } = tab;
  await badge(tab, 'Live').waitFor();
  await untilReady(page);
  const text = page.getByRole('textbox', { name: /message/i });
  await text.fill('The figs are');

  await serve(releases.second.folder);
  const isNotReloaded = await expectNoReload(tab);
  await until('the newer release to be known', async () => {
    await fetch(url);
    return badge(tab, 'Live').isVisible();
  });
  await isNotReloaded();
  expect(await text.inputValue()).toBe('The figs are');
  const before = tab.loads();
  await goUntilRelease(page, ['Orders', 'Products'], releases.second.name);
  await page.goBack();
  await page.goto(`/messages/${user._id}`);
  expect(await text.inputValue()).toBe('The figs are');
  // One load for the release, and that of `goto`.
  await page.getByRole('link', { name: 'Orders' }).first().click();
  await page.getByRole('heading', { name: 'Orders', level: 1 }).waitFor();
  expect(tab.loads() - before).toBe(2);
  expect(tab.pageErrors.filter((error) => !/WebSocket|ERR_/.test(error))).toEqual([]);
});

it('takes it with a service worker too', async () => {
  await serve(releases.first.folder);
  const { page } = await open('/farmer/orders', { as: 'farmer', hasWorker: true });
  await untilReady(page);
  const keptBuilds = () =>
    page.evaluate(async (): Promise<string[]> => {
      const kept = await caches.match('/index.html', { ignoreVary: true });
      return navigator.serviceWorker.controller && kept ? caches.keys() : [];
    });
  await until('the worker', async () => (await keptBuilds()).length > 0);
  const old = await keptBuilds();
  await page.goto('/farmer/orders');
  expect(await releaseOf(page)).toBe(releases.first.name);
  await untilReady(page);

  await serve(releases.second.folder);
  await until('the newer worker', async () => {
    const names = await keptBuilds();
    return names.some((name) => name.includes('files') && !old.includes(name));
  });
  await goUntilRelease(page, ['Products', 'Orders'], releases.second.name);
  // From the worker, which has the newer one.
  await page.goto('/farmer/products');
  expect(await releaseOf(page)).toBe(releases.second.name);
});

it('takes it at once, and without a word, where a file is gone', async () => {
  await serve(releases.first.folder);
  const tab = await open('/about');
  await tab.page.addInitScript(() => {
    new MutationObserver(() => {
      const text = document.querySelector('main [role="alert"]')?.textContent;
      if (text) sessionStorage.setItem('said', text);
    }).observe(document, { childList: true, subtree: true });
  });
  await tab.page.reload();
  await serve(releases.second.folder);
  // As a week later.
  const shared = path.join(stack.folder, 'assets');
  const own = await readdir(path.join(releases.second.folder, 'web/assets'));
  for (const name of await readdir(shared)) if (!own.includes(name)) await rm(`${shared}/${name}`);

  await tab.page.getByRole('link', { name: 'Farmers' }).first().click();
  await untilRelease(tab.page, releases.second.name);
  await tab.page.getByRole('heading', { name: /farm/i, level: 1 }).waitFor();
  expect(new URL(tab.page.url()).pathname).toBe('/farmers');
  expect(tab.missing.some((file) => file.includes('FarmersPage'))).toBe(true);
  expect(await tab.page.evaluate(() => sessionStorage.getItem('said'))).toBeNull();
});

it('takes a release once for a file that cannot be loaded, before anything is said', async () => {
  await serve(releases.second.folder);
  const tab = await open('/about');
  const { page } = tab;
  let refusals = 1;
  await page.route(/FarmersPage|LoginPage/, (route) =>
    refusals-- > 0 ? route.fulfill({ status: 404 }) : route.continue(),
  );
  await page.getByRole('link', { name: 'Farmers' }).first().click();
  await page.getByRole('heading', { name: 'Our Farmers', level: 1 }).waitFor();
  // Chromium keeps what a module has failed with as long as the document lives, unless a preload was first.
  expect(tab.loads()).toBeLessThanOrEqual(2);
  expect(tab.missing).toHaveLength(1);
  expect(await alert(page).count()).toBe(0);

  refusals = Number.POSITIVE_INFINITY;
  await page.getByRole('link', { name: 'Login' }).first().click();
  await alert(page)
    .getByText(/ran into a problem/)
    .waitFor();
  expect(tab.loads()).toBe(2);
  refusals = 0;
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('textbox', { name: 'Email', exact: true }).waitFor();
});

it('loads a page again whose first scripts could not be loaded', async () => {
  await serve(releases.second.folder);
  const person = await openPerson(browser, url);
  people.push(person);
  let refusals = 1;
  await person.page.route(`**${releases.second.name}`, (route) =>
    refusals-- > 0 ? route.fulfill({ status: 404 }) : route.continue(),
  );
  await person.page.goto('/about');
  await person.page.getByText(SECOND_WORD).first().waitFor();
  expect(await releaseOf(person.page)).toBe(releases.second.name);
});
