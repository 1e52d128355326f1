import type { Unit } from '#contract/catalogue/products/product';
import { type PickEntry, pickChangeOf } from '#contract/ordering/picklist/pick-summary';
import type { PickOrder, PickPrint, PickTick } from '#contract/ordering/picklist/picklist';
import { fromMilli } from '#contract/platform/quantities/constants/quantities';
import { formatAddress } from '#contract/platform/text/constants/formats';
import type { Prisma } from '../../../prisma/generated/client.ts';
import { type PersonRow, personSelect, presentPerson } from '../../people/users/present.ts';
import { type LineRow, lineRow, presentLine } from '../model/present.ts';

/** What a print or tick read by Prisma must bring to be presented. */
export const byInclude = {
  by: { select: personSelect },
} as const satisfies Prisma.PickPrintInclude & Prisma.PickTickInclude;

const instant = (at: Date | string): string => new Date(at).toISOString();

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

/** An order as {@link PICK_ROW} reads it. */
export interface PickRow {
  id: string;
  status: PickOrder['status'];
  version: number;
  notes: string;
  consumer: PersonRow;
  isPickup: boolean;
  placeName: string;
  pickupLocation: string;
  placeId: string | null;
  street: string;
  city: string;
  state: string;
  zipCode: string;
  date: string;
  time: string;
  endTime: string | null;
  packing: PickOrder['packing'];
  crates: number | null;
  /** The items of its open proposal; null without one. */
  asked: { lineId: string }[] | null;
  createdAt: string;
  timeline: PickEntry[];
  seen: { sequence: number; at: string; by: PersonRow } | null;
  lines: { line: LineRow; printedMilli: number | null }[];
}

const person = (alias: string) => `json_build_object('id', ${alias}.id, 'name', ${alias}.name,
  'role', ${alias}.role, 'deletedAt', ${alias}.deleted_at)`;

/**
 * An order `o` of a customer `consumer` as one JSON value, for {@link PickRow}: on the list of a day and a place (or
 * null) whose last print (or null) is given, each as a parameter.
 */
export const pickRow = (list: { date: string; place: string; print: string }) => `json_build_object(
  'id', o.id, 'status', o.status, 'version', o.version, 'notes', o.notes, 'consumer', ${person('consumer')},
  'isPickup', o.is_pickup, 'placeName', o.place_name, 'pickupLocation', o.pickup_location,
  'placeId', o.place_id, 'street', o.street, 'city', o.city, 'state', o.state, 'zipCode', o.zip_code,
  'date', o.date, 'time', o.time, 'endTime', o.end_time, 'packing', o.packing, 'crates', o.crates,
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
    SELECT json_build_object('sequence', seen.sequence, 'at', seen.at, 'by', ${person('seer')})
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
      ? {
          seen: { sequence: seen.sequence, by: presentPerson(seen.by), at: instant(seen.at) },
        }
      : {}),
    lines: row.lines.map(({ line, printedMilli }) => {
      const { _id, product, quantity, orderedQuantity, pieceWeight, ...more } = presentLine(line);
      return {
        lineId: _id,
        product: {
          _id: product._id,
          name: product.name,
          unit: product.unit,
          image: product.images[0] ?? null,
        },
        quantity,
        orderedQuantity,
        ...(pieceWeight ? { pieceWeight } : {}),
        price: more.price,
        estimate: more.estimate,
        ...(more.packed === undefined ? {} : { packed: more.packed }),
        isFinal: more.isFinal,
        total: more.total,
        printed: fromMilli(printedMilli ?? 0),
      };
    }),
  };
}
