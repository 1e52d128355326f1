import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { brotliDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Caller,
  eventually,
  makeCategory,
  orderInput,
  productInput,
  startTestMarket,
  type TestMarket,
} from '../testing/market.ts';
import { registry } from './metrics.ts';

let market: TestMarket;
let farmer: Caller;
let category: string;

beforeAll(async () => {
  market = await startTestMarket();
  farmer = await market.join('farmer');
  category = await makeCategory(market.platform);
});
afterAll(() => market.close());

const makeProduct = async (over: Record<string, unknown> = {}): Promise<string> => {
  const { body } = await market.call('POST', '/products', {
    as: farmer,
    body: productInput(category, over),
  });
  return body.data._id;
};

/** How many answers were given from memory so far. */
async function fromMemory(): Promise<number> {
  const metric = registry.getSingleMetric('farmgate_answers_from_memory_total');
  const { values } = (await metric?.get()) ?? { values: [] };
  return values.reduce((sum, { value }) => sum + value, 0);
}

/** A request whose answer is looked at byte by byte. */
function raw(path: string, headers: Record<string, string> = {}) {
  return new Promise<{ status: number; headers: Record<string, unknown>; body: Buffer }>(
    (resolve, reject) => {
      const sent = request(`${market.url}/api${path}`, { headers }, (response) => {
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

describe('public reads', () => {
  it('are given from memory, the same to the byte, until something changes', async () => {
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

  it('are never older than the writer’s own last change', async () => {
    const id = await makeProduct();
    for (let price = 1; price <= 30; price++) {
      await market.call('PUT', `/products/${id}`, {
        as: farmer,
        body: productInput(category, { price }),
      });
      const [detail, list] = await Promise.all([
        market.call('GET', `/products/${id}`),
        market.call('GET', `/products?farmer=${farmer.id}`),
      ]);
      expect(detail.body.data.price).toBe(price);
      expect(list.body.data.find(({ _id }: { _id: string }) => _id === id).price).toBe(price);
    }
  });

  it('follow orders, categories, farms and removals', async () => {
    const consumer = await market.join('consumer');
    const admin = await market.join('admin');
    const id = await makeProduct({ quantityAvailable: 9 });
    const detail = async () => (await market.call('GET', `/products/${id}`)).body.data;
    const farms = async () =>
      (await market.call('GET', '/users/farmers')).body.data.find(
        ({ _id }: { _id: string }) => _id === farmer.id,
      );
    expect((await detail()).quantityAvailable).toBe(9);
    const { status } = await market.call('POST', '/orders', {
      as: consumer,
      body: orderInput(farmer.id, [{ product: id, quantity: 4 }]),
    });
    expect(status).toBe(201);
    expect((await detail()).quantityAvailable).toBe(5);

    const named = await market.call('PUT', `/categories/${category}`, {
      as: admin,
      body: { name: `Roots ${randomUUID()}` },
    });
    expect((await detail()).category.name).toBe(named.body.data.name);

    await farms();
    await market.call('PUT', '/users/farmers/profile', {
      as: farmer,
      body: { farmName: 'Windmill Farm', description: 'On the hill.' },
    });
    expect((await detail()).farmer.farmName).toBe('Windmill Farm');
    expect((await farms()).farmName).toBe('Windmill Farm');

    await market.call('DELETE', `/products/${id}`, { as: farmer });
    expect((await market.call('GET', `/products/${id}`)).status).toBe(404);
  });

  it('never keep what only some may see', async () => {
    const id = await makeProduct({ isActive: false });
    expect((await market.call('GET', `/products/${id}`, { as: farmer })).status).toBe(200);
    expect((await market.call('GET', `/products/${id}`)).status).toBe(404);
    expect((await market.call('GET', `/products/${id}`, { as: farmer })).status).toBe(200);
    expect((await market.call('GET', `/products/${id}`)).status).toBe(404);
  });

  it('are packed as the client asks, and not sent again to one who has them', async () => {
    for (let count = 0; count < 5; count++) await makeProduct();
    const path = `/products?farmer=${farmer.id}`;
    const plain = await raw(path);
    await raw(path, { 'accept-encoding': 'gzip, deflate, br' });
    const packed = await eventually(async () => {
      const answer = await raw(path, { 'accept-encoding': 'gzip, deflate, br' });
      return answer.headers['content-encoding'] === 'br' ? answer : null;
    });
    expect(brotliDecompressSync(packed.body)).toEqual(plain.body);
    expect(packed.headers.etag).not.toBe(plain.headers.etag);
    // Caches on the way must keep the two apart; what is never packed needs no such word.
    expect([plain.headers.vary, packed.headers.vary]).toEqual([
      'Accept-Encoding',
      'Accept-Encoding',
    ]);
    expect((await raw(`/products?farmer=${randomUUID()}`)).headers.vary).toBeUndefined();
    const again = await raw(path, {
      'accept-encoding': 'gzip, deflate, br',
      'if-none-match': String(packed.headers.etag),
    });
    expect(again.status).toBe(304);
    expect(again.headers.vary).toBe('Accept-Encoding');
    expect(again.body).toHaveLength(0);
    await makeProduct();
    const changed = await raw(path, {
      'accept-encoding': 'gzip, deflate, br',
      'if-none-match': String(packed.headers.etag),
    });
    expect(changed.status).toBe(200);
  });

  it('give a crowd that asks at once the same answer', async () => {
    await makeProduct();
    const path = `/products?farmer=${farmer.id}&limit=7`;
    const answers = await Promise.all(Array.from({ length: 50 }, () => raw(path)));
    expect(new Set(answers.map(({ body }) => body.toString())).size).toBe(1);
    expect(answers.every(({ status }) => status === 200)).toBe(true);
  });
});
