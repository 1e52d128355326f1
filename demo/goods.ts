import { fromMinor } from '#contract/platform/money/constants';
import { MILLI, toMilli } from '#contract/platform/quantities/constants/quantities';
import { toPieceRow } from '../server/catalogue/products/present.ts';
import { toSaleRow } from '../server/catalogue/products/sale.ts';
import { type SizeRow, toNetRow } from '../server/catalogue/products/sizes.ts';
import type { LineRow } from '../server/ordering/model/present-lines.ts';
import type { DemoProduct } from './data/demo-product.ts';
import { idOf } from './data/farms.ts';

// How the products of the demo market are sold, as their rows and the lines of their orders have it.

const sizeRows = ({ key, sizes = [] }: DemoProduct): SizeRow[] =>
  sizes.map(({ label, content, priceMinor, sku, isActive }) => ({
    id: idOf('size', `${key} ${label}`),
    label,
    contentMilli: toMilli(content),
    priceMinor,
    sku: sku ?? null,
    isActive: isActive ?? true,
    minimum: null,
  }));

const labelRow = ({ unitLabel }: DemoProduct): string[] =>
  unitLabel ? [unitLabel.one, unitLabel.other] : [];

/** Returns how a product is sold, as its row has it. */
export const saleRow = (product: DemoProduct) =>
  toSaleRow(null, {
    unit: product.unit,
    unitLabel: product.unitLabel,
    net: product.net ?? null,
    pieceWeight: product.pieceWeight ?? null,
    availability: product.maxPerOrder === undefined ? 'counted' : 'always',
    maxPerOrder: product.maxPerOrder,
    quantityAvailable: product.left,
    sizes: sizeRows(product),
    step: product.step,
    minimum: product.minimum,
    price: fromMinor(product.priceMinor),
  });

/** Returns what a line has of its product: of one that is sold in sizes, pieces of one of them. */
export function lineGoods(
  product: DemoProduct,
  { lineId, quantity }: { lineId: string; quantity: number },
): Pick<
  LineRow,
  | ('unit' | 'priceMinor' | 'quantityMilli' | 'takesStock' | 'unitLabel' | 'netMilli' | 'netUnit')
  | ('pieceMilli' | 'pieceMinMilli' | 'pieceMaxMilli' | 'sizeId' | 'sizeLabel' | 'contentMilli')
> {
  const offered = sizeRows(product).filter(({ isActive }) => isActive);
  // It follows from the line's id, so that it is the same on each run.
  const size = offered[Number.parseInt(lineId.slice(0, 8), 16) % offered.length];
  return {
    unit: product.unit,
    priceMinor: size?.priceMinor ?? product.priceMinor,
    quantityMilli: size ? Math.ceil(quantity) * MILLI : toMilli(quantity),
    takesStock: product.maxPerOrder === undefined,
    unitLabel: labelRow(product),
    ...toNetRow(product.net ?? null),
    ...toPieceRow(product.pieceWeight ?? null),
    sizeId: size?.id ?? null,
    sizeLabel: size?.label ?? null,
    contentMilli: size?.contentMilli ?? null,
  };
}
