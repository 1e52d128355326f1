import type { Unit } from '#contract/catalogue/products/product';
import { pickOrderOf, type SummedLine } from '#contract/ordering/picklist/pick-summary';
import type { PickOrder, PickPrint, PickTick } from '#contract/ordering/picklist/picklist';
import { fromMilli } from '#contract/platform/quantities/constants/quantities';
import type { Prisma } from '../../../prisma/generated/client.ts';
import { presentOrderedSize, presentUnitLabel } from '../../catalogue/products/sizes.ts';
import { type PersonRow, personSelect, presentPerson } from '../../people/users/present.ts';
import { ORDER_ROW, type OrderRow, presentOrder } from '../model/present.ts';
import { instant, personOf } from '../model/present-lines.ts';

/** What a print or tick read by Prisma must bring to be presented. */
export const byInclude = {
  by: { select: personSelect },
} as const satisfies Prisma.PickPrintInclude & Prisma.PickTickInclude;

/** A print, from wherever it was read. */
export interface PrintRow {
  id: string;
  number: number;
  at: Date | string;
  by: PersonRow;
}

/** A print as its farm sees it. */
export const presentPrint = ({ id, number, at, by }: PrintRow): PickPrint => ({
  _id: id,
  number,
  at: instant(at),
  by: presentPerson(by),
});

interface TickRow {
  date: Date;
  placeId: string | null;
  productId: string | null;
  name: string;
  unit: Unit;
  isByPiece: boolean;
  quantityMilli: bigint;
  version: number;
  by: PersonRow;
  at: Date;
}

/** A tick as its farm sees it. */
export const presentTick = (row: TickRow): PickTick => ({
  date: row.date.toISOString().slice(0, 10),
  ...(row.placeId === null ? {} : { place: row.placeId }),
  productId: row.productId,
  ...(row.productId === null ? { name: row.name } : {}),
  unit: row.unit,
  isByPiece: row.isByPiece,
  quantity: fromMilli(row.quantityMilli),
  version: row.version,
  by: presentPerson(row.by),
  at: instant(row.at),
});

/** The goods of a line `line` of an order: what it is grouped by. */
export const GOODS = `line.product_id AS "productId", line.name, line.image, line.unit,
  line.unit_label AS "unitLabel", line.piece_milli IS NOT NULL AS "isByPiece", line.size_id AS "sizeId",
  line.size_label AS "sizeLabel", line.content_milli AS "contentMilli"`;
/** The columns of {@link GOODS} by their numbers, for GROUP BY. */
export const BY_GOODS = '1, 2, 3, 4, 5, 6, 7, 8, 9';

/** A row of {@link GOODS}. */
export interface GoodsRow {
  productId: string | null;
  name: string;
  image: string | null;
  unit: Unit;
  unitLabel: readonly string[];
  isByPiece: boolean;
  sizeId: string | null;
  sizeLabel: string | null;
  contentMilli: number | null;
}

/** Stands for whatever a piece weighs: sums need no more. */
const BY_PIECE = { pieceWeight: { average: 1 } };

/** Goods as an order names them, as far as sums need them. */
export const presentGoods = (row: GoodsRow): Omit<SummedLine, 'quantity' | 'printed'> => ({
  product: {
    ...{ _id: row.productId, name: row.name, unit: row.unit },
    ...presentUnitLabel(row),
    image: row.image,
  },
  ...presentOrderedSize(row),
  ...(row.isByPiece ? BY_PIECE : {}),
});

/** An order as {@link pickColumns} reads it. */
export interface PickRow {
  order: OrderRow;
  seen: { sequence: number; at: string; by: PersonRow } | null;
  /** Thousandths by the id of a line; what is not on the print is left out. */
  printed: Record<string, number>;
}

/**
 * The columns of {@link PickRow}, from `ORDER_SOURCE`: on the list of a day and a place (or null) whose last print (or
 * null) is given, each as a parameter.
 */
export const pickColumns = (list: { date: string; place: string; print: string }) => `
  ${ORDER_ROW} AS "order", (
    SELECT json_build_object('sequence', seen.sequence, 'at', seen.at, 'by', ${personOf('seen.by_id')})
    FROM pick_seen seen WHERE seen.order_id = o.id AND seen.date = ${list.date}::date
      AND seen.place_id IS NOT DISTINCT FROM ${list.place}::uuid) AS seen, (
    SELECT COALESCE(json_object_agg(printed.line_id, printed.quantity_milli), '{}')
    FROM order_lines line JOIN pick_print_lines printed
      ON printed.line_id = line.id AND printed.print_id = ${list.print}::uuid
    WHERE line.order_id = o.id) AS printed`;

/** An order as a pick list has it, with what was printed and who has seen it. */
export function presentPickOrder({ order, seen, printed }: PickRow): PickOrder {
  const pick = pickOrderOf(presentOrder(order));
  return {
    ...pick,
    // A person who has seen an earlier change has not seen this one.
    ...(seen && seen.sequence >= pick.changed.sequence
      ? { seen: { ...seen, by: presentPerson(seen.by), at: instant(seen.at) } }
      : {}),
    lines: pick.lines.map((line) => ({ ...line, printed: fromMilli(printed[line.lineId] ?? 0) })),
  };
}
