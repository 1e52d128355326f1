import { afterAll, beforeAll, expect, test } from 'vitest';
import { addDays } from '#contract/constants/days';
import { dayIn } from '#contract/constants/time';
import { type ChangesFixture, createChangesFixture } from './testing/changes-fixture.ts';

// A shortage asks hundreds of buyers one after the other, so that each statement of a proposal counts.

let fixture: ChangesFixture;
/** The statements of each transaction that has ended, without those that begin and end it. */
let transactions: string[][] = [];

beforeAll(async () => {
  fixture = await createChangesFixture();
  watchTransactions();
});
afterAll(() => fixture.close());

function watchTransactions(): void {
  const watched = new WeakSet();
  fixture.platform.pool.on('acquire', (client) => {
    if (watched.has(client)) return;
    watched.add(client);
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    let open: string[] | undefined;
    Object.assign(client, {
      query: (...args: [string | { text: string }, ...unknown[]]) => {
        const [first] = args;
        const text = typeof first === 'string' ? first : first.text;
        if (/^BEGIN/.test(text)) open = [];
        else if (open && /^(COMMIT|ROLLBACK)/.test(text)) {
          transactions.push(open);
          open = undefined;
        } else open?.push(text);
        return query(...args);
      },
    });
  });
}

/** Returns how many statements each transaction had that wrote a proposal. */
const proposing = () =>
  transactions
    .filter((statements) => statements.some((text) => text.includes('INSERT INTO order_proposals')))
    .map((statements) => statements.length);

test('a proposal locks, reads the order and its products, and writes: four statements', async () => {
  const { order } = await fixture.ordered();
  const [line] = order.items;
  transactions = [];
  const { status, body } = await fixture.propose(order, [
    { lineId: line?._id, action: 'reduce', newQuantity: 4, reason: 'not_harvested' },
  ]);
  expect(status, JSON.stringify(body)).toBe(201);
  expect(proposing()).toEqual([4]);
});

test('an order of a shortage is locked, read and written: three statements', async () => {
  const product = await fixture.createProduct(100);
  for (let count = 0; count < 3; count++) await fixture.order([{ product, quantity: 10 }]);
  const day = addDays(dayIn('UTC'), 1);
  transactions = [];
  const { status, body } = await fixture.call('POST', '/farm/shortages', {
    as: fixture.farmer,
    body: { productId: product, from: day, to: day, available: 15, rule: 'fair' },
  });
  expect(status, JSON.stringify(body)).toBe(200);
  expect(proposing()).toEqual([3, 3, 3]);
});
