import type { Unit } from '#contract/catalogue/products/product';
import { type PickEntry, pickChangeOf } from '#contract/ordering/picklist/pick-summary';
import type { PickOrder, PickPrint, PickTick } from '#contract/ordering/picklist/picklist';
import { fromMilli } from '#contract/platform/quantities/constants/quantities';
import { formatAddress } from '#contract/platform/text/constants/address';
import type { Prisma } from '../../../prisma/generated/client.ts';
import { type PersonRow, personSelect, presentPerson } from '../../people/users/present.ts';
import { HANDOVER_COLUMNS, ORDER_COLUMNS } from '../model/columns.ts';
import type { Handover } from '../model/handover.ts';
import type { OrderRow } from '../model/present.ts';
import { instant, type LineRow, lineRow, personRow, presentLine } from '../model/present-lines.ts';

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
  line.piece_milli IS NOT NULL AS "isByPiece"`;

/** A row of {@link GOODS}. */
export interface GoodsRow {
  productId: string | null;
  name: string;
  image: string | null;
  unit: Unit;
  isByPiece: boolean;
}

/** Goods as an order names them. */
export const presentGoods = ({
  productId,
  name,
  unit,
  image,
}: GoodsRow): PickOrder['lines'][number]['product'] => ({ _id: productId, name, unit, image });

/** An order as {@link pickRow} reads it. */
export interface PickRow
  extends Handover,
    Pick<OrderRow, 'id' | 'status' | 'version' | 'notes' | 'isPickup' | 'packing' | 'crates'> {
  consumer: PersonRow;
  date: string;
  /** The items of its open proposal; null without one. */
  asked: { lineId: string }[] | null;
  createdAt: string;
  timeline: PickEntry[];
  seen: { sequence: number; at: string; by: PersonRow } | null;
  lines: { line: LineRow; printedMilli: number | null }[];
}

/**
 * An order `o` of a customer `consumer` as one JSON value, for {@link PickRow}: on the list of a day and a place (or
 * null) whose last print (or null) is given, each as a parameter.
 */
export const pickRow = (list: { date: string; place: string; print: string }) => `json_build_object(
  'id', o.id, 'notes', o.notes, 'consumer', ${personRow('consumer')}, 'isPickup', o.is_pickup,
  'placeId', o.place_id, ${ORDER_COLUMNS.json('o')}, ${HANDOVER_COLUMNS.json('o')},
  'asked', (
    SELECT items FROM order_proposals WHERE order_id = o.id AND order_proposals.status = 'open'),
  'createdAt', o.created_at,
  'timeline', (
    SELECT COALESCE(json_agg(json_build_object(
      'sequence', entry.sequence, 'at', entry.at, 'kind', entry.kind, 'status', entry.status,
      'detail', json_build_object('status', entry.detail -> 'status', 'differences', json_build_object(
        'length', jsonb_array_length(entry.detail -> 'differences')))
    ) ORDER BY entry.sequence), '[]')
    FROM order_timeline entry WHERE entry.order_id = o.id),
  'seen', (
    SELECT json_build_object('sequence', seen.sequence, 'at', seen.at, 'by', ${personRow('seer')})
    FROM pick_seen seen JOIN users seer ON seer.id = seen.by_id
    WHERE seen.order_id = o.id AND seen.date = ${list.date}::date
      AND seen.place_id IS NOT DISTINCT FROM ${list.place}::uuid),
  'lines', (
    SELECT COALESCE(json_agg(json_build_object('line', ${lineRow('line')},
      'printedMilli', printed.quantity_milli) ORDER BY line.position), '[]')
    FROM order_lines line LEFT JOIN pick_print_lines printed
      ON printed.line_id = line.id AND printed.print_id = ${list.print}::uuid
    WHERE line.order_id = o.id))`;

/** An order as a pick list has it: like `pickOrderOf`, with what was printed and who has seen it. */
export function presentPickOrder(row: PickRow): PickOrder {
  const { placeName, pickupLocation, isPickup, seen } = row;
  const changed = pickChangeOf(row);
  const isSlot = row.endTime !== null;
  return {
    _id: row.id,
    status: row.status,
    version: row.version,
    customer: presentPerson(row.consumer),
    notes: row.notes,
    place: isPickup ? (isSlot ? placeName : pickupLocation) : null,
    placeId: isPickup && isSlot ? row.placeId : null,
    address: isPickup ? null : formatAddress(row),
    date: row.date,
    time: row.time,
    ...(row.endTime === null ? {} : { endTime: row.endTime }),
    packing: row.packing,
    ...(row.crates === null ? {} : { crates: row.crates }),
    askedLineIds: row.asked?.map(({ lineId }) => lineId) ?? [],
    changed: { sequence: changed.sequence, at: instant(changed.at), kind: changed.kind },
    // Who has seen an earlier change has not seen this one.
    ...(seen && seen.sequence >= changed.sequence
      ? { seen: { ...seen, by: presentPerson(seen.by), at: instant(seen.at) } }
      : {}),
    lines: row.lines.map(({ line, printedMilli }) => {
      const { _id: lineId, product, ...more } = presentLine(line);
      const { quantity, orderedQuantity, pieceWeight, price, estimate, packed, isFinal, total } =
        more;
      const { images, ...named } = product;
      return {
        lineId,
        product: { ...named, image: images[0] ?? null },
        ...{ quantity, orderedQuantity, price, estimate, isFinal, total },
        ...(pieceWeight ? { pieceWeight } : {}),
        ...(packed === undefined ? {} : { packed }),
        printed: fromMilli(printedMilli ?? 0),
      };
    }),
  };
}
