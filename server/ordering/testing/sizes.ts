import { randomUUID } from 'node:crypto';
import { toMinor } from '#contract/platform/money/constants';
import { toMilli } from '#contract/platform/quantities/constants/quantities';
import { type SizeRow, toSizesRow } from '../../catalogue/products/sizes.ts';
import type { OrderFixture } from './fixture.ts';

// Products in sizes, and orders of them, written as rows.

/** Returns a size of so much content; its price is that of the content at 2.50 a unit. */
export const sizeOf = (content: number, over: Partial<SizeRow> = {}): SizeRow => ({
  id: randomUUID(),
  label: `${content} kg`,
  contentMilli: toMilli(content),
  priceMinor: toMinor(content * 2.5),
  sku: null,
  isActive: true,
  minimum: null,
  ...over,
});

/** Creates a product in sizes that is stocked in kg. @returns its id */
export const createSized = (
  { createProduct }: OrderFixture,
  quantity: number,
  sizes: readonly SizeRow[],
  over: Record<string, unknown> = {},
): Promise<string> => createProduct(quantity, { unit: 'kg', ...toSizesRow(sizes), ...over });

/** A line of an order: so many pieces of a size or, without one, so much in the unit. */
export interface SizedLine {
  product: string;
  size?: SizeRow;
  quantity: number;
  over?: { name?: string; unit?: string; onShort?: string; unitLabel?: string[] };
}

/** Gives an order these lines instead of its own, as if it had been placed so. */
async function writeLines(
  { platform }: OrderFixture,
  order: string,
  lines: readonly SizedLine[],
): Promise<void> {
  const { db } = platform;
  await db.orderLine.deleteMany({ where: { orderId: order } });
  for (const [position, { product, size, quantity, over }] of lines.entries()) {
    const { name, unit, priceMinor } = await db.product.findUniqueOrThrow({
      where: { id: product },
    });
    await db.orderLine.create({
      data: {
        ...{ orderId: order, position, productId: product, name, unit },
        priceMinor: size?.priceMinor ?? priceMinor,
        quantityMilli: toMilli(quantity),
        ...(size && { sizeId: size.id, sizeLabel: size.label, contentMilli: size.contentMilli }),
        ...(over as object),
      },
    });
  }
  await platform.pool.query(
    `UPDATE orders SET total_minor = (
       SELECT sum(line_cost_minor(price_minor, quantity_milli)) FROM order_lines WHERE order_id = $1)
     WHERE id = $1`,
    [order],
  );
}

/** Places an order of one piece of something else, and gives it these lines. @returns its id */
export async function placeSized(
  fixture: OrderFixture,
  lines: readonly SizedLine[],
  over: Record<string, unknown> = {},
): Promise<string> {
  const other = await fixture.createProduct(1, { name: 'Something else' });
  const { body } = await fixture.order([{ product: other, quantity: 1 }], { over });
  await writeLines(fixture, body.data._id, lines);
  await fixture.platform.db.product.delete({ where: { id: other } });
  return body.data._id;
}
