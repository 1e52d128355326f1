import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Product } from '#contract/catalogue/products/product';
import type { Order } from '#contract/ordering/orders/orders';
import { fromMilli, toMilli } from '#contract/platform/quantities/constants/quantities';
import { UNITS } from '#contract/platform/quantities/constants/units';
import type { Prisma } from '../../../prisma/generated/client.ts';
import { type SizeRow, toSizesRow } from '../../catalogue/products/sizes.ts';
import {
  type Answer,
  type Caller,
  makeCategory,
  orderInput,
  startTestMarket,
  type TestMarket,
} from '../../testing/market.ts';

export type OrderFixture = Awaited<ReturnType<typeof createOrderFixture>>;

/** What a test orders. */
interface OrderedGoods {
  product: string;
  size?: string | undefined;
  quantity: number;
  price?: number;
  priceBasis?: object | undefined;
}

/** Returns sizes of a product as its row has them, of so many units, at 1.00 for a unit. */
export const sizeRows = (contents: readonly number[], over: Partial<SizeRow> = {}): SizeRow[] =>
  contents.map((content) => ({
    id: randomUUID(),
    label: `${content} kg`,
    contentMilli: toMilli(content),
    priceMinor: toMilli(content) / 10,
    sku: null,
    isActive: true,
    minimum: null,
    ...over,
  }));

/** Starts a test market with a farmer, a consumer and an admin, and helpers for orders. */
export async function createOrderFixture(settings: Record<string, string> = {}) {
  const market: TestMarket = await startTestMarket(settings);
  const { platform, call } = market;
  const [farmer, consumer, admin] = await Promise.all([
    market.join('farmer'),
    market.join('consumer'),
    market.join('admin'),
  ]);
  const category = await makeCategory(platform);

  /** Creates a product in the database. @returns its id */
  async function createProduct(
    quantity: number,
    over: Record<string, unknown> = {},
  ): Promise<string> {
    const row = await platform.db.product.create({
      data: {
        farmerId: farmer.id,
        categoryId: category,
        name: 'Carrots',
        description: 'Sweet.',
        priceMinor: 250,
        unit: UNITS[0],
        stockMilli: toMilli(quantity),
        ...over,
      },
    });
    return row.id;
  }

  /** Creates so many kg of a product that is sold in sizes. @returns its id, and those of its sizes */
  async function createSized(
    quantity: number,
    sizes: readonly SizeRow[] = sizeRows([1, 2, 5]),
    over: Record<string, unknown> = {},
  ): Promise<{ product: string; sizes: string[] }> {
    const product = await createProduct(quantity, { unit: 'kg', ...toSizesRow(sizes), ...over });
    return { product, sizes: sizes.map(({ id }) => id) };
  }

  /** Changes a product as its farm does, by its row. */
  const changeProduct = (id: string, data: Prisma.ProductUpdateInput) =>
    platform.db.product.update({ where: { id }, data });

  /** Returns a product's stock. */
  async function stockOf(product: string): Promise<number> {
    const row = await platform.db.product.findUniqueOrThrow({ where: { id: product } });
    return fromMilli(row.stockMilli);
  }

  const order = (
    items: OrderedGoods[],
    options: {
      as?: Caller;
      over?: Record<string, unknown>;
      headers?: Record<string, string>;
    } = {},
  ): Promise<Answer> =>
    call('POST', '/orders', {
      as: options.as ?? consumer,
      body: orderInput(farmer.id, items, options.over),
      ...(options.headers ? { headers: options.headers } : {}),
    });

  /** Places an order and expects success. */
  async function placeOrder(items: OrderedGoods[], as: Caller = consumer): Promise<Order> {
    const { status, body } = await order(items, { as });
    expect(status, JSON.stringify(body)).toBe(201);
    return body.data;
  }

  const changeStatus = (id: string, status: string, as: Caller | undefined, reason?: string) =>
    call('PUT', `/orders/${id}`, { as, body: { status, ...(reason ? { reason } : {}) } });

  /** Numbers committed events. @returns the log's last number */
  async function head(): Promise<number> {
    await platform.eventLog.sequence();
    return platform.eventLog.head();
  }

  /** Returns the events after a number. */
  async function eventsAfter(
    after: number,
  ): Promise<{ name: string; rooms: readonly string[]; data: Order | Product }[]> {
    await platform.eventLog.sequence();
    const events = await platform.eventLog.read(after);
    return events.map(({ name, rooms, data }) => ({ name, rooms, data: data as Order | Product }));
  }

  return {
    ...market,
    farmer,
    consumer,
    admin,
    category,
    createProduct,
    createSized,
    changeProduct,
    stockOf,
    order,
    placeOrder,
    changeStatus,
    head,
    eventsAfter,
  };
}
