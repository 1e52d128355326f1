import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makePeople, makeProducts, type Someone } from '../../bench/fill.ts';
import { type Stack, startStack } from '../stack.ts';
import { type Answer, ask, figure, openBackDoor, order, percentile, sized } from './ground.ts';

const BUYERS = 200;
const ROUNDS = sized(1, 5);

let stack: Stack;
let database: pg.Pool;
let farmer: Someone;
let buyers: Someone[];

beforeAll(async () => {
  stack = await startStack({ seed: false, workers: 0, servers: 2 });
  database = openBackDoor(stack.databaseUrl);
  [farmer] = (await makePeople(stack.databaseUrl, 'farmer', 1)) as [Someone];
  buyers = await makePeople(stack.databaseUrl, 'consumer', BUYERS);
});
afterAll(async () => {
  await database?.end();
  await stack?.close();
});

/** Puts so many products on the shelf, so much of each. */
async function stock(products: number, quantity: number) {
  const made = await makeProducts(stack.databaseUrl, [farmer], products);
  const ids = made.map(({ id }) => id);
  await database.query('UPDATE products SET quantity_available = $2 WHERE id = ANY ($1)', [
    ids,
    quantity,
  ]);
  return made;
}

async function left(products: readonly { id: string }[]): Promise<number[]> {
  const { rows } = await database.query<{ left: number }>(
    'SELECT quantity_available AS left FROM products WHERE id = ANY ($1)',
    [products.map(({ id }) => id)],
  );
  return rows.map((row) => row.left);
}

const serverOf = (index: number) => stack.servers[index % 2]?.url ?? '';
const count = (answers: readonly Answer[], status: number) =>
  answers.filter((answer) => answer.status === status).length;
const slowestOf = (answers: readonly Answer[]) =>
  `p95 ${percentile(
    answers.map(({ ms }) => ms),
    0.95,
  )} ms`;

it('200 buyers for 10 units at two servers: 10 get one, 190 are told so, none is left', async () => {
  const all: Answer[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const [product] = (await stock(1, 10)) as [{ id: string; farmer: string }];
    const answers = await Promise.all(
      buyers.map(({ token }, index) => order(serverOf(index), { token, product })),
    );
    expect([count(answers, 201), count(answers, 409)]).toEqual([10, 190]);
    expect(await left([product])).toEqual([0]);
    all.push(...answers);
  }
  figure(
    '200 buyers for 10 units over two servers',
    `${ROUNDS} time(s) 10 × 201, 190 × 409, stock 0; ${slowestOf(all)}`,
  );
}, 120_000);

it('200 carts over the same products in opposite orders: no deadlock reaches anybody', async () => {
  const all: Answer[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const products = await stock(8, 100);
    const date = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
    const answers = await Promise.all(
      buyers.map(({ token }, index) => {
        const items = products.map(({ id }) => ({ product: id, quantity: 1 }));
        return ask(serverOf(index), 'POST', '/orders', {
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
    expect(await left(products)).toEqual(Array(8).fill(0));
    all.push(...answers);
  }
  figure(
    '200 carts of 8 products in opposite orders over two servers',
    `${ROUNDS} time(s) 100 × 201 and 100 × 409 for 100 of each, stock 0, no other answer; ${slowestOf(all)}`,
  );
}, 120_000);
