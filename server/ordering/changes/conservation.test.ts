// @long It tries crowds, or very many cases.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lineMinor, returnsToStock, SHORT_REASONS } from '#contract/ordering/changes/constants';
import type { Order } from '#contract/ordering/orders/orders';
import { fromMilli, toMilli } from '#contract/platform/quantities/constants/quantities';
import { scaled, WAIT_MS } from '../../../testing/until.ts';
import type { Caller } from '../../testing/market.ts';
import { itemsOf, type ProposalItemRow, type ProposalRow } from '../model/present-lines.ts';
import { type ChangesFixture, createChangesFixture } from './testing/changes-fixture.ts';

// Everything that moves goods, in any order and at once, by consumers, farmers and the clock: what is on the stock, in
// orders, held back and written off is always what there was, and every order costs what its lines cost.

/** Rounds of calls of one run; `npm run test:fuzz` makes them many. */
const ROUNDS = Math.ceil(Number(process.env.FUZZ_REQUESTS ?? 600) / 50);
const STOCK_AT_START = 400;

let fixture: ChangesFixture;
let farmer: Caller;
beforeAll(async () => {
  fixture = await createChangesFixture({ DATABASE_POOL_SIZE: '20' });
  ({ farmer } = fixture);
});
afterAll(() => fixture.close());

/** Numbers that look random and are the same in every run. */
function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

/** What the farm added to the stock and took off them by hand, by product, in thousandths. */
type Ledger = Map<string, number>;

const add = (ledger: Ledger, productId: string, milli: number): void => {
  ledger.set(productId, (ledger.get(productId) ?? 0) + milli);
};

