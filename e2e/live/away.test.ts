import type pg from 'pg';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { REPLAY_MAX } from '#contract/realtime';
import { openBackDoor } from '../faults/ground.ts';
import { until } from '../stack.ts';
import { badge, openMarket } from './ground.ts';
import { expectFresh } from './screens.ts';

const market = openMarket({ workers: 0 });
let database: pg.Pool;

beforeAll(() => {
  database = openBackDoor(market.stack().databaseUrl);
});
afterAll(() => database?.end());

const PAGES = ['/farmer/dashboard', '/farmer/orders', '/farmer/products', '/orders', '/messages'];

/** The number of the last event that is in the log, once nothing waits for a number. */
async function head(): Promise<number> {
  await until('everything to be numbered', async () => {
    const { rows } = await database.query('SELECT 1 FROM event_outbox LIMIT 1');
    return rows.length === 0;
  });
  const { rows } = await database.query<{ seq: string }>('SELECT seq FROM event_log_head');
  return Number(rows[0]?.seq);
}

/** Places orders the way the API does, in one statement: two events each, the order and the stock. */
async function place(consumer: string, farmer: string, product: string, count: number) {
  const { rows } = await database.query<{ id: string }>(
    `SELECT place_order($1, $2, ARRAY[$3::uuid], ARRAY[1], ARRAY[400], true, current_date + 1, '10:00',
       'Farm gate', '', '', '', '', '', 'cash', NULL, NULL, 24, 100000000000, NULL)
       -> 'order' ->> '_id' AS id
     FROM generate_series(1, $4)`,
    [consumer, farmer, product, count],
  );
  return rows.map(({ id }) => id);
}

/** Answers orders as their farmer: one event each, and one more where the stock comes back. */
async function answer(farmer: string, orders: readonly string[], to: 'accepted' | 'rejected') {
  await database.query(
    `SELECT change_order_status(id, $1, false, $3::"OrderStatus", NULL, ARRAY['pending']::"OrderStatus"[],
       ARRAY[$3 = 'rejected'], NULL)
     FROM unnest($2::uuid[]) id`,
    [farmer, orders, to],
  );
}

it.each([
  { events: 1, accepted: 1, rejected: 0, pending: 0 },
  { events: 499, accepted: 1, rejected: 124, pending: 1 },
  { events: 10_000, accepted: 0, rejected: 2_450, pending: 100 },
])(
  'a farmer who was away for $events events sees what a fresh load shows',
  async ({ events, accepted, rejected, pending }) => {
    const [{ user }, buyer] = await Promise.all([
      market.session('farmer'),
      market.session('consumer'),
    ]);
    const product = await market.bring({ name: 'Beans', quantityAvailable: 1_000_000 });
    const waiting = await place(buyer.user._id, user._id, product._id, accepted);

    const farmer = await market.open('farmer', PAGES[0] ?? '/');
    const pages: Page[] = [farmer.page];
    for (const address of PAGES.slice(1)) {
      const page = await farmer.context.newPage();
      await page.goto(address);
      pages.push(page);
    }
    for (const page of pages) await badge({ ...farmer, page }, 'Live').waitFor();
    for (const page of pages) await expectFresh(page);

    await farmer.context.setOffline(true);
    for (const page of pages) await badge({ ...farmer, page }, 'Offline').waitFor();
    const before = await head();
    await answer(user._id, waiting, 'accepted');
    await answer(
      user._id,
      await place(buyer.user._id, user._id, product._id, rejected),
      'rejected',
    );
    await place(buyer.user._id, user._id, product._id, pending);
    expect((await head()) - before).toBe(events);

    const heard = new Set<string>();
    for (const page of pages) {
      page.on('websocket', (socket) => {
        socket.on('framereceived', ({ payload }) => {
          const name = /^42\["(\w+)"/.exec(String(payload))?.[1];
          if (name === 'synced' || name === 'resync') heard.add(name);
        });
      });
    }
    await farmer.context.setOffline(false);
    for (const page of pages) await badge({ ...farmer, page }, 'Live').waitFor();
    for (const page of pages) await expectFresh(page);
    // What was too much to be replayed was read anew, and nothing else was.
    expect([...heard]).toContain(events > REPLAY_MAX ? 'resync' : 'synced');
    await Promise.all(pages.slice(1).map((page) => page.close()));
  },
  600_000,
);
