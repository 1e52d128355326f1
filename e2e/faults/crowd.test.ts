import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createProducts, createUsers, type TestUser } from '../fill.ts';
import { type Stack, startStack } from '../stack.ts';
import {
  type Answer,
  callApi,
  nextSaturday,
  openDatabase,
  order,
  percentile,
  printFigure,
  sized,
} from './helpers.ts';

const BUYERS = 200;
const ROUNDS = sized(1, 5);

let stack: Stack;
let database: pg.Pool;
let farmer: TestUser;
let consumers: TestUser[];

beforeAll(async () => {
  stack = await startStack({ seed: false, workers: 0, servers: 2 });
  database = openDatabase(stack.databaseUrl);
  [farmer] = (await createUsers(stack.databaseUrl, 'farmer', 1)) as [TestUser];
  consumers = await createUsers(stack.databaseUrl, 'consumer', BUYERS);
});
afterAll(async () => {
  await database?.end();
  await stack?.close();
});

/** Creates products with a stock of `quantity` each. */
async function createStock(products: number, quantity: number) {
  const made = await createProducts(stack.databaseUrl, [farmer], products);
  const ids = made.map(({ id }) => id);
  await database.query('UPDATE products SET stock_milli = $2 * 1000 WHERE id = ANY ($1)', [
    ids,
    quantity,
  ]);
  return made;
}

async function stockOf(products: readonly { id: string }[]): Promise<number[]> {
  const { rows } = await database.query<{ stock: number }>(
    'SELECT (stock_milli / 1000)::int AS stock FROM products WHERE id = ANY ($1)',
    [products.map(({ id }) => id)],
  );
  return rows.map((row) => row.stock);
}

const serverOf = (index: number) => stack.servers[index % 2]?.url ?? '';
const count = (answers: readonly Answer[], status: number) =>
  answers.filter((answer) => answer.status === status).length;
const formatP95 = (answers: readonly Answer[]) =>
  `p95 ${percentile(
    answers.map(({ ms }) => ms),
    0.95,
  )} ms`;

it('sells 10 units to 10 of 200 concurrent customers over two servers', async () => {
  const all: Answer[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const [product] = (await createStock(1, 10)) as [{ id: string; farmer: string }];
    const answers = await Promise.all(
      consumers.map(({ token }, index) => order(serverOf(index), { token, product })),
    );
    expect([count(answers, 201), count(answers, 409)]).toEqual([10, 190]);
    expect(await stockOf([product])).toEqual([0]);
    all.push(...answers);
  }
  printFigure(
    '200 customers for 10 units over two servers',
    `${ROUNDS} time(s) 10 × 201, 190 × 409, stock 0; ${formatP95(all)}`,
  );
});

it('returns no deadlock to 200 carts with the same products in opposite orders', async () => {
  const all: Answer[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const products = await createStock(8, 100);
    const date = nextSaturday();
    const answers = await Promise.all(
      consumers.map(({ token }, index) => {
        const items = products.map(({ id }) => ({ product: id, quantity: 1 }));
        return callApi(serverOf(index), 'POST', '/orders', {
          token,
          body: {
            farmer: farmer.id,
            items: index % 4 < 2 ? items : items.toReversed(),
            pickupDetails: { date, time: '10:00', location: 'Farm gate' },
          },
        });
      }),
    );
    expect([count(answers, 201), count(answers, 409)]).toEqual([100, 100]);
    expect(await stockOf(products)).toEqual(Array(8).fill(0));
    all.push(...answers);
  }
  printFigure(
    '200 carts of 8 products in opposite orders over two servers',
    `${ROUNDS} time(s) 100 × 201 and 100 × 409 for 100 of each, stock 0, no other answer; ${formatP95(all)}`,
  );
});