async function openRun(seed: number) {
  const random = createRandom(seed);
  const pick = <T>(all: readonly T[]): T => all[random(all.length)] as T;
  // The steps are so fine that no two stocks that the farmer writes are the same.
  const whole = await Promise.all(
    ['Carrots', 'Kale', 'Beets', 'Leek'].map((name, index) =>
      fixture.createProduct(STOCK_AT_START, { name, stepMilli: 1, priceMinor: 1000 - 50 * index }),
    ),
  );
  const chicken = await fixture.createProduct(STOCK_AT_START, {
    name: 'Chicken',
    unit: 'kg',
    priceMinor: 40_000,
    pieceMilli: 1800,
    pieceMinMilli: 1400,
    pieceMaxMilli: 2400,
  });
  const products = [...whole, chicken];
  const consumers = await Promise.all([fixture.join('consumer'), fixture.join('consumer')]);
  const ledger: Ledger = new Map();
  const orders: Order[] = [];
  const answered = new Map<number, number>();
  const count = ({ status }: { status: number }) => {
    answered.set(status, (answered.get(status) ?? 0) + 1);
  };
  const consumerOf = (order: Order): Caller =>
    consumers.find(({ id }) => id === order.consumer._id) as Caller;

  async function place(): Promise<void> {
    const items = [...whole.slice(0, 3), chicken].map((product) => ({
      product,
      quantity: 2 + random(7),
      onShort: pick(['ask', 'leave_out', 'similar']),
    }));
    const answer = await fixture.order(items, { as: pick(consumers) });
    count(answer);
    if (answer.status === 201) orders.push(answer.body.data);
  }

  /** What a farm could want of a line. The note carries the reason into the timeline. */
  function proposalOf(now: Order) {
    const lines = now.items.filter(({ quantity }) => quantity > 0);
    const reason = pick(SHORT_REASONS);
    const chosen = lines.length > 1 && random(3) === 0 ? lines.slice(0, 2) : [pick(lines)];
    const items = chosen.flatMap((line) => {
      if (!line) return [];
      const base = { lineId: line._id, reason };
      const kind = random(3);
      if (kind === 0 || line.quantity < 2) return [{ ...base, action: 'remove' }];
      if (kind === 1) {
        return [
          { ...base, action: 'reduce', newQuantity: 1 + random(Math.ceil(line.quantity) - 1) },
        ];
      }
      const substitute = { productId: pick(products), quantity: 1 + random(5) };
      return [{ ...base, action: 'substitute', substitute }];
    });
    return { items, over: { note: reason, expectedVersion: pick([now.version, undefined]) } };
  }

  async function weigh(now: Order): Promise<void> {
    const line = pick(now.items.filter(({ quantity }) => quantity > 0));
    if (!line) return;
    const expected = line.pieceWeight
      ? toMilli(line.pieceWeight.average) * line.quantity
      : toMilli(line.quantity);
    // Mostly near what is expected; sometimes far too heavy, which is a slip and refused.
    const factor = pick([0.8, 0.95, 1, 1.1, 1.3, 1.6, 12, 0.05]);
    const body = {
      packed: fromMilli(Math.max(1, Math.round(expected * factor))),
      overweight: pick(['ask', 'limit', undefined]),
      ...(random(2) === 0 ? { expectedPacked: line.packed ?? null } : {}),
    };
    count(await fixture.put(`/orders/${now._id}/lines/${line._id}/weight`, farmer, body));
  }

  async function share(over: object = {}): Promise<string> {
    const productId = pick(products);
    const reason = pick(SHORT_REASONS);
    const days = orders.map(({ pickupDetails }) => pickupDetails?.date ?? '').sort();
    const body = {
      productId,
      from: days[0],
      to: days.at(-1),
      available: random(30),
      rule: pick(['fair', 'first_come']),
      reason,
      note: reason,
      ...over,
    };
    count(await fixture.call('POST', '/farm/shortages', { as: farmer, body }));
    return productId;
  }

  let marks = 0;
  /** Writes another stock over what was just seen, as a farmer with a list open does. */
  async function stock(): Promise<void> {
    const product = pick(whole);
    const seen = await fixture.stockOf(product);
    // The thousandths are the farmer's own, so no other command makes the same stock.
    marks = (marks % 999) + 1;
    const next = fromMilli(toMilli(Math.max(1, Math.floor(seen) + random(21) - 10)) + marks);
    const answer = await fixture.put('/products/stock', farmer, {
      changes: [{ product, quantityAvailable: next, seen }],
    });
    count(answer);
    expect(answer.status).toBe(200);
    const [result] = answer.body.data;
    if ('product' in result) add(ledger, product, toMilli(next) - toMilli(seen));
  }

  /** Sells something by another unit, which is refused while anything uses it: goods of both would not add up. */
  async function relabel(): Promise<void> {
    const answer = await fixture.put(`/products/${pick(whole)}`, farmer, {
      unit: pick(['lb', 'kg', 'bunch']),
    });
    count(answer);
    if (answer.status !== 200) expect(answer.body.code).toBe('PRODUCT_IN_USE');
  }

  async function act(order: Order): Promise<void> {
    const buyer = consumerOf(order);
    const now = await fixture.read(order, buyer);
    const { openChange } = now;
    const calls: [weight: number, call: () => Promise<unknown>][] = [
      [
        4,
        async () => {
          if (!now.items.some(({ quantity }) => quantity > 0)) return;
          const { items, over } = proposalOf(now);
          count(await fixture.propose(now, items, over));
        },
      ],
      [
        openChange ? 5 : 0,
        async () => {
          const answers = (openChange?.items ?? []).map(() => pick(['accept', 'leave_out']));
          count(await fixture.answer(now, fixture.answersOf(now, answers), buyer));
        },
      ],
      [
        openChange ? 1 : 0,
        async () => count(await fixture.answer(now, { cancelOrder: true }, buyer)),
      ],
      [openChange ? 1 : 0, async () => count(await fixture.withdraw(now))],
      [
        openChange ? 2 : 0,
        async () => {
          await fixture.endNow(now);
          await fixture.expire(now);
        },
      ],
      [
        3,
        async () =>
          count(
            await fixture.put(`/orders/${now._id}/items`, buyer, {
              items: products
                .filter(() => random(4) > 0)
                .map((product) => ({ product, quantity: 1 + random(9) })),
              expectedVersion: pick([now.version, undefined]),
            }),
          ),
      ],
      [3, () => weigh(now)],
      [3, async () => count(await fixture.changeStatus(now._id, 'accepted', farmer))],
      [
        1,
        async () => {
          const packing = pick(['packing', 'packed', 'none']);
          count(await fixture.put(`/orders/${now._id}/packing`, farmer, { packing }));
        },
      ],
      [
        0.3,
        async () =>
          count(await fixture.changeStatus(now._id, pick(['rejected', 'cancelled']), farmer)),
      ],
      [
        0.3,
        async () => {
          const body = { status: 'completed', usesEstimates: true };
          count(await fixture.put(`/orders/${now._id}`, farmer, body));
        },
      ],
    ];
    let left = (random(1000) / 1000) * calls.reduce((sum, [weight]) => sum + weight, 0);
    for (const [weight, call] of calls) {
      left -= weight;
      if (left < 0) return void (await call());
    }
  }

  /** Says that there is nothing left of something, on one order or over all; alone, so that it is known how much. */
  async function empty(): Promise<void> {
    const before = new Map<string, number>();
    for (const product of products) before.set(product, await fixture.stockOf(product));
    let product: string | undefined;
    if (random(2) === 0) {
      product = await share({ reason: 'sold_out', note: 'sold_out', emptiesShelf: true });
    } else {
      const order = pick(orders);
      const now = order && (await fixture.read(order, consumerOf(order)));
      const line = now && pick(now.items.filter(({ quantity }) => quantity > 0));
      if (!line?.product._id || now.openChange) return;
      const items = [
        { lineId: line._id, action: 'remove', reason: 'sold_out', emptiesShelf: true },
      ];
      const answer = await fixture.propose(now, items, { note: 'sold_out' });
      count(answer);
      if (answer.status === 201) product = line.product._id;
    }
    if (product === undefined) return;
    expect(await fixture.stockOf(product)).toBe(0);
    add(ledger, product, -toMilli(before.get(product) ?? 0));
    // There is more the next day.
    const quantityAvailable = pick([40, 80]);
    const changes = [{ product, quantityAvailable, seen: 0 }];
    expect((await fixture.put('/products/stock', farmer, { changes })).status).toBe(200);
    add(ledger, product, toMilli(quantityAvailable));
  }

  return {
    products,
    orders,
    ledger,
    answered,
    random,
    pick,
    place,
    act,
    stock,
    relabel,
    share,
    empty,
  };
}

