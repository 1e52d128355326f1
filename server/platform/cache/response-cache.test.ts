import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { brotliDecompressSync } from 'node:zlib';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { until } from '../../../testing/until.ts';
import { startLimitedMarket } from '../../testing/limited-market.ts';
import {
  closeAfter,
  makeCategory,
  orderInput,
  productInput,
  startTestMarket,
} from '../../testing/market.ts';
import { registry } from '../metrics/metrics.ts';

const market = closeAfter(await startTestMarket());
const farmer = await market.join('farmer');
const category = await makeCategory(market.platform);

const makeProduct = async (over: Record<string, unknown> = {}): Promise<string> => {
  const { body } = await market.post('/products', farmer, productInput(category, over));
  return body.data._id;
};

/** Returns how many responses came from the cache so far. */
async function fromMemory(): Promise<number> {
  const metric = registry.getSingleMetric('farmgate_cached_responses_total');
  const { values } = (await metric?.get()) ?? { values: [] };
  return values.reduce((sum, { value }) => sum + value, 0);
}

/** Stops the clock for the rest of a test: what is cached ends at each quarter of an hour. */
function stopClock(): void {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
}

/** Sends a request and returns the raw bytes of its answer. */
function raw(path: string, headers: Record<string, string> = {}, method = 'GET') {
  return new Promise<{ status: number; headers: Record<string, unknown>; body: Buffer }>(
    (resolve, reject) => {
      const sent = request(`${market.url}/api${path}`, { headers, method }, (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(parts),
          }),
        );
      });
      sent.on('error', reject);
      sent.end();
    },
  );
}

describe('cached public reads', () => {
  it('are byte-identical and served from the cache until an event invalidates them', async () => {
    const id = await makeProduct();
    const first = await raw(`/products/${id}`);
    const before = await fromMemory();
    const second = await raw(`/products/${id}`);
    expect(await fromMemory()).toBe(before + 1);
    expect(second.body).toEqual(first.body);
    const { date: _, 'x-request-id': __, ...headers } = first.headers;
    expect(second.headers).toMatchObject(headers);
    expect(second.headers['content-security-policy']).toBeTruthy();
  });

  it('always show the writer their own last change', async () => {
    const id = await makeProduct();
    for (let price = 1; price <= 30; price++) {
      await market.put(`/products/${id}`, farmer, productInput(category, { price }));
      const [detail, list] = await Promise.all([
        market.get(`/products/${id}`),
        market.get(`/products?farmer=${farmer.id}`),
      ]);
      expect(detail.body.data.price).toBe(price);
      expect(list.body.data.find(({ _id }: { _id: string }) => _id === id).price).toBe(price);
    }
  });

  it('are invalidated by orders, categories, farms and deletions', async () => {
    const consumer = await market.join('consumer');
    const admin = await market.join('admin');
    const id = await makeProduct({ quantityAvailable: 9 });
    const detail = async () => (await market.get(`/products/${id}`)).body.data;
    const farms = async () =>
      (await market.get('/users/farmers')).body.data.find(
        ({ _id }: { _id: string }) => _id === farmer.id,
      );
    expect((await detail()).quantityAvailable).toBe(9);
    const { status } = await market.post(
      '/orders',
      consumer,
      orderInput(farmer.id, [{ product: id, quantity: 4 }]),
    );
    expect(status).toBe(201);
    expect((await detail()).quantityAvailable).toBe(5);

    const named = await market.put(`/categories/${category}`, admin, {
      name: `Roots ${randomUUID()}`,
    });
    expect((await detail()).category.name).toBe(named.body.data.name);

    await farms();
    await market.put('/users/farmers/profile', farmer, {
      farmName: 'Windmill Farm',
      description: 'On the hill.',
    });
    expect((await detail()).farmer.farmName).toBe('Windmill Farm');
    expect((await farms()).farmName).toBe('Windmill Farm');

    await market.delete(`/products/${id}`, farmer);
    expect((await market.get(`/products/${id}`)).status).toBe(404);
  });

  it('never hold what only some users may see', async () => {
    const id = await makeProduct({ isActive: false });
    expect((await market.get(`/products/${id}`, farmer)).status).toBe(200);
    expect((await market.get(`/products/${id}`)).status).toBe(404);
    expect((await market.get(`/products/${id}`, farmer)).status).toBe(200);
    expect((await market.get(`/products/${id}`)).status).toBe(404);
  });

  it('are compressed by Accept-Encoding, and answered 304 by ETag', async () => {
    for (let count = 0; count < 5; count++) await makeProduct();
    const path = `/products?farmer=${farmer.id}`;
    const plain = await raw(path);
    await raw(path, { 'accept-encoding': 'gzip, deflate, br' });
    const compressed = await until(async () => {
      const answer = await raw(path, { 'accept-encoding': 'gzip, deflate, br' });
      return answer.headers['content-encoding'] === 'br' ? answer : null;
    });
    expect(brotliDecompressSync(compressed.body)).toEqual(plain.body);
    expect(compressed.headers.etag).not.toBe(plain.headers.etag);
    // Vary is needed only where a compressed form exists.
    expect([plain.headers.vary, compressed.headers.vary]).toEqual([
      'Accept-Encoding',
      'Accept-Encoding',
    ]);
    expect((await raw(`/products?farmer=${randomUUID()}`)).headers.vary).toBeUndefined();
    const again = await raw(path, {
      'accept-encoding': 'gzip, deflate, br',
      'if-none-match': String(compressed.headers.etag),
    });
    expect(again.status).toBe(304);
    expect(again.headers.vary).toBe('Accept-Encoding');
    expect(again.body).toHaveLength(0);
    await makeProduct();
    const changed = await raw(path, {
      'accept-encoding': 'gzip, deflate, br',
      'if-none-match': String(compressed.headers.etag),
    });
    expect(changed.status).toBe(200);
  });

  it('are loaded once for concurrent requests', async () => {
    await makeProduct();
    const path = `/products?farmer=${farmer.id}&limit=7`;
    const answers = await Promise.all(Array.from({ length: 50 }, () => raw(path)));
    expect(new Set(answers.map(({ body }) => body.toString())).size).toBe(1);
    expect(answers.every(({ status }) => status === 200)).toBe(true);
  });
});

