import { afterAll, beforeAll, expect, test } from 'vitest';
import { addDays } from '#contract/platform/time/constants/days';
import { dayIn } from '#contract/platform/time/constants/time';
import { type ChangesFixture, createChangesFixture } from './testing/changes-fixture.ts';

// A shortage asks hundreds of buyers one after the other, so that each statement of a proposal counts.

let fixture: ChangesFixture;
/** The names of all statements on orders, with those that begin a transaction. */
let statements: string[] = [];

beforeAll(async () => {
  fixture = await createChangesFixture();
  watchStatements();
});
afterAll(() => fixture.close());

function watchStatements(): void {
  const watched = new WeakSet();
  fixture.platform.pool.on('acquire', (client) => {
    if (watched.has(client)) return;
    watched.add(client);
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    Object.assign(client, {
      query: (...args: [string | { name?: string; text: string }, ...unknown[]]) => {
        const [first] = args;
        const { name = '', text } = typeof first === 'string' ? { text: first } : first;
        if (/^BEGIN/.test(text)) statements.push('BEGIN');
        else if (/\border/.test(text)) statements.push(name);
        return query(...args);
      },
    });
  });
}

test('a proposal is read and written by one statement each, without a transaction', async () => {
  const { order } = await fixture.ordered();
  const [line] = order.items;
  statements = [];
  const { status, body } = await fixture.propose(order, [
    { lineId: line?._id, action: 'reduce', newQuantity: 4, reason: 'not_harvested' },
  ]);
  expect(status, JSON.stringify(body)).toBe(201);
  expect(statements).toEqual(['read_for_proposing', 'write_order']);
});

test('so is each order of a shortage', async () => {
  const product = await fixture.createProduct(100);
  for (let count = 0; count < 3; count++) await fixture.order([{ product, quantity: 10 }]);
  const day = addDays(dayIn('UTC'), 1);
  statements = [];
  const { status, body } = await fixture.call('POST', '/farm/shortages', {
    as: fixture.farmer,
    body: { productId: product, from: day, to: day, available: 15, rule: 'fair' },
  });
  expect(status, JSON.stringify(body)).toBe(200);
  const ofProposals = statements.filter((name) => /^(read_for_proposing|write_order)$/.test(name));
  expect(ofProposals.sort()).toEqual([
    ...Array(3).fill('read_for_proposing'),
    ...Array(3).fill('write_order'),
  ]);
  // What is left keeps the shares, before any order is written.
  expect(statements.filter((name) => name === 'BEGIN')).toHaveLength(1);
});
