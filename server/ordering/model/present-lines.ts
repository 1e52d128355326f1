import type { Unit } from '#contract/catalogue/products/product';
import {
  type LineAnswer,
  lineMinor,
  lineStateOf,
  type ProposalStatus,
  type ProposedAction,
  type ShortReason,
} from '#contract/ordering/changes/constants';
import type {
  LineDifference,
  OrderLine,
  Proposal,
  ProposalItem,
} from '#contract/ordering/changes/order-lines';
import { fromMinor } from '#contract/platform/money/constants';
import type { ShortagePreference } from '#contract/platform/orders/constants';
import {
  estimateMinor,
  fromMilli,
  MILLI,
} from '#contract/platform/quantities/constants/quantities';
import type { OrderedSize } from '#contract/platform/quantities/quantity';
import type { Prisma } from '../../../prisma/generated/client.ts';
import { presentPieceWeight } from '../../catalogue/products/present.ts';
import {
  presentNet,
  presentOrderedSize,
  presentUnitLabel,
  type SizeRow,
} from '../../catalogue/products/sizes.ts';
import type { StockRow } from '../../catalogue/stock/stock-events.ts';
import { type PersonRow, personSelect, presentPersonWithRole } from '../../people/users/present.ts';
import { LINE_COLUMNS } from './columns.ts';

/** An instant as Prisma reads it, or as Postgres writes it in JSON. */
export type At = Date | string;

/** Returns an instant as the wire has it. */
export const instant = (at: At): string => new Date(at).toISOString();

/** A line of an order, from wherever it was read. Quantities are thousandths of the unit, or of a piece. */
export interface LineRow {
  id: string;
  position: number;
  productId: string | null;
  name: string;
  image: string | null;
  unit: Unit;
  priceMinor: number;
  quantityMilli: number;
  /** What was ordered first; null while that is the quantity. */
  orderedMilli: number | null;
  replacesLineId: string | null;
  onShort: ShortagePreference;
  preferredProductId: string | null;
  /** What one piece weighs; null where it is not sold by the piece and priced by weight. */
  pieceMilli: number | null;
  pieceMinMilli: number | null;
  pieceMaxMilli: number | null;
  /** The size in which it is sold: its quantities count pieces then. All null without one. */
  sizeId: string | null;
  sizeLabel: string | null;
  contentMilli: number | null;
  unitLabel: readonly string[];
  netMilli: number | null;
  netUnit: Unit | null;
  /** Whether its goods come from a stock, to which they go back. */
  takesStock: boolean;
  packedMilli: number | null;
  finalMinor: number | bigint | null;
}

/** What a line has that was only just ordered. */
export const NEW_LINE = {
  orderedMilli: null,
  replacesLineId: null,
  onShort: 'ask',
  preferredProductId: null,
  pieceMilli: null,
  pieceMinMilli: null,
  pieceMaxMilli: null,
  sizeId: null,
  sizeLabel: null,
  contentMilli: null,
  unitLabel: [],
  netMilli: null,
  netUnit: null,
  takesStock: true,
  packedMilli: null,
  finalMinor: null,
} as const satisfies Partial<LineRow>;

/** A {@link LineRow} as JSON; `line` names a row of `order_lines`. */
export const lineRow = (line: string): string => `json_build_object(${LINE_COLUMNS.json(line)})`;

/** Returns what was ordered first of a line. */
export const orderedOf = ({ orderedMilli, quantityMilli }: LineRow): number =>
  orderedMilli ?? quantityMilli;

/** Returns what a line costs as things stand, in minor units. */
export const lineCost = (line: LineRow): number =>
  lineMinor({ ...line, finalMinor: line.finalMinor === null ? null : Number(line.finalMinor) });

/** Returns what lines come to as things stand, in minor units. */
export const totalOf = (lines: readonly LineRow[]): number =>
  lines.reduce((sum, line) => sum + lineCost(line), 0);

/** Returns what lines come to as they were ordered first, and before anything was weighed, in minor units. */
export const estimatedTotalOf = (lines: readonly LineRow[]): number =>
  lines.reduce((sum, line) => sum + estimateMinor({ ...line, quantityMilli: orderedOf(line) }), 0);

/** Returns whether what a line costs is no estimate: pieces that are priced by weight have to be weighed. */
export const isFinalLine = ({ pieceMilli, quantityMilli, finalMinor }: LineRow): boolean =>
  pieceMilli === null || quantityMilli === 0 || finalMinor !== null;

const presentLineProduct = (
  line: Pick<LineRow, 'productId' | 'name' | 'image' | 'unit'> & { unitLabel?: readonly string[] },
): OrderLine['product'] => ({
  _id: line.productId,
  name: line.name,
  images: line.image === null ? [] : [line.image],
  unit: line.unit,
  ...presentUnitLabel(line),
});

