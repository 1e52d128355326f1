import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import Koa from 'koa';
import { afterAll, afterEach, expect, it } from 'vitest';
import { DEFAULT_MARKET, setMarket } from '#contract/platform/market/constants';
import { setReader } from '#contract/platform/text/constants/reader';
import { followReaders, readerOf } from '../market/readers.ts';
import { serveWeb } from './serve-web.ts';

const SHELL =
  '<title>Farmgate</title><span>Farmgate</span><noscript>Farmgate needs JavaScript</noscript>';
const NAME = `Tom & Ann's </title> $& "Market"`;

/** Those of the source, which are built as they are. */
const MANIFESTS = readdirSync('web/public').filter((name) => name.endsWith('.webmanifest'));
const SCREENSHOTS = [{ src: '/screenshots/farm-orders-wide.webp' }];

const directory: string = mkdtempSync(path.join(tmpdir(), 'farmgate-web-'));
mkdirSync(path.join(directory, 'assets'));
const files = {
  'index.html': SHELL,
  'manifest-farmer.webmanifest': JSON.stringify({
    name: 'Farmgate',
    short_name: 'Farmgate',
    id: '/',
    screenshots: SCREENSHOTS,
  }),
  'assets/a.js': 'Farmgate',
};
for (const name of MANIFESTS)
  if (!(name in files))
    writeFileSync(path.join(directory, name), readFileSync(`web/public/${name}`));
for (const [name, text] of Object.entries(files)) writeFileSync(path.join(directory, name), text);
/** The storage of all servers: what another release has left there. */
const shared = {
  read: async (name: string) => {
    if (name === 'silent-12345678.js') throw new Error('The bucket does not answer');
    return name === 'older-12345678.js' ? Buffer.from('older();') : undefined;
  },
};
const server: Server = new Koa().use(serveWeb(shared, directory)).listen(0, '127.0.0.1');
await once(server, 'listening');
const url: string = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
afterEach(() => setMarket(DEFAULT_MARKET));
afterAll(() => {
  server.close();
  rmSync(directory, { recursive: true });
});

const open = async (address: string, headers: Record<string, string> = {}) => {
  const response = await fetch(url + address, { headers });
  return { status: response.status, headers: response.headers, text: await response.text() };
};

it.each(['/', '/index.html', '/login', '/orders/some', '/messages/', '/%E0%A4%A'])(
  'serves the shell in the market’s name at %s',
  async (address) => {
    expect(await open(address)).toMatchObject({ status: 200, text: SHELL });
    setMarket({ ...DEFAULT_MARKET, name: NAME });
    const { status, text, headers } = await open(address);
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(headers.get('cache-control')).toBe('no-cache');
    const escaped = 'Tom &amp; Ann&#39;s &lt;/title&gt; $&amp; &quot;Market&quot;';
    expect(text).toBe(SHELL.replaceAll('Farmgate', () => escaped));
  },
);

it('asks for the shell again, and sends it once for a name', async () => {
  const etag = (await open('/login')).headers.get('etag') ?? '';
  // As browsers ask; `fetch` of Node would ask for a fresh one.
  const known = { 'if-none-match': etag, 'cache-control': 'max-age=0' };
  expect((await open('/orders', known)).status).toBe(304);
  setMarket({ ...DEFAULT_MARKET, name: 'Hill Market' });
  expect((await open('/orders', known)).status).toBe(200);
});

it('names the installed application after the market', async () => {
  setMarket({ ...DEFAULT_MARKET, name: NAME });
  const { headers, text } = await open('/manifest-farmer.webmanifest');
  expect(headers.get('content-type')).toBe('application/manifest+json; charset=utf-8');
  expect(JSON.parse(text)).toEqual({ name: NAME, short_name: NAME, id: '/' });
});

it('names what the installed application has in the language of its reader', async () => {
  const found: string[] = [];
  setReader(() => readerOf('ur'));
  for (const name of MANIFESTS.filter((each) => !(each in files))) {
    const manifest = JSON.parse((await open(`/${name}`)).text, (key, value) => {
      if (/^(description|label)$/.test(key)) found.push(value);
      return value;
    });
    expect(manifest).toMatchObject({ lang: 'ur', dir: 'rtl' });
    found.push(...manifest.shortcuts.map((each: { name: string }) => each.name));
  }
  followReaders();
  expect(found.length).toBeGreaterThan(8);
  expect(found.filter((words) => /[a-z]/i.test(words))).toEqual([]);
});

it('shows pictures of the market to those who install it, not of another one', async () => {
  const screenshots = async () =>
    JSON.parse((await open('/manifest-farmer.webmanifest')).text).screenshots;
  expect(await screenshots()).toEqual(SCREENSHOTS);
  const { currency } = DEFAULT_MARKET;
  setMarket({ ...DEFAULT_MARKET, currency: { ...currency, sign: '€' } });
  expect(await screenshots()).toBeUndefined();
  setMarket({ ...DEFAULT_MARKET, name: 'Hill Market' });
  expect(await screenshots()).toBeUndefined();
});

it('leaves other files as they are, and those that are gone to nobody', async () => {
  setMarket({ ...DEFAULT_MARKET, name: NAME });
  const { text, headers } = await open('/assets/a.js');
  expect([text, headers.get('cache-control')]).toEqual([
    'Farmgate',
    'public, max-age=31536000, immutable',
  ]);
  for (const gone of ['/assets/gone.js', '/manifest-none.webmanifest', '/.well-known/x', '/a.php'])
    expect((await open(gone)).status, gone).toBe(404);
});

it('serves files of other releases from the storage of all servers', async () => {
  const { status, text, headers } = await open('/assets/older-12345678.js');
  expect([status, text]).toEqual([200, 'older();']);
  expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect(headers.get('content-type')).toBe('text/javascript; charset=utf-8');
});

it('lets nobody keep the answer that a file is not there, and says that it cannot be read', async () => {
  const { status, headers } = await open('/assets/newer-12345678.js');
  expect([status, headers.get('cache-control')]).toEqual([404, 'no-store']);
  expect((await open('/assets/silent-12345678.js')).status).toBe(503);
});
