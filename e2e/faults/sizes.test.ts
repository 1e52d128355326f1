import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createProducts, createUsers, type TestUser } from '../fill.ts';
import { type Stack, startStack } from '../stack.ts';
import { callApi, nextSaturday, openDatabase, printFigure, sized, whenServed } from './helpers.ts';

const BUYERS = 200;
const SERVERS = 4;
const ROUNDS = sized(1, 5);
/** In kg; there are 100 kg. */
const SIZES = [1, 2, 5].map((content) => ({ id: randomUUID(), content }));
const STOCK_MILLI = 100_000;

let stack: Stack;
let database: pg.Pool;
let farmer: TestUser;
let consumers: TestUser[];

beforeAll(async () => {
  stack = await startStack({ seed: false, workers: 0, servers: SERVERS });
  database = openDatabase(stack.databaseUrl);
  [farmer] = (await createUsers(stack.databaseUrl, 'farmer', 1)) as [TestUser];
  consumers = await createUsers(stack.databaseUrl, 'consumer', BUYERS);
  // Every stock that there ever was, and when.
  await database.query(`
    CREATE TABLE stock_levels (product_id uuid, version int, milli bigint, at timestamptz);
    CREATE FUNCTION note_stock_level() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO stock_levels VALUES (NEW.id, NEW.version, NEW.stock_milli, clock_timestamp());
        RETURN NEW;
      END $$;
    CREATE TRIGGER note_stock_level AFTER UPDATE OF stock_milli ON products
      FOR EACH ROW EXECUTE FUNCTION note_stock_level()`);
});
afterAll(async () => {
  await database?.end();
  await stack?.close();
});

/** Creates 100 kg of a product that is sold in {@link SIZES}. @returns its id */
async function createStock(): Promise<string> {
  const [product] = await createProducts(stack.databaseUrl, [farmer], 1);
  const sizes = SIZES.map(({ id, content }) => ({
    ...{ id, label: `${content} kg`, contentMilli: content * 1000, priceMinor: content * 100 },
    ...{ sku: null, isActive: true, minimum: null },
  }));
  await database.query(
    `UPDATE products SET unit = 'kg', stock_milli = $2, sizes = $3, step_milli = 1, minimum_milli = 1000,
       price_minor = 100 WHERE id = $1`,
    [product?.id, STOCK_MILLI, JSON.stringify(sizes)],
  );
  return product?.id ?? '';
}

async function levelsOf(product: string): Promise<{ milli: number; at: Date }[]> {
  const { rows } = await database.query<{ milli: number; at: Date }>(
    'SELECT milli::int, at FROM stock_levels WHERE product_id = $1 ORDER BY version',
    [product],
  );
  return rows;
}

it('sells 100 kg in sizes to 200 concurrent customers over four servers, to everybody whose size fits', async () => {
  let sold = 0;
  let refused = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const product = await createStock();
    const pickupDetails = { date: nextSaturday(), time: '10:00', location: 'Farm gate' };
    const outcomes = await Promise.all(
      consumers.map(async ({ token }, index) => {
        const size = SIZES[(index + round) % SIZES.length] as (typeof SIZES)[number];
        const answer = await whenServed(() =>
          callApi(stack.servers[index % SERVERS]?.url ?? '', 'POST', '/orders', {
            token,
            key: randomUUID(),
            body: {
              farmer: farmer.id,
              items: [{ product, size: size.id, quantity: 1, price: size.content }],
              pickupDetails,
            },
          }),
        );
        return { size, answer, answeredAt: answer.askedAt + answer.ms };
      }),
    );
    const placed = outcomes.filter(({ answer }) => answer.status === 201);
    const others = outcomes.filter(({ answer }) => answer.status !== 201);
    const levels = await levelsOf(product);

    // Each order took the content of its size, once, and no stock was ever below nothing or above what there is.
    const steps = levels.slice(1).map(({ milli }, index) => (levels[index]?.milli ?? 0) - milli);
    const taken = placed.map(({ size }) => size.content * 1000);
    expect(steps.toSorted()).toEqual(taken.toSorted());
    expect(levels[0]?.milli).toBe(STOCK_MILLI);
    const left = levels.at(-1)?.milli ?? -1;
    expect(left).toBeGreaterThanOrEqual(0);
    expect(left).toBe(STOCK_MILLI - taken.reduce((sum, milli) => sum + milli, 0));

    // The stock only falls: who was refused found less than their size, so there was less when they got the answer.
    for (const { size, answer, answeredAt } of others) {
      expect(answer).toMatchObject({ status: 409, body: { code: 'OUT_OF_STOCK' } });
      expect(answer.body.problems).toEqual([{ line: 0, code: 'OUT_OF_STOCK', left: 0 }]);
      const then = levels.findLast(({ at }) => at.getTime() <= answeredAt);
      expect(then?.milli).toBeLessThan(size.content * 1000);
    }
    sold += placed.length;
    refused += others.length;
  }
  printFigure(
    '200 customers for sizes of 1, 2 and 5 kg over 100 kg and four servers',
    `${ROUNDS} time(s): ${sold} × 201, ${refused} × 409, all of whom found less than their size`,
  );
});
