import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parseEnvelope } from '#contract/app/registry';
import type { HiddenProduct, Product } from '#contract/catalogue/products/product';
import { room } from '#contract/platform/events/constants';
import type { Envelope, WatchedVersions } from '#contract/platform/events/socket';
import { until } from '../../../testing/until.ts';
import { record } from '../../platform/events/event-log.ts';
import {
  type Caller,
  closeAfter,
  makeCategory,
  orderInput,
  productInput,
  startTestMarket,
  type TestSocket,
} from '../../testing/market.ts';
import { reconnect as reconnectTo, startSecondProcess } from './testing/connections.ts';

const PARTIES = ['visitor', 'consumer', 'neighbour', 'farmer', 'admin'] as const;
type Party = (typeof PARTIES)[number];
/** Those who may read an inactive product by REST. */
const MAY_READ_INACTIVE: readonly Party[] = ['farmer', 'admin'];
const STRANGERS = PARTIES.filter((party) => !MAY_READ_INACTIVE.includes(party));

type ProductChange = Product | HiddenProduct | { _id: string };

/** A process that started late: it has nothing in memory and reads the log. */
let second: Awaited<ReturnType<typeof startSecondProcess>>;

const callerOf = (party: Party): Caller | undefined =>
  party === 'visitor' ? undefined : callers[party];
const authOf = (party: Party) => {
  const caller = callerOf(party);
  return caller ? { token: caller.token } : {};
};

const market = closeAfter(await startTestMarket());
const [consumer, neighbour, farmer, admin] = await Promise.all([
  market.join('consumer'),
  market.join('farmer'),
  market.join('farmer'),
  market.join('admin'),
]);
const callers: Record<Exclude<Party, 'visitor'>, Caller> = { consumer, neighbour, farmer, admin };
const category = await makeCategory(market.platform);