describe('the key of a public read', () => {
  const size = () => market.platform.responseCache.size();

  it('is the parsed query: unknown parameters, order, spelling and defaults add no entry', async () => {
    await makeProduct();
    await raw(`/products?farmer=${farmer.id}&limit=100&search=carrot`);
    const before = size().entries;
    for (const query of [
      `search=carrot&farmer=${farmer.id}`,
      `farmer=${farmer.id}&search=carrot&limit=100&sort=newest`,
      `farmer=${farmer.id}&search=%63arrot`,
      `farmer=${farmer.id}&search=+carrot++`,
      `farmer=${farmer.id}&search=carrot&category=&cursor=`,
      `farmer=${farmer.id}&search=carrot&limit=100.0`,
      `farmer=${farmer.id}&search=carrot&utm_source=mail&utm_source=more`,
      `farmer=${farmer.id}&search=carrot&__proto__=1&constructor=2&toString`,
    ]) {
      expect((await raw(`/products?${query}`)).status, query).toBe(200);
      expect(size().entries, query).toBe(before);
    }
    await raw(`/products?farmer=${farmer.id}&search=carrots`);
    expect(size().entries).toBe(before + 1);
  });

  it('keeps its entries and memory under any unknown parameters', async () => {
    stopClock();
    const kept = `/products?farmer=${farmer.id}&limit=3`;
    await raw(kept);
    const before = size();
    const ask = (index: number) => raw(`/products?farmer=${farmer.id}&limit=3&x=${index}`);
    for (let index = 0; index < 2100; index += 50) {
      await Promise.all(Array.from({ length: 50 }, (_, next) => ask(index + next)));
    }
    expect(size()).toEqual(before);
    const answered = await fromMemory();
    await raw(kept);
    expect(await fromMemory()).toBe(answered + 1);
  });

  it('is case-insensitive in ids, and never stale under any spelling', async () => {
    const id = await makeProduct({ price: 1 });
    for (let price = 2; price <= 6; price++) {
      for (const spelled of [id, id.toUpperCase()]) {
        expect((await market.get(`/products/${spelled}`)).body.data.price).toBe(price - 1);
      }
      const body = productInput(category, { price });
      await market.put(`/products/${id}`, farmer, body);
    }
  });

  it('is the same for HEAD and GET', async () => {
    const id = await makeProduct();
    for (const path of [`/products/${id}`, `/products?farmer=${farmer.id}&limit=9`]) {
      const first = await raw(path, {}, 'HEAD');
      const get = await raw(path);
      const again = await raw(path, {}, 'HEAD');
      for (const head of [first, again]) {
        expect(head.status).toBe(200);
        expect(head.body).toHaveLength(0);
        expect(head.headers['content-length']).toBe(String(get.body.length));
        expect(head.headers.etag).toBe(get.headers.etag);
      }
    }
  });

  it.each(['limit=0', 'limit=1&limit=2', 'category=x', 'cursor=x', `search=${'x'.repeat(300)}`])(
    'refuses an invalid value (%s) every time and caches nothing',
    async (query) => {
      const before = size().entries;
      for (let time = 0; time < 2; time++) {
        expect((await raw(`/products?${query}`)).status).toBe(400);
      }
      expect(size().entries).toBe(before);
    },
  );
});

