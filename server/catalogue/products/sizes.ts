import type { ProductSize } from '#contract/catalogue/products/product';
import { fromMinor } from '#contract/platform/money/constants';
import { fromMilli, MILLI, toMilli } from '#contract/platform/quantities/constants/quantities';
import { smallestOrder } from '#contract/platform/quantities/constants/sizes';
import { type NetUnit, QUANTITY_MAX } from '#contract/platform/quantities/constants/units';
import type { OrderedSize } from '#contract/platform/quantities/quantity';
import type { Unit } from '../../../prisma/generated/client.ts';

// The sizes of products, and what else their rows and those of lines say of what one of them is.

/** A size of a product as its row has it. */
// A type, because only such ones are JSON to Prisma.
export type SizeRow = {
  id: string;
  label: string;
  /** Thousandths of the unit of the stock. */
  contentMilli: number;
  /** Per piece. */
  priceMinor: number;
  sku: string | null;
  isActive: boolean;
  /** The fewest pieces in an order; null for one. */
  minimum: number | null;
};

/** The stock of what is always available, in thousandths. */
export const ALWAYS_MILLI = QUANTITY_MAX * MILLI;

/** Returns the sizes of a product; none where it is sold in its unit. */
export const sizesOf = ({ sizes }: { sizes: unknown }): readonly SizeRow[] => sizes as SizeRow[];

/** Returns a size of a product by its id. */
export const findSize = (
  product: { sizes: unknown },
  id: string | undefined,
): SizeRow | undefined => sizesOf(product).find((size) => size.id === id);

/** Presents a size of a product. */
export const presentSize = (size: SizeRow): ProductSize => ({
  _id: size.id,
  label: size.label,
  content: fromMilli(size.contentMilli),
  price: fromMinor(size.priceMinor),
  ...(size.sku === null ? {} : { sku: size.sku }),
  isActive: size.isActive,
  ...(size.minimum === null ? {} : { minimum: size.minimum }),
});

/** Returns what the row of a product has of sizes, with what follows from them: see the schema. */
export const toSizesRow = (sizes: readonly SizeRow[]) => ({
  sizes: [...sizes],
  stepMilli: 1,
  minimumMilli: toMilli(smallestOrder(sizes.map(presentSize))),
  priceMinor: Math.min(
    ...sizes.filter(({ isActive }) => isActive).map(({ priceMinor }) => priceMinor),
  ),
});

/** Presents the size of a line, where it is sold in one. */
export const presentOrderedSize = ({
  sizeId,
  sizeLabel,
  contentMilli,
}: {
  sizeId?: string | null | undefined;
  sizeLabel?: string | null | undefined;
  contentMilli?: number | null | undefined;
}): { size?: OrderedSize } =>
  sizeId == null || sizeLabel == null || contentMilli == null
    ? {}
    : { size: { _id: sizeId, label: sizeLabel, content: fromMilli(contentMilli) } };

/** Presents the farm's own words for what it counts, if it has some. */
export function presentUnitLabel({
  unitLabel: [one, other] = [],
}: {
  unitLabel?: readonly string[];
}) {
  return one === undefined || other === undefined ? {} : { unitLabel: { one, other } };
}

/** Returns what one of what is counted contains as the row has it. */
export const toNetRow = (net: { amount: number; unit: NetUnit } | null) => ({
  netMilli: net && toMilli(net.amount),
  netUnit: net?.unit ?? null,
});

/** Presents what one of what is counted contains, where that is known. */
export const presentNet = ({
  netMilli,
  netUnit,
}: {
  netMilli?: number | null;
  netUnit?: Unit | null;
}) =>
  netMilli == null || netUnit == null
    ? {}
    : { net: { amount: fromMilli(netMilli), unit: netUnit as NetUnit } };
