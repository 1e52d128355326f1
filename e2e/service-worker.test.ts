import { existsSync, readFileSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { until } from '../testing/until.ts';
import { expectNoReload } from './live/helpers.ts';
import { openPerson, type Person, sharedBrowser } from './people.ts';

const FOLDER = 'dist/web';
const readBuilt = (name: string) => readFileSync(path.join(FOLDER, name), 'utf8');

const builtWorker = readBuilt('sw.js');
const builtPage = readBuilt('index.html');
/** The files that a worker caches when the page asks it to cache everything. */
const { first, rest } = JSON.parse(/^const BUILD = (.*);$/m.exec(builtWorker)?.[1] ?? '{}') as {
  first: string[];
  rest: string[];
};
const entry = /"entry":"([^"]+)"/.exec(builtWorker)?.[1] ?? '';
const nextEntry = entry.replace('.js', '-next.js');

/** The worker of before builds were kept, which showed push messages alone. */
const PUSH_ALONE = `
  self.addEventListener('install', () => self.skipWaiting());
  self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
  self.addEventListener('push', () => {});
`;

const nextBuild = (text: string) => text.replaceAll(entry, nextEntry);

/** What the server serves, which a test changes as a release does. */
let worker: string;
let html: string;
/** The paths of pages that do not answer. */
let silent: RegExp | undefined;
/** The paths of pages and files that are there no more. */
let gone: RegExp | undefined;
let requested: string[];
let server: Server;
let url: string;
let person: Person;

const TYPES: Record<string, string> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.webmanifest': 'application/manifest+json',
};

function send(response: ServerResponse, type: string, body: string | Buffer, status = 200): void {
  response.writeHead(status, {
    'Content-Type': type,
    'Cache-Control': 'no-cache',
    'Content-Security-Policy': "default-src 'self'; style-src 'self'; connect-src 'self'",
  });
  response.end(body);
}