describe('a conditional read', () => {
  it('is answered 304 for the ETag alone, weak, in a list and for *', async () => {
    const id = await makeProduct();
    const path = `/products/${id}`;
    await raw(path);
    const { headers } = await raw(path);
    const tag = String(headers.etag);
    for (const given of [tag, `W/${tag}`, `"other", ${tag}`, `W/"other",W/${tag} , "third"`, '*']) {
      const answer = await raw(path, { 'if-none-match': given });
      expect([given, answer.status]).toEqual([given, 304]);
      expect(answer.body).toHaveLength(0);
      expect(answer.headers.etag).toBe(tag);
      expect((await raw(path, { 'if-none-match': given }, 'HEAD')).status).toBe(304);
    }
    for (const given of ['"other"', tag.slice(1, -1), `${tag}x`, '', 'W/', '"']) {
      expect((await raw(path, { 'if-none-match': given })).status, given).toBe(200);
    }
  });

  it('is encoded as Accept-Encoding says', async () => {
    for (let count = 0; count < 8; count++) await makeProduct();
    const path = `/products?farmer=${farmer.id}&limit=8`;
    const codingOf = async (accepted: string) =>
      (await raw(path, { 'accept-encoding': accepted })).headers['content-encoding'];
    // The first answers may be uncompressed while the body is being compressed.
    expect(await until(() => codingOf('gzip, br'))).toBe('br');
    expect(await until(() => codingOf('br;q=0, gzip;q=0.5'))).toBe('gzip');
    // By now it is there in both.
    expect(await codingOf('br;q=0')).toBeUndefined();
    expect(await codingOf('brotli, unbroken')).toBeUndefined();
    expect(await codingOf('GZIP')).toBe('gzip');
  });
});

describe('the rate limit of cached reads', () => {
  it('counts by address only what the cache cannot answer', async () => {
    const strict = await startLimitedMarket({ RATE_LIMIT_SCALE: '0.02', TRUSTED_PROXIES: '1' });
    try {
      const ask = (path: string, address: string) =>
        strict.call('GET', path, { headers: { 'x-forwarded-for': address } });
      stopClock();
      const known = '/categories?limit=7';
      expect((await ask(known, '203.0.113.1')).status).toBe(200);
      const missing = () => `/products/${randomUUID()}`;
      const statuses: number[] = [];
      for (let index = 0; index < 14; index++) {
        statuses.push((await ask(missing(), '203.0.113.2')).status);
      }
      expect(statuses.indexOf(429)).toBe(12);
      // Cached answers stay available to this address, also under other spellings.
      expect((await ask(known, '203.0.113.2')).status).toBe(200);
      expect((await ask(`${known}&x=1`, '203.0.113.2')).status).toBe(200);
      expect((await ask('/categories?limit=8', '203.0.113.2')).status).toBe(429);
      expect((await ask('/categories?limit=8', '203.0.113.3')).status).toBe(200);
    } finally {
      await strict.close();
    }
  });

  it('does not refuse a client because another one is over its limit', async () => {
    const strict = await startLimitedMarket({ RATE_LIMIT_SCALE: '0.02', TRUSTED_PROXIES: '1' });
    try {
      const ask = (path: string, address: string) =>
        strict.call('GET', path, { headers: { 'x-forwarded-for': address } });
      for (let index = 0; index < 13; index++)
        await ask(`/products/${randomUUID()}`, '203.0.113.9');
      const addresses = Array.from({ length: 20 }, (_, index) =>
        index % 2 ? `198.51.100.${index}` : '203.0.113.9',
      );
      const answers = await Promise.all(addresses.map((from) => ask('/categories?limit=9', from)));
      const refused = answers
        .filter((_, index) => index % 2)
        .filter(({ status }) => status !== 200);
      expect(refused).toEqual([]);
    } finally {
      await strict.close();
    }
  });
});
