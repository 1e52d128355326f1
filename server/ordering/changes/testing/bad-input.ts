import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Order } from '#contract/ordering/orders/orders';
import { type ChangesFixture, createChangesFixture } from './changes-fixture.ts';

// Calls that bend, weigh, pick or pack orders with bad input.

/** An order that waits for its consumer, an accepted one with a chicken to weigh, and one of another farm. */
async function makeKnown(fixture: ChangesFixture) {
  const { farmer, consumer } = fixture;
  const { made, carrots, kale, beets } = await fixture.proposed();
  const chicken = await fixture.createProduct(50, {
    name: 'Chicken',
    unit: 'kg',
    pieceMilli: 2000,
  });
  const { _id } = await fixture.placeOrder([
    { product: chicken, quantity: 2 },
    { product: kale, quantity: 3 },
  ]);
  const { body } = await fixture.changeStatus(_id, 'accepted', farmer);
  const stranger = await fixture.join('farmer');
  const theirs = await fixture.createProduct(10, { farmerId: stranger.id, name: 'Their Leek' });
  const other = await fixture.order([{ product: theirs, quantity: 1 }], {
    over: { farmer: stranger.id },
  });
  expect(other.status, JSON.stringify(other.body)).toBe(201);
  return {
    farmer,
    consumer,
    waiting: made,
    order: body.data as Order,
    other: other.body.data as Order,
    carrots,
    kale,
    beets,
    chicken,
    theirs,
  };
}
export type Known = Awaited<ReturnType<typeof makeKnown>>;

/** The id of one of an order's lines. */
export const lineOf = (order: Order, index = 0) => order.items[index]?._id ?? '';
/** A wrong call, and what it gets: 400 unless it says so. */
interface Bad {
  what: string;
  body: (all: Known) => unknown;
  status?: number;
  /** Replaces the path of its call. */
  path?: (all: Known) => string;
  as?: 'consumer' | 'farmer';
}

/** A call and the ways in which it can be wrong. */
export interface Call {
  method: string;
  path: (all: Known) => string;
  as: 'consumer' | 'farmer';
  bad: Bad[];
}

const TABLES =
  `orders order_lines order_timeline order_proposals products shortages pick_prints pick_print_lines
  pick_ticks pick_seen event_log event_outbox timers notifications`.split(/\s+/);

/** Everything that these calls could write, as one text for each table. */
async function everything({ platform }: ChangesFixture): Promise<Record<string, string>> {
  const { pool, eventLog } = platform;
  await eventLog.sequence();
  const found: Record<string, string> = {};
  for (const table of TABLES) {
    const { rows } = await pool.query<{ all: string }>(
      `SELECT md5(string_agg(t::text, ',' ORDER BY t::text)) AS all FROM ${table} t`,
    );
    found[table] = rows[0]?.all ?? '';
  }
  return found;
}

/** A sentence for a person, in none of the words of a schema. */
const SENTENCE = /^[A-Z₨0-9].*(\.|not found)$/s;
const SCHEMA_WORDS = /received|invalid_|Invalid (input|option|value|UUID)|Too (big|small)/;

/** Expects words for a person. */
export function expectSentence(message: string): void {
  expect(message).toMatch(SENTENCE);
  expect(message).not.toMatch(SCHEMA_WORDS);
}

/** Tests that every wrong call is refused with a sentence, and that nothing of it is applied. */
export function testRefusals(calls: Record<string, Call>): () => ChangesFixture {
  let fixture: ChangesFixture;
  let known: Known;
  beforeAll(async () => {
    fixture = await createChangesFixture();
    known = await makeKnown(fixture);
  });
  afterAll(() => fixture.close());

  describe.each(Object.entries(calls))('%s', (_, { method, path, as, bad }) => {
    test.each(bad)('$what is refused with a sentence', async (each) => {
      const before = await everything(fixture);
      const caller = known[each.as ?? as];
      const answer = await fixture.call(method, (each.path ?? path)(known), {
        as: caller,
        body: each.body(known),
      });
      expect(answer.status, JSON.stringify(answer.body)).toBe(each.status ?? 400);
      const { message, code, errors = [] } = answer.body;
      expect(code).toMatch(/^[A-Z_]+$/);
      expectSentence(message);
      for (const error of errors) expectSentence(error.message);
      expect(await everything(fixture)).toEqual(before);
    });
  });
  return () => fixture;
}
