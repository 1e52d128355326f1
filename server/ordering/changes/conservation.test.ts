// @long It tries crowds, or very many cases.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ProductSize } from '#contract/catalogue/products/product';
import { returnsToStock, SHORT_REASONS } from '#contract/ordering/changes/constants';
import type { Order } from '#contract/ordering/orders/orders';
import { fromMilli, toMilli } from '#contract/platform/quantities/constants/quantities';
import { scaled, WAIT_MS } from '../../../testing/until.ts';
import { ALWAYS_MILLI, presentSize } from '../../catalogue/products/sizes.ts';
import type { Caller } from '../../testing/market.ts';
import { sizeRows } from '../testing/fixture.ts';
import { type ChangesFixture, createChangesFixture } from './testing/changes-fixture.ts';
import { add, expectConserved, type Ledger, STOCK_AT_START } from './testing/conserved.ts';

// Everything that moves goods, in any order and at once, by consumers, farmers and the clock: what is on the stock, in
// orders, held back and written off is always what there was, and every order costs what its lines cost.

/** Rounds of calls of one run; `npm run test:fuzz` makes them many. */
const ROUNDS = Math.ceil(Number(process.env.FUZZ_REQUESTS ?? 600) / 50);

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

type SoldSize = Pick<ProductSize, 'label' | 'content' | 'price' | 'isActive'> & { _id?: string };

async function openRun(seed: number) {
  const random = createRandom(seed);
  const pick = <T>(all: readonly T[]): T => all[random(all.length)] as T;
  // The steps are so fine that no two stocks that the farmer writes are the same.
  const whole = await Promise.all(
    ['Carrots', 'Kale', 'Beets', 'Leek'].map((name, index) =>
      fixture.createProduct(STOCK_AT_START, { name, stepMilli: 1, priceMinor: 1000 - 50 * index }),
    ),
  );
  const bags = sizeRows([1, 2, 5]);
  /** The sizes of the potatoes, as the farm knows them. */
  let sizes: SoldSize[] = bags.map(presentSize);
  const chicken = await fixture.createProduct(STOCK_AT_START, {
    name: 'Chicken',
    unit: 'kg',
    priceMinor: 40_000,
    pieceMilli: 1800,
    pieceMinMilli: 1400,
    pieceMaxMilli: 2400,
  });
  const { product: potatoes } = await fixture.createSized(STOCK_AT_START, bags, {
    name: 'Potatoes',
  });
  const milk = await fixture.createProduct(0, {
    ...{ name: 'Milk', unit: 'l', isAlways: true, stockMilli: ALWAYS_MILLI },
  });
  const counted = [...whole, chicken];
  const products = [...counted, potatoes];
  const consumers = await Promise.all([fixture.join('consumer'), fixture.join('consumer')]);
  const ledger: Ledger = new Map();
  const orders: Order[] = [];
  const answered = new Map<number, number>();
  const count = ({ status }: { status: number }) => {
    answered.set(status, (answered.get(status) ?? 0) + 1);
  };
  const consumerOf = (order: Order): Caller =>
    consumers.find(({ id }) => id === order.consumer._id) as Caller;

  /** Some of the sizes of the potatoes, each once; sometimes potatoes in none. */
  const someSizes = () =>
    random(12) === 0
      ? [{ product: potatoes }]
      : sizes
          .filter(({ isActive }) => (isActive ? random(3) > 0 : random(9) === 0))
          .map(({ _id }) => ({ product: potatoes, size: _id }));

  async function place(): Promise<void> {
    const bought = [...whole.slice(0, 3), chicken, milk].map((product) => ({ product }));
    const items = [...bought, ...someSizes()].map((goods) => ({
      ...goods,
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
      const productId = pick([...products, milk]);
      const size = productId === potatoes ? pick(sizes)._id : undefined;
      const substitute = { productId, size, quantity: 1 + random(5) };
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
    const answer = await fixture.call('POST', '/farm/shortages', { as: farmer, body });
    count(answer);
    const { ordered = 0, left = 0 } = answer.body.data ?? {};
    // What fits nowhere goes on the stock, though what the orders lose is written off.
    const isKept = !returnsToStock(body.reason) && !('emptiesShelf' in body) && productId !== milk;
    const keptMilli = toMilli(left) - Math.max(0, toMilli(body.available) - toMilli(ordered));
    if (isKept && keptMilli > 0) add(ledger, productId, keptMilli);
    return productId;
  }

  let marks = 0;
  /** Writes another stock over what was just seen, as a farmer with a list open does. */
  async function stock(): Promise<void> {
    const product = pick([...whole, potatoes]);
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

  /** Sells potatoes in other sizes: turned on or off, of another content, one more or one less. */
  async function resize(): Promise<void> {
    const next: SoldSize[] = sizes.map((size) => ({ ...size }));
    const at = random(next.length);
    const kind = pick(['turn', 'fill', 'add', 'remove']);
    const size = next[at];
    if (size && kind === 'turn') size.isActive = !size.isActive;
    if (size && kind === 'fill') size.content = pick([1, 2, 2.5, 5]);
    if (kind === 'remove') next.splice(at, 1);
    if (kind === 'add') {
      marks++;
      next.push({ label: `Bag ${marks}`, content: pick([0.5, 1.25, 3]), price: 4, isActive: true });
    }
    if (next.length > 6 || !next.some(({ isActive }) => isActive)) return;
    const answer = await fixture.put(`/products/${potatoes}`, farmer, { sizes: next });
    count(answer);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    sizes = answer.body.data.sizes;
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
              items: [
                ...[...counted, milk].filter(() => random(4) > 0).map((product) => ({ product })),
                ...someSizes(),
              ].map((goods) => ({ ...goods, quantity: 1 + random(9) })),
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
      const isCounted = ({ quantity, product }: Order['items'][number]) =>
        quantity > 0 && product._id !== milk;
      const line = now && pick(now.items.filter(isCounted));
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
    potatoes,
    milk,
    orders,
    ledger,
    answered,
    random,
    pick,
    place,
    act,
    stock,
    relabel,
    resize,
    share,
    empty,
  };
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
      run.resize(),
      ...(round % 4 === 1 ? [run.share()] : []),
      ...(round % 3 === 2 ? [run.place()] : []),
    ]);
    if (round % 5 === 4) await run.empty();
    if (round % 7 === 6) await expectConserved(fixture.platform, run.products, run.ledger);
  }
  await expectConserved(fixture.platform, run.products, run.ledger);
  // Of what is always available nothing was taken, and nothing came back.
  expect(toMilli(await fixture.stockOf(run.milk))).toBe(ALWAYS_MILLI);
  const ofMilk = { productId: run.milk };
  expect(await fixture.platform.db.orderLine.count({ where: ofMilk })).toBeGreaterThan(0);
  expect(
    await fixture.platform.db.orderLine.count({ where: { ...ofMilk, takesStock: true } }),
  ).toBe(0);
  const ofSizes = { sizeId: { not: null }, productId: run.potatoes };
  expect(await fixture.platform.db.orderLine.count({ where: ofSizes })).toBeGreaterThan(ROUNDS / 2);
  // Neither was all of it refused, nor did anything fail.
  expect([...run.answered.keys()].filter((status) => status >= 500)).toEqual([]);
  expect(run.answered.get(200) ?? 0).toBeGreaterThan(ROUNDS);
});