/** A line as everyone sees it who sees its order. */
export function presentLine(line: LineRow): OrderLine {
  const pieceWeight = presentPieceWeight(line);
  return {
    _id: line.id,
    product: presentLineProduct(line),
    ...presentOrderedSize(line),
    ...presentNet(line),
    quantity: fromMilli(line.quantityMilli),
    price: fromMinor(line.priceMinor),
    orderedQuantity: fromMilli(orderedOf(line)),
    state: lineStateOf(orderedOf(line), line.quantityMilli),
    ...(line.replacesLineId === null ? {} : { replaces: line.replacesLineId }),
    onShort: line.onShort,
    ...(line.preferredProductId === null ? {} : { preferredProduct: line.preferredProductId }),
    ...(pieceWeight ? { pieceWeight, pieces: Math.round(line.quantityMilli / MILLI) } : {}),
    estimate: fromMinor(estimateMinor(line)),
    ...(line.packedMilli === null ? {} : { packed: fromMilli(line.packedMilli) }),
    isFinal: isFinalLine(line),
    total: fromMinor(lineCost(line)),
  };
}

/** What a change says of the product of a line. */
export const presentNamed = ({
  productId,
  name,
  unit,
  ...line
}: Pick<LineRow, 'productId' | 'name' | 'unit'> & {
  unitLabel?: readonly string[];
}): LineDifference['product'] => ({ _id: productId, name, unit, ...presentUnitLabel(line) });

/**
 * Returns how lines differ from what they were, in their order. New ones differ from nothing; of what changed in
 * weight or wish alone there is nothing.
 */
export function differencesOf(
  before: readonly LineRow[],
  after: readonly LineRow[],
): LineDifference[] {
  const known = new Map(before.map((line) => [line.id, line]));
  return after.flatMap((line) => {
    const fromMilliQuantity = known.get(line.id)?.quantityMilli ?? 0;
    if (fromMilliQuantity === line.quantityMilli) return [];
    return [
      {
        lineId: line.id,
        product: presentNamed(line),
        ...presentOrderedSize(line),
        from: fromMilli(fromMilliQuantity),
        to: fromMilli(line.quantityMilli),
        price: fromMinor(line.priceMinor),
        ...(line.pieceMilli === null ? {} : { isByPiece: true as const }),
        ...(line.replacesLineId === null ? {} : { replaces: line.replacesLineId }),
      },
    ];
  });
}

/**
 * What a line keeps of the product that it is of, and of the size in which it is sold: its goods are priced by this,
 * whatever becomes of the product.
 */
export const goodsOf = ({ id, images, ...product }: StockRow, size?: SizeRow) => ({
  productId: id,
  name: product.name,
  image: images[0] ?? null,
  unit: product.unit,
  priceMinor: size?.priceMinor ?? product.priceMinor,
  pieceMilli: product.pieceMilli,
  pieceMinMilli: product.pieceMinMilli,
  pieceMaxMilli: product.pieceMaxMilli,
  sizeId: size?.id ?? null,
  sizeLabel: size?.label ?? null,
  contentMilli: size?.contentMilli ?? null,
  unitLabel: product.unitLabel,
  netMilli: product.netMilli,
  netUnit: product.netUnit,
  takesStock: !product.isAlways,
});

/** A product that is offered for a line, as it was when it was proposed. */
export interface SubstituteRow extends ReturnType<typeof goodsOf> {
  /** The id that its line gets. */
  lineId: string;
  quantityMilli: number;
}

/** One line of a proposal, as its row keeps it. The line's own name and price are kept in it too. */
export interface ProposalItemRow {
  lineId: string;
  action: ProposedAction;
  product: OrderLine['product'];
  /** Absent without one, and of what an older server proposed. */
  size?: OrderedSize;
  priceMinor: number;
  /** What the line had when this was proposed. */
  quantityMilli: number;
  newQuantityMilli?: number;
  substitute?: SubstituteRow;
  /**
   * With `overweight`, which `weights/ask.ts` makes: what the line weighs. The line has this weight already, at what
   * may be charged without a yes. A yes sets its final price to `afterMinor`, which is that of the weight;
   * `leave_out` removes the line; no answer changes nothing.
   */
  packedMilli?: number;
  reason?: ShortReason;
  beforeMinor: number;
  afterMinor: number;
  answer?: LineAnswer;
}