beforeEach(async () => {
  worker = builtWorker;
  html = builtPage;
  silent = undefined;
  gone = undefined;
  requested = [];
  server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    requested.push(pathname);
    if (silent?.test(pathname)) return;
    if (pathname.startsWith('/api/') || pathname.startsWith('/socket.io/')) {
      send(response, 'application/json', '{"success":false,"message":"Away","code":"AWAY"}', 503);
    } else if (pathname === '/sw.js') {
      send(response, 'text/javascript', worker);
    } else {
      const file = path.join(FOLDER, pathname.replace('-next.js', '.js'));
      const type = TYPES[path.extname(file)];
      if (type && gone?.test(pathname)) send(response, type, '', 404);
      else if (type && existsSync(file)) send(response, type, readFileSync(file));
      else send(response, 'text/html', html, gone?.test(pathname) ? 404 : 200);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  person = await openPerson(await sharedBrowser(), url, { hasWorker: true });
});
afterEach(async () => {
  await person.context.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

/** Waits for something in the page, using it meanwhile: nothing is kept for a visitor who does nothing. */
const untilOnPage = (page: Page, what: string, condition: () => boolean | Promise<boolean>) => {
  let moves = 0;
  return until(what, async () => {
    await page.mouse.move(100 + (moves++ % 50), 100);
    return condition();
  });
};
/** Waits until the worker keeps the page's first files. */
const untilInstalled = (page: Page) =>
  untilOnPage(page, 'the service worker', () =>
    page.evaluate(
      async () =>
        navigator.serviceWorker.controller !== null &&
        (await caches.match('/index.html', { ignoreVary: true })) !== undefined,
    ),
  );
const keptNames = (page: Page) => page.evaluate(() => caches.keys());
const untilPageKept = (page: Page, address: string) =>
  until(`${address} to be kept`, () =>
    page.evaluate(
      async (kept) => (await caches.match(kept, { ignoreVary: true })) !== undefined,
      address,
    ),
  );
const bar = (page: Page) => page.getByRole('link', { name: 'Farmgate', exact: true }).first();

async function stopServer(): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

it('opens every kind of page without a server, with the headers of the server', async () => {
  const { page } = person;
  await page.goto('/about');
  await untilInstalled(page);
  await page.evaluate(() => navigator.serviceWorker.controller?.postMessage('keep everything'));
  await until('all files to be kept', () =>
    page.evaluate(
      async (names) => {
        const kept = await Promise.all(names.map((name) => caches.match(name)));
        return kept.every((response) => response !== undefined);
      },
      [...first, ...rest],
    ),
  );
  await stopServer();
  for (const address of ['/about', '/products', '/login', '/orders', '/no/such/page']) {
    const response = await page.goto(address);
    expect(response?.headers()['content-security-policy']).toContain("default-src 'self'");
    await bar(page).waitFor();
  }
  await page.getByRole('heading', { name: /harvested already/ }).waitFor();
});

it('shows a private page without asking the network, and a public one when the network is slow', async () => {
  const { page } = person;
  await page.goto('/about');
  await untilInstalled(page);
  await page.goto('/about');
  await untilPageKept(page, '/about');
  silent = /^\/(login|about|products)$/;
  requested.length = 0;
  await page.goto('/login');
  await bar(page).waitFor();
  expect(requested).not.toContain('/login');
  await page.goto('/about');
  await bar(page).waitFor();
  // Not kept as a page, so the shell stands in for it.
  await page.goto('/products');
  await bar(page).waitFor();
  await until('the network to be asked', () => requested.includes('/products'));
});

it('removes a page that is there no more', async () => {
  const { page } = person;
  await page.goto('/about');
  await untilInstalled(page);
  await page.goto('/about');
  await untilPageKept(page, '/about');
  gone = /^\/about$/;
  await page.goto('/about');
  await until('the page to be forgotten', () =>
    page.evaluate(async () => (await caches.match('/about', { ignoreVary: true })) === undefined),
  );
});

it('leaves what only the server knows to the server', async () => {
  const { page } = person;
  await page.goto('/about');
  await untilInstalled(page);
  const answer = await page.goto('/api/docs');
  expect(answer?.status()).toBe(503);
  expect(requested).toContain('/api/docs');
});

it('takes over from the worker that showed push messages alone', async () => {
  const { page } = person;
  worker = PUSH_ALONE;
  await page.goto('/about');
  await untilOnPage(page, 'the old worker', () =>
    page.evaluate(() => navigator.serviceWorker.controller !== null),
  );
  expect(await keptNames(page)).toEqual([]);
  worker = builtWorker;
  await page.goto('/products');
  await untilInstalled(page);
  // The page is of the same build already, so it is not loaded again.
  const isNotReloaded = await expectNoReload(person);
  await page.getByRole('link', { name: 'About' }).first().click();
  await page.waitForURL('**/about');
  await bar(page).waitFor();
  await isNotReloaded();
});

it('leaves a page as it is when a new build comes, and takes it with the next address', async () => {
  const { page } = person;
  await page.goto('/login');
  await untilInstalled(page);
  await page.evaluate(() => {
    Object.assign(window, { isOldPage: true });
    // The worker is not asked meanwhile: one that keeps getting messages does not give way.
    navigator.serviceWorker.addEventListener('controllerchange', () =>
      Object.assign(window, { hasNewWorker: true }),
    );
  });
  await page.getByLabel('Email').fill('ann@example.org');

  worker = builtWorker.replace(/"id":"\w+"/, '"id":"next"').replaceAll(entry, nextEntry);
  html = nextBuild(builtPage);
  await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.update());
  await until('the new build', async () =>
    (await keptNames(page)).some((name) => name.endsWith('files-next')),
  );
  await until('the new worker', () => page.evaluate(() => 'hasNewWorker' in window));
  const build = await page.evaluate(
    () =>
      new Promise((resolve) => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = ({ data }) => resolve(data);
        navigator.serviceWorker.controller?.postMessage('which build', [port2]);
      }),
  );
  expect(build).toBe(nextEntry);
  expect(await page.getByLabel('Email').inputValue()).toBe('ann@example.org');
  // The files of the build before are still there for this page.
  expect((await keptNames(page)).filter((name) => name.includes('files'))).toHaveLength(2);

  await page.getByRole('link', { name: 'About' }).first().click();
  // Not `evaluate`, which fails when the old page goes meanwhile.
  await page.waitForFunction(() => !('isOldPage' in window));
  await bar(page).waitFor();
  expect(new URL(page.url()).pathname).toBe('/about');
  expect(
    await page.evaluate(
      (src) => document.querySelector(`script[src="${src}"]`) !== null,
      nextEntry,
    ),
  ).toBe(true);
});

it('gives up its shell where a file of its build is gone from the server', async () => {
  const { page } = person;
  await page.goto('/about');
  await untilInstalled(page);
  // Released anew, and the worker does not know yet.
  gone = /LoginPage/;
  html = nextBuild(builtPage);
  await page.getByRole('link', { name: 'Login' }).first().click();
  await page.waitForFunction((src) => document.querySelector(`script[src="${src}"]`), nextEntry);
  expect(new URL(page.url()).pathname).toBe('/login');
});

it('does not keep a shell of another build while a release is under way', async () => {
  const { page } = person;
  html = nextBuild(builtPage);
  await page.goto('/about');
  await untilOnPage(page, 'the worker to give up', () => requested.includes('/sw.js'));
  await page.evaluate(async () => {
    await navigator.serviceWorker.register('/sw.js').catch(() => undefined);
  });
  const state = await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration();
    return registration?.active?.state ?? 'none';
  });
  expect(state).toBe('none');
});
