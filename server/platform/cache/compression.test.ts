// @long It tries thousands of headers, and large answers in each encoding.

import { request } from 'node:http';
import { brotliCompressSync, brotliDecompressSync, constants, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../../../testing/until.ts';
import {
  type Caller,
  makeCategory,
  productInput,
  startTestMarket,
  type TestMarket,
} from '../../testing/market.ts';
import { chooseEncoding } from './cached-response.ts';

describe('the encoding of an answer', () => {
  it.each([
    [undefined, 'identity'],
    ['', 'identity'],
    ['gzip, deflate, br', 'br'],
    ['gzip, deflate, br, zstd', 'br'],
    ['BR', 'br'],
    ['br;q=0', 'identity'],
    ['br; q=0.0, gzip', 'gzip'],
    ['br;q=0.5, gzip', 'gzip'],
    ['gzip;q=0.2, br;q=0.8', 'br'],
    ['identity, br', 'br'],
    ['identity;q=1, br;q=0.5', 'identity'],
    ['*', 'br'],
    ['*;q=0', 'identity'],
    ['identity;q=0', 'identity'],
    ['br;q=0, *', 'gzip'],
    ['brotli', 'identity'],
    ['vibrant, zebra', 'identity'],
    ['gzipped', 'identity'],
    ['deflate', 'identity'],
    [', ,;;q=x', 'identity'],
  ] as const)('for %j is %s', (header, encoding) => {
    expect(chooseEncoding(header)).toBe(encoding);
    // Again, now from the header cache.
    expect(chooseEncoding(header)).toBe(encoding);
  });

  it('is chosen for any number of different headers', () => {
    for (let index = 0; index < 5000; index++) {
      expect(chooseEncoding(`x${index}, gzip`)).toBe('gzip');
    }
    expect(chooseEncoding(`${'x, '.repeat(10_000)}br`)).toBe('br');
  });
});

describe('compression', () => {
  let market: TestMarket;
  let farmer: Caller;
  beforeAll(async () => {
    market = await startTestMarket();
    farmer = await market.join('farmer');
    const category = await makeCategory(market.platform);
    // Prose, of which a tight compression always makes less: random ids alone may come out either way.
    const words = 'sweet crunchy from the hill picked at dawn washed in spring water'.split(' ');
    for (let index = 0; index < 40; index++) {
      const description = Array.from(
        { length: 60 },
        (_, place) => words[(index * 7 + place * place) % words.length],
      ).join(' ');
      const body = productInput(category, { name: `Carrots ${index * 7919}`, description });
      await market.post('/products', farmer, body);
    }
  });
  afterAll(() => market?.close());

  const raw = (path: string, headers: Record<string, string>) =>
    new Promise<{ headers: Record<string, unknown>; body: Buffer }>((resolve, reject) => {
      // Each on a connection of its own: while `atQuality` blocks this process, the server's limit for idle ones
      // passes.
      const sent = request(`${market.url}${path}`, { headers, agent: false }, (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('end', () =>
          resolve({ headers: response.headers, body: Buffer.concat(parts) }),
        );
      });
      sent.on('error', reject);
      sent.end();
    });

  const atQuality = (body: Buffer, quality: number) =>
    brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } }).length;

  it.each([
    ['a signed-in list', '/api/products/farmer/me'],
    ['the cached catalogue', '/api/products'],
    ['the API document', '/api/openapi.json'],
    ['the documentation page', '/api/docs'],
  ])('of %s is quick, not as tight as can be', async (_, path) => {
    const authorization = `Bearer ${farmer.token}`;
    const plain = await raw(path, { authorization });
    // The cache answers uncompressed until the compressed body is there.
    const packed = await until(async () => {
      const answer = await raw(path, { authorization, 'accept-encoding': 'br' });
      return answer.headers['content-encoding'] === 'br' ? answer : undefined;
    });
    expect(packed.headers.vary).toMatch(/accept-encoding/i);
    expect(brotliDecompressSync(packed.body)).toEqual(plain.body);
    const [quick, tight] = [atQuality(plain.body, 4), atQuality(plain.body, 9)];
    expect(tight).toBeLessThan(quick);
    // Compressing in parts may differ by some bytes from compressing at once.
    expect(Math.abs(packed.body.length - quick)).toBeLessThan(quick - tight);
    expect(packed.body.length).toBeGreaterThan(tight);
    const zipped = await until(async () => {
      const answer = await raw(path, { authorization, 'accept-encoding': 'gzip, br;q=0' });
      return answer.headers['content-encoding'] === 'gzip' ? answer : undefined;
    });
    expect(gunzipSync(zipped.body)).toEqual(plain.body);
  });

  it('answers 304 for a document that the client has', async () => {
    const first = await raw('/api/openapi.json', { 'accept-encoding': 'br' });
    const headers = { 'accept-encoding': 'gzip', 'if-none-match': String(first.headers.etag) };
    expect((await raw('/api/openapi.json', headers)).body).toHaveLength(0);
  });
});