/** A proposal, from wherever it was read. */
export interface ProposalRow {
  id: string;
  status: ProposalStatus;
  createdBy: PersonRow;
  createdAt: At;
  answerBy: At;
  answeredBy: PersonRow | null;
  answeredAt: At | null;
  baseVersion: number;
  note: string;
  batchId: string | null;
  totalBeforeMinor: number | bigint;
  totalAfterMinor: number | bigint;
  /** {@link ProposalItemRow}s, which the database does not know the type of. */
  items: unknown;
}

/** Returns the items of a proposal. */
export const itemsOf = ({ items }: ProposalRow): ProposalItemRow[] => items as ProposalItemRow[];

/** Where {@link RESERVED_PRODUCT} is selected from: open proposals, item by item. */
export const RESERVED_SOURCE = `order_proposals proposal
  JOIN jsonb_array_elements(proposal.items) AS item ON proposal.status = 'open'`;

/** The product whose goods an item of an open proposal holds back; null where it offers none. */
export const RESERVED_PRODUCT = "(item -> 'substitute' ->> 'productId')::uuid";

/** What a proposal read by Prisma must bring to be presented. */
export const proposalInclude = {
  createdBy: { select: personSelect },
  answeredBy: { select: personSelect },
} as const satisfies Prisma.OrderProposalInclude;

/** A {@link PersonRow} as JSON; `alias` names a row of `users`. */
export const personRow = (alias: string): string =>
  `json_build_object('id', ${alias}.id, 'name', ${alias}.name, 'role', ${alias}.role, 'deletedAt', ${alias}.deleted_at)`;

/** The same of the user of an id, null without one. */
export const personOf = (id: string): string =>
  `(SELECT ${personRow('known')} FROM users known WHERE known.id = ${id})`;

/** A {@link ProposalRow} as JSON; `proposal` names a row of `order_proposals`. */
export const proposalRow = (proposal: string): string => `json_build_object(
  'id', ${proposal}.id, 'status', ${proposal}.status, 'createdBy', ${personOf(`${proposal}.created_by_id`)},
  'createdAt', ${proposal}.created_at, 'answerBy', ${proposal}.answer_by,
  'answeredBy', ${personOf(`${proposal}.answered_by_id`)}, 'answeredAt', ${proposal}.answered_at,
  'baseVersion', ${proposal}.base_version, 'note', ${proposal}.note, 'batchId', ${proposal}.batch_id,
  'totalBeforeMinor', ${proposal}.total_before_minor, 'totalAfterMinor', ${proposal}.total_after_minor,
  'items', ${proposal}.items)`;

/** A proposal as the two parties and admins see it. */
export function presentProposal(row: ProposalRow): Proposal {
  return {
    _id: row.id,
    status: row.status,
    createdBy: presentPersonWithRole(row.createdBy),
    createdAt: instant(row.createdAt),
    answerBy: instant(row.answerBy),
    ...(row.answeredBy ? { answeredBy: presentPersonWithRole(row.answeredBy) } : {}),
    ...(row.answeredAt === null ? {} : { answeredAt: instant(row.answeredAt) }),
    note: row.note,
    ...(row.batchId === null ? {} : { batchId: row.batchId }),
    totalBefore: fromMinor(row.totalBeforeMinor),
    totalAfter: fromMinor(row.totalAfterMinor),
    items: itemsOf(row).map(presentItem),
  };
}

function presentItem(item: ProposalItemRow): ProposalItem {
  const { substitute, newQuantityMilli, packedMilli, reason, answer } = item;
  return {
    lineId: item.lineId,
    action: item.action,
    product: item.product,
    ...(item.size ? { size: item.size } : {}),
    quantity: fromMilli(item.quantityMilli),
    price: fromMinor(item.priceMinor),
    ...(newQuantityMilli === undefined ? {} : { newQuantity: fromMilli(newQuantityMilli) }),
    ...(substitute ? { substitute: presentSubstitute(substitute) } : {}),
    ...(packedMilli === undefined ? {} : { packed: fromMilli(packedMilli) }),
    ...(reason === undefined ? {} : { reason }),
    totalBefore: fromMinor(item.beforeMinor),
    totalAfter: fromMinor(item.afterMinor),
    ...(answer === undefined ? {} : { answer }),
  };
}

function presentSubstitute(substitute: SubstituteRow): NonNullable<ProposalItem['substitute']> {
  const pieceWeight = presentPieceWeight(substitute);
  return {
    ...presentLineProduct(substitute),
    _id: substitute.productId,
    ...presentOrderedSize(substitute),
    ...presentNet(substitute),
    price: fromMinor(substitute.priceMinor),
    quantity: fromMilli(substitute.quantityMilli),
    ...(pieceWeight ? { pieceWeight } : {}),
  };
}
