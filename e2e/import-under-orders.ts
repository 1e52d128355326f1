import { randomUUID } from 'node:crypto';
import type { ProductImport } from '#contract/catalogue/imports/imports';
import { productFile, uploadProducts } from '../server/testing/product-file.ts';
import { scaled, until } from '../testing/until.ts';
import { callApi, nextSaturday, openDatabase } from './faults/helpers.ts';
import { createProducts, createUsers } from './fill.ts';
import type { Stack } from './stack.ts';

const CUSTOMERS = 8;
/** What the farm has of each product at first, and how much more the file says. */
const STOCK = 1000;
const MORE = 5;

/** What an import and the orders meanwhile came to. */
interface Outcome {
  previewMs: number;
  applyMs: number;
  /** How long each order took before the import, and during it. */
  quietMs: number[];
  ordersMs: number[];
  /** By how much the stocks differ from what was there, came and was sold, in whole units. */
  lost: number;
  found: ProductImport;
}

/**
 * Imports a file of so many rows, half of them new and half with more stock, while customers order what is there.
 * `begins` is called while only orders come in, and `disturb` once the writing has begun.
 */
export async function importUnderOrders(
  stack: Stack,
  rows: number,
  {
    begins = () => {},
    disturb = async () => {},
  }: {
    begins?: () => void;
    disturb?: (progress: () => Promise<ProductImport>) => Promise<void>;
  } = {},
): Promise<Outcome> {
  const [farmer] = await createUsers(stack.databaseUrl, 'farmer', 1);
  const customers = await createUsers(stack.databaseUrl, 'consumer', CUSTOMERS);
  if (!farmer) throw new Error('There is no farmer.');
  const products = await createProducts(stack.databaseUrl, [farmer], Math.floor(rows / 2));
  const database = openDatabase(stack.databaseUrl);
  await database.query('UPDATE products SET stock_milli = $1, images = $2', [STOCK * 1000, []]);

  let isOver = false;
  const orders: number[] = [];
  const place = async (token: string, index: number) => {
    for (let turn = index; !isOver; turn += CUSTOMERS) {
      const items = [turn, turn + 7].map((at) => ({
        product: products[at % products.length]?.id,
        quantity: 1,
      }));
      const body = {
        ...{ farmer: farmer.id, items },
        pickupDetails: { date: nextSaturday(), time: '10:00', location: 'Farm gate' },
      };
      const startedAt = performance.now();
      const { status } = await callApi(stack.url, 'POST', '/orders', {
        ...{ token, body, key: randomUUID() },
        withinMs: scaled(30_000),
      });
      if (status === 201) orders.push(performance.now() - startedAt);
    }
  };
  const ordering = Promise.all(customers.map(({ token }, index) => place(token, index)));
  await until('orders to come in', () => orders.length > 100, scaled(60_000));
  const quietMs = orders.splice(0);
  begins();

  const file = productFile(
    [
      ...products.map(({ id }) => ({ id, stock: STOCK + MORE })),
      ...Array.from({ length: rows - products.length }, (_, index) => ({
        ...{ name: `New ${index}`, description: 'Good.', category: 'Category 1', unit: 'kg' },
        ...{ price: '2.50', quantity: undefined, stock: 10 },
      })),
    ].map(({ quantity: _, ...row }: Record<string, unknown>) => row),
  );
  const startedAt = performance.now();
  // The stock of the file is that of the moment before: what was sold by then is a part of the difference.
  const uploaded = await uploadProducts(stack.url, farmer, file);
  const previewMs = performance.now() - startedAt;
  if (uploaded.status !== 201) throw new Error(JSON.stringify(uploaded.body));
  const { _id: id } = uploaded.body.data;
  const { rows: seen } = await database.query<{ seen: string }>(
    `SELECT sum((plan -> 'stock' ->> 'to')::bigint - (plan -> 'stock' ->> 'was')::bigint) AS seen
     FROM product_import_items WHERE import_id = $1`,
    [id],
  );
  const read = async (): Promise<ProductImport> =>
    (await callApi(stack.url, 'GET', `/farm/products/imports/${id}`, { token: farmer.token })).body
      ?.data;
  const appliedAt = performance.now();
  const { status } = await callApi(stack.url, 'POST', `/farm/products/imports/${id}/apply`, {
    ...{ token: farmer.token, body: {} },
  });
  if (status !== 200) throw new Error(`Applying answered ${status}`);
  await disturb(read);
  const found = await until(
    'the file to be written',
    async () => {
      const now = await read();
      return now?.state === 'done' ? now : undefined;
    },
    scaled(120_000),
  );
  const applyMs = performance.now() - appliedAt;
  const ordersMs = orders.splice(0);
  isOver = true;
  await ordering;

  const { rows: sums } = await database.query<{ lost: string }>(
    `SELECT (SELECT sum(stock_milli) FROM products WHERE id = ANY ($1))
       - ($2::bigint + $3::bigint
         - (SELECT coalesce(sum(quantity_milli), 0) FROM order_lines WHERE product_id = ANY ($1))) AS lost`,
    [
      products.map(({ id: product }) => product),
      products.length * STOCK * 1000,
      seen[0]?.seen ?? 0,
    ],
  );
  await database.end();
  return { previewMs, applyMs, quietMs, ordersMs, lost: Number(sums[0]?.lost) / 1000, found };
}