/** Adds up what was written off: by answers, by ends without one, and by the consumers' wishes. */
async function readWrittenOff(): Promise<Ledger> {
  const { db, pool } = fixture.platform;
  const writtenOff: Ledger = new Map();
  const ended = await db.orderProposal.findMany({
    where: { status: { in: ['accepted', 'answered', 'declined', 'expired'] } },
  });
  for (const item of ended.flatMap((row) => itemsOf(row as unknown as ProposalRow))) {
    const { product, reason, quantityMilli, newQuantityMilli = 0 } = item;
    if (reason && !returnsToStock(reason)) {
      add(writtenOff, product._id ?? '', quantityMilli - newQuantityMilli);
    }
  }
  const { rows } = await pool.query<{
    detail: { differences: { product: { _id: string }; from: number; to: number }[] };
    reason: (typeof SHORT_REASONS)[number];
  }>(
    `SELECT entry.detail, known.reason FROM order_timeline entry
     JOIN order_timeline known USING (order_id, version)
     WHERE entry.kind = 'lines' AND entry.detail ->> 'cause' = 'shortage' AND known.kind IN ('lines', 'proposal')
       AND known.reason IS NOT NULL`,
  );
  for (const { detail, reason } of rows) {
    if (returnsToStock(reason)) continue;
    for (const { product, from, to } of detail.differences) {
      if (to < from) add(writtenOff, product._id, toMilli(from) - toMilli(to));
    }
  }
  return writtenOff;
}

/** Checks that no goods appeared or vanished, and that every order costs what its lines do. */
async function expectConserved(products: readonly string[], ledger: Ledger): Promise<void> {
  const { db } = fixture.platform;
  const writtenOff = await readWrittenOff();
  const open = await db.orderProposal.findMany({ where: { status: 'open' } });
  const reserved = open
    .flatMap(({ items }) => items as unknown as ProposalItemRow[])
    .flatMap(({ substitute }) => substitute ?? []);
  for (const productId of products) {
    const row = await db.product.findUniqueOrThrow({ where: { id: productId } });
    const lines = await db.orderLine.findMany({
      where: { productId, order: { status: { in: ['pending', 'accepted', 'completed'] } } },
    });
    const held = {
      shelf: Number(row.stockMilli),
      orders: lines.reduce((sum, { quantityMilli }) => sum + quantityMilli, 0),
      reserved: reserved
        .filter((each) => each.productId === productId)
        .reduce((sum, { quantityMilli }) => sum + quantityMilli, 0),
      writtenOff: writtenOff.get(productId) ?? 0,
    };
    expect(held.shelf).toBeGreaterThanOrEqual(0);
    const inUse = await db.orderLine.count({
      where: {
        productId,
        quantityMilli: { gt: 0 },
        unit: { not: row.unit },
        order: { status: { in: ['pending', 'accepted'] } },
      },
    });
    expect(inUse, `${row.name} in ${row.unit}`).toBe(0);
    const sum = Object.values(held).reduce((total, each) => total + each, 0);
    const expected = toMilli(STOCK_AT_START) + (ledger.get(productId) ?? 0);
    expect(sum, `${row.name}: ${JSON.stringify(held)}`).toBe(expected);
  }
  for (const { id, totalMinor, lines } of await db.order.findMany({ include: { lines: true } })) {
    const sum = lines.reduce(
      (total, { finalMinor, ...line }) =>
        total + lineMinor({ ...line, finalMinor: finalMinor === null ? null : Number(finalMinor) }),
      0,
    );
    expect(Number(totalMinor), id).toBe(sum);
  }
}

const TIMEOUT = { timeout: WAIT_MS + scaled(ROUNDS * 4000) };
test.each([1, 2])('no goods appear or vanish, whatever happens (%i)', TIMEOUT, async (seed) => {
  const run = await openRun(seed);
  for (let count = 0; count < 4; count++) await run.place();
  for (let round = 0; round < ROUNDS; round++) {
    const { orders, pick } = run;
    await Promise.all([
      // Each order once, and two of them by two people at once.
      ...orders.slice(-6).map(run.act),
      ...[pick(orders), pick(orders)].flatMap((order) => (order ? [run.act(order)] : [])),
      run.stock(),
      run.relabel(),
      ...(round % 4 === 1 ? [run.share()] : []),
      ...(round % 3 === 2 ? [run.place()] : []),
    ]);
    if (round % 5 === 4) await run.empty();
    if (round % 7 === 6) await expectConserved(run.products, run.ledger);
  }
  await expectConserved(run.products, run.ledger);
  // Neither was all of it refused, nor did anything fail.
  expect([...run.answered.keys()].filter((status) => status >= 500)).toEqual([]);
  expect(run.answered.get(200) ?? 0).toBeGreaterThan(ROUNDS);
});
