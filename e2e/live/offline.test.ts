import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PlaceOrder } from '#contract/ordering/orders/orders';
import { REPLAY_MAX } from '#contract/platform/events/constants';
import { type OpenDatabase, openDatabase } from '../../prisma/client.ts';
import { placeOrder } from '../../server/ordering/place/place.ts';
import { changeOrderStatus } from '../../server/ordering/status/change-status.ts';
import type { Platform } from '../../server/platform/http/platform.ts';
import { scaled, until } from '../../testing/until.ts';
import { nextSaturday } from '../faults/helpers.ts';
import { badge, openMarket } from './helpers.ts';
import { expectFresh } from './screens.ts';

const market = openMarket({ workers: 0 });
let database: OpenDatabase;

beforeAll(() => {
  const connectionString = market.stack().databaseUrl;
  database = openDatabase({ connectionString, poolSize: 4, silenceMaxMs: scaled(30_000) });
});
afterAll(() => database?.close());

const PAGES = ['/farmer/dashboard', '/farmer/orders', '/farmer/products', '/orders', '/messages'];

/** Returns the last event's number, once no event waits for one. */
async function lastEventNumber(): Promise<number> {
  await until('everything to be numbered', async () => {
    const { rows } = await database.pool.query('SELECT 1 FROM event_outbox LIMIT 1');
    return rows.length === 0;
  });
  const { rows } = await database.pool.query<{ seq: string }>('SELECT seq FROM event_log_head');
  return Number(rows[0]?.seq);
}

/** The part of a platform that order commands use, without the API and its limits. */
const orderPlatform = () => ({ pool: database.pool, db: database.db }) as unknown as Platform;

/** How many orders are written at once. */
const WRITERS = 4;

/** Does `work` for each item, a few at a time. @returns the answers in the order of the items */
async function mapInParallel<Item, Answer>(
  items: readonly Item[],
  work: (item: Item) => Promise<Answer>,
): Promise<Answer[]> {
  const answers: Answer[] = new Array(items.length);
  const left = items.entries();
  const writeNext = async () => {
    for (const [index, item] of left) answers[index] = await work(item);
  };
  await Promise.all(Array.from({ length: WRITERS }, writeNext));
  return answers;
}

/** Places orders, with two events each: order and stock. */
async function place(consumer: string, farmer: string, product: string, count: number) {
  const buyer = {
    id: consumer,
    role: 'consumer' as const,
    name: '',
    membership: null,
    sessionId: '',
    language: null,
  };
  const input = PlaceOrder.parse({
    farmer,
    items: [{ product, quantity: 1 }],
    pickupDetails: {
      date: nextSaturday(),
      time: '10:00',
      location: 'Farm gate',
    },
  });
  return mapInParallel(Array.from({ length: count }), async () => {
    const { _id } = await placeOrder(orderPlatform(), buyer, input, undefined);
    return _id;
  });
}

/** Accepts or rejects orders as their farmer: one event each, plus one for returned stock. */
async function answer(farmer: string, orders: readonly string[], to: 'accepted' | 'rejected') {
  const membership = { farmId: farmer, role: 'owner' as const };
  const user = {
    id: farmer,
    role: 'farmer' as const,
    name: '',
    membership,
    sessionId: '',
    language: null,
  };
  await mapInParallel(orders, (id) => changeOrderStatus(orderPlatform(), user, id, { status: to }));
}

it.each([
  { events: 1, accepted: 1, rejected: 0, pending: 0 },
  { events: 499, accepted: 1, rejected: 124, pending: 1 },
  { events: 10_000, accepted: 0, rejected: 2_450, pending: 100 },
])(
  'shows what a fresh load shows after $events missed events',
  async ({ events, accepted, rejected, pending }) => {
    const [{ user }, buyer] = await Promise.all([
      market.session('farmer'),
      market.session('consumer'),
    ]);
    const product = await market.createProduct({ name: 'Beans', quantityAvailable: 1_000_000 });
    const waiting = await place(buyer.user._id, user._id, product._id, accepted);

    const farmer = await market.open('farmer', PAGES[0] ?? '/');
    const pages: Page[] = [farmer.page];
    pages.push(
      ...(await Promise.all(
        PAGES.slice(1).map(async (address) => {
          const page = await farmer.context.newPage();
          await page.goto(address);
          return page;
        }),
      )),
    );
    for (const page of pages) await badge({ ...farmer, page }, 'Live').waitFor();
    await Promise.all(pages.map((page) => expectFresh(page)));

    await farmer.context.setOffline(true);
    for (const page of pages) await badge({ ...farmer, page }, 'Offline').waitFor();
    const before = await lastEventNumber();
    await answer(user._id, waiting, 'accepted');
    await answer(
      user._id,
      await place(buyer.user._id, user._id, product._id, rejected),
      'rejected',
    );
    await place(buyer.user._id, user._id, product._id, pending);
    expect((await lastEventNumber()) - before).toBe(events);

    const syncEvents = new Set<string>();
    for (const page of pages) {
      page.on('websocket', (socket) => {
        socket.on('framereceived', ({ payload }) => {
          const name = /^42\["(\w+)"/.exec(String(payload))?.[1];
          if (name === 'synced' || name === 'resync') syncEvents.add(name);
        });
      });
    }
    await farmer.context.setOffline(false);
    for (const page of pages) await badge({ ...farmer, page }, 'Live').waitFor();
    await Promise.all(pages.map((page) => expectFresh(page)));
    // Too many events for a replay cause a resync, and nothing else does.
    expect([...syncEvents]).toContain(events > REPLAY_MAX ? 'resync' : 'synced');
    await Promise.all(pages.slice(1).map((page) => page.close()));
  },
);