const add = async (over: Record<string, unknown> = {}): Promise<Product> => {
  const body = productInput(category, over);
  const answer = await market.post('/products', callers.farmer, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.data;
};
const change = async (id: string, body: Record<string, unknown>): Promise<Product> => {
  const answer = await market.put(`/products/${id}`, callers.farmer, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.data;
};
const remove = (id: string) => market.delete(`/products/${id}`, callers.farmer);
const order = async (product: Product, quantity: number): Promise<string> => {
  const body = orderInput(callers.farmer.id, [{ product: product._id, quantity }]);
  const answer = await market.post('/orders', callers.consumer, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.data._id;
};
const headNow = async (): Promise<number> => {
  await market.platform.eventLog.sequence();
  return market.platform.eventLog.head();
};
const watch = (socket: TestSocket, ids: string[]): Promise<WatchedVersions> =>
  new Promise((resolve) => socket.emit('products.watch', { productIds: ids }, resolve));

/** What was sent of these products, by name and data; every envelope is of the contract's form. */
const about = (received: readonly Envelope[], ids: readonly string[]) =>
  received.flatMap((envelope) => {
    const data = envelope.data as ProductChange;
    if (!envelope.name.startsWith('product.') || !ids.includes(data._id)) return [];
    expect(parseEnvelope(envelope.name, envelope)).toEqual(envelope);
    return [{ name: envelope.name, data }];
  });

/** What somebody who was away since `after` receives when they come back. */
const reconnect = (party: Party, after: number, url = market.url) =>
  reconnectTo(url, { ...authOf(party), after });

/** Makes everybody watch these products while `work` is done. @returns what each received of them */
async function live(ids: readonly string[], work: () => Promise<unknown>) {
  const received = new Map<Party, Envelope[]>();
  const sockets: TestSocket[] = [];
  for (const party of PARTIES) {
    const socket = await market.connect(authOf(party));
    await watch(socket, [...ids]);
    const envelopes: Envelope[] = [];
    socket.onAny((_, envelope) => envelopes.push(envelope));
    received.set(party, envelopes);
    sockets.push(socket);
  }
  await work();
  // Events come in order: once everyone has this one they have all before it.
  const last = randomUUID();
  await market.platform.db.$transaction((tx) =>
    record(tx, { name: 'category.changed', data: { _id: last }, rooms: [room.everyone] }),
  );
  await market.platform.eventLog.sequence();
  for (const envelopes of received.values()) {
    await until(() => envelopes.some(({ data }) => '_id' in data && data._id === last));
  }
  for (const socket of sockets) socket.disconnect();
  return (party: Party) => about(received.get(party) ?? [], ids);
}

describe('a product that becomes inactive', () => {
  let product: Product;
  let sinceBefore: number;
  let seen: (party: Party) => { name: string; data: ProductChange }[];
  let hidden: Product;
  let changed: Product;
  let dearer: Product;

  beforeAll(async () => {
    product = await add({ quantityAvailable: 10 });
    const placed = await order(product, 4);
    sinceBefore = await headNow();
    seen = await live([product._id], async () => {
      dearer = await change(product._id, { price: 3 });
      hidden = await change(product._id, { isActive: false, name: 'Secret recipe' });
      changed = await change(product._id, { price: 9, description: 'Not yet for you.' });
      // Stock that comes back to a hidden product.
      const rejected = await market.put(`/orders/${placed}`, callers.farmer, {
        status: 'rejected',
      });
      expect(rejected.status).toBe(200);
    });
    second = await startSecondProcess(market.env);
  });
  afterAll(() => second.close());

  const slim = () => ({ _id: product._id, isActive: false, version: hidden.version });
  const asStranger = () => [
    { name: 'product.updated', data: dearer },
    { name: 'product.updated', data: slim() },
  ];

  it.each(STRANGERS)('is sent to a %s who watches it as hidden, and nothing after', (party) => {
    expect(seen(party)).toEqual(asStranger());
  });

  it.each(MAY_READ_INACTIVE)('is sent to the %s in full, with what comes after', (party) => {
    expect(seen(party).slice(0, 3)).toEqual([
      { name: 'product.updated', data: dearer },
      { name: 'product.updated', data: hidden },
      { name: 'product.updated', data: changed },
    ]);
  });

  it('is sent to its farmer with the stock that came back', () => {
    expect(seen('farmer')[3]?.data).toMatchObject({ quantityAvailable: 10, price: 9 });
  });

  it.each(STRANGERS)(
    'is replayed to a %s who was away as hidden, and nothing after',
    async (party) => {
      expect(about(await reconnect(party, sinceBefore), [product._id])).toEqual(asStranger());
    },
  );

  it.each(MAY_READ_INACTIVE)('is replayed to the %s as it was delivered', async (party) => {
    expect(about(await reconnect(party, sinceBefore), [product._id])).toEqual(seen(party));
  });

  it.each(PARTIES.filter((party) => party !== 'visitor'))(
    'is replayed to the %s the same from the database as from memory',
    async (party) => {
      const fromDatabase = await reconnect(party, sinceBefore, second.url);
      expect(fromDatabase.some(({ name }) => name === 'synced')).toBe(true);
      expect(about(fromDatabase, [product._id])).toEqual(
        about(await reconnect(party, sinceBefore), [product._id]),
      );
    },
  );

  it('is nothing that a visitor may have searched for in the database', async () => {
    expect((await reconnect('visitor', sinceBefore, second.url)).map(({ name }) => name)).toEqual([
      'resync',
    ]);
  });

  it('is sent to those who do not watch it too, since lists and counts show it', async () => {
    const listed = await add();
    const visitor = await market.connect();
    const received: Envelope[] = [];
    visitor.onAny((_, envelope) => received.push(envelope));
    await change(listed._id, { isActive: false });
    await until(() => about(received, [listed._id]).length === 1);
    expect(about(received, [listed._id])[0]?.data).toEqual({
      _id: listed._id,
      isActive: false,
      version: 2,
    });
    visitor.disconnect();
  });

  it('is sent as hidden even where an older release wrote the event for its watchers', async () => {
    const draft = await add({ isActive: false });
    const after = await headNow();
    await market.platform.db.$transaction((tx) =>
      record(tx, {
        name: 'product.updated',
        data: { ...draft, name: 'Secret', version: 2 },
        rooms: [room.product(draft._id), room.farm(callers.farmer.id)],
      }),
    );
    await headNow();
    const [event] = about(await reconnect('visitor', after), [draft._id]);
    expect(event?.data).toEqual({ _id: draft._id, isActive: false, version: 2 });
  });
});

describe('a draft', () => {
  it('is sent to its farmer and admins alone, no matter who watches it, live and in replay', async () => {
    const draft = await add({ isActive: false });
    const after = await headNow();
    const ids: string[] = [draft._id];
    const seen = await live(ids, async () => {
      await change(draft._id, { price: 7 });
      await change(draft._id, { availableUntil: '2020-01-01' });
      ids.push((await add({ isActive: false }))._id);
      await remove(draft._id);
    });
    const names = ['product.updated', 'product.updated', 'product.created', 'product.deleted'];
    for (const party of PARTIES) {
      const expected = MAY_READ_INACTIVE.includes(party) ? names : [];
      expect(
        seen(party).map(({ name }) => name),
        party,
      ).toEqual(expected);
      const replayed = about(await reconnect(party, after), ids);
      expect(
        replayed.map(({ name }) => name),
        party,
      ).toEqual(expected);
    }
  });

  it('that comes to the market is sent to everyone, and changes after that to its watchers', async () => {
    const draft = await add({ isActive: false });
    const seen = await live([draft._id], async () => {
      await change(draft._id, { isActive: true });
      await change(draft._id, { price: 8 });
    });
    for (const party of PARTIES) {
      expect(
        seen(party).map(({ name }) => name),
        party,
      ).toEqual(['product.updated', 'product.created', 'product.updated']);
      expect(seen(party).every(({ data }) => 'name' in data)).toBe(true);
    }
  });

  it('is acknowledged to those who watch it like a product that does not exist', async () => {
    const [draft, listed] = [await add({ isActive: false }), await add()];
    const ids = [draft._id, listed._id, randomUUID()];
    for (const party of PARTIES) {
      const socket = await market.connect(authOf(party));
      expect(await watch(socket, ids), party).toEqual({
        [listed._id]: 1,
        ...(MAY_READ_INACTIVE.includes(party) ? { [draft._id]: 1 } : {}),
      });
      socket.disconnect();
    }
  });
});

it('notifies everyone of a product that leaves the catalogue by its last day', async () => {
  const product = await add();
  const visitor = await market.connect();
  const received: Envelope[] = [];
  visitor.onAny((_, envelope) => received.push(envelope));
  const past = await change(product._id, { availableUntil: '2020-01-01' });
  await until(() => about(received, [product._id]).length === 1);
  // Its page is still public.
  expect(about(received, [product._id])[0]?.data).toEqual(past);
  visitor.disconnect();
});

describe('what is cached and the events since', () => {
  let random: () => number;
  beforeEach(() => {
    let seed = 20_261_122;
    random = () => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return seed / 2_147_483_648;
    };
  });

  const read = async (party: Party, id: string): Promise<Product | null> => {
    const { status, body } = await market.get(`/products/${id}`, callerOf(party));
    return status === 200 ? body.data : null;
  };

  /** What a client makes of the events: a newer version stands, what it may not see is gone. */
  function apply(cache: Map<string, Product | null>, envelopes: readonly Envelope[]): void {
    for (const { name, data } of about(envelopes, [...cache.keys()])) {
      const known = cache.get(data._id);
      if (name === 'product.deleted') cache.set(data._id, null);
      else if ('version' in data && data.version > (known?.version ?? 0)) {
        cache.set(data._id, 'name' in data ? data : null);
      }
    }
  }

  it('are what a fresh read gives each role, whenever it was away', async () => {
    const products: Product[] = [];
    for (let count = 0; count < 6; count++) {
      products.push(await add({ isActive: count % 2 === 0, quantityAvailable: 500 }));
    }
    const ids = products.map(({ _id }) => _id);
    const caches = new Map<Party, Map<string, Product | null>>();
    for (const party of PARTIES) {
      const cache = new Map<string, Product | null>();
      for (const id of ids) cache.set(id, await read(party, id));
      caches.set(party, cache);
    }
    const step = async () => {
      const id = ids[Math.floor(random() * ids.length)] ?? '';
      const kind = Math.floor(random() * 6);
      if (kind === 0) await change(id, { isActive: false });
      else if (kind === 1) await change(id, { isActive: true });
      else if (kind === 2) await change(id, { isActive: random() < 0.5, price: 5 });
      else if (kind === 3) await change(id, { price: 1 + Math.floor(random() * 900) / 100 });
      else if (kind === 4)
        await change(id, { availableUntil: random() < 0.5 ? '2020-01-01' : null });
      else {
        const body = orderInput(callers.farmer.id, [{ product: id, quantity: 1 }]);
        await market.post('/orders', callers.consumer, body);
      }
    };
    for (let round = 0; round < 4; round++) {
      const after = await headNow();
      if (round % 2 === 0) {
        for (let count = 0; count < 12; count++) await step();
        await headNow();
        for (const [party, cache] of caches) apply(cache, await reconnect(party, after));
      } else {
        const received = new Map<Party, Envelope[]>();
        const sockets: TestSocket[] = [];
        for (const party of PARTIES) {
          const socket = await market.connect(authOf(party));
          await watch(socket, ids);
          const envelopes: Envelope[] = [];
          socket.onAny((_, envelope) => envelopes.push(envelope));
          received.set(party, envelopes);
          sockets.push(socket);
        }
        for (let count = 0; count < 12; count++) await step();
        const head = await headNow();
        await until(() => [...received.values()].every((envelopes) => envelopes.length > 0));
        // A public event after all others shows that they have come.
        await market.platform.db.$transaction((tx) =>
          record(tx, { name: 'category.changed', data: { _id: category }, rooms: [room.everyone] }),
        );
        await market.platform.eventLog.sequence();
        for (const [party, envelopes] of received) {
          await until(() => envelopes.some(({ seq }) => seq === head + 1));
          apply(caches.get(party) ?? new Map(), envelopes);
        }
        for (const socket of sockets) socket.disconnect();
      }
      for (const [party, cache] of caches) {
        for (const id of ids) expect(cache.get(id), party).toEqual(await read(party, id));
      }
    }
  });
});
