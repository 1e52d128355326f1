import { randomUUID } from 'node:crypto';
import type { Unit } from '#contract/catalogue/products/product';
import type {
  ProposedItem,
  ShareShortage,
  ShortageOutcome,
} from '#contract/ordering/changes/order-changes';
import {
  type CountedRow,
  convertMilli,
  countedIn,
  formatGoodsQuantity,
  inStockOf,
  takenMilli,
} from '#contract/platform/quantities/constants/pieces';
import {
  formatQuantity,
  fromMilli,
  MILLI,
  toMilli,
} from '#contract/platform/quantities/constants/quantities';
import { type Message, msg, t, writeMessage } from '#contract/platform/text/constants/texts';
import { presentOrderedSize, sizesOf } from '../../catalogue/products/sizes.ts';
import type { StockRow } from '../../catalogue/stock/stock-events.ts';
import { presentPerson } from '../../people/users/present.ts';
import { invalidField } from '../../platform/http/errors.ts';
import {
  decidePropose,
  type ProposeDecision,
  type ProposeState,
} from '../changes/decide-propose.ts';
import { dayOf } from '../model/handover.ts';
import type { OrderRow } from '../model/present.ts';
import {
  itemsOf,
  type LineRow,
  type ProposalItemRow,
  presentLine,
} from '../model/present-lines.ts';
import { partOf } from '../model/sold.ts';
import { type Claim, isInSizes, shareFairly, shareInTurn, sharePieces } from './share.ts';

// What a shortage is for each order: claims, shares and what becomes of them, without the database.

/**
 * What a line in a size had of the product when its share was decided, and what it gets; or what the lines of an order
 * had that are sold in the unit.
 */
export interface Share extends Claim {
  orderId: string;
  /** The line, or the first of them; absent in those that an older process kept. */
  lineId?: string | undefined;
  /** That of the stock, in thousandths of which all of it is. */
  unit: Unit;
  shareMilli: number;
}

/** The shares of one order. */
export type OrderShares = readonly [Share, ...Share[]];

/** Shares, and what of the goods fits none of them. */
export interface Dealt {
  shares: Share[];
  leftMilli: number;
}

/** What every order of one shortage is decided with. */
export type Batch = ShareShortage & { id: string; isPreview: boolean };

export const together = (shares: readonly Share[], of: (share: Share) => number): number =>
  shares.reduce((milli, share) => milli + of(share), 0);

export const orderedMilli = (shares: readonly Share[]): number =>
  together(shares, ({ quantityMilli }) => quantityMilli);

/** What is read of a line to share. */
export type ClaimedLine = CountedRow & { id: string; quantityMilli: number };

/** Returns the claims of one order: of each line in a size, and of those in the unit together. */
export function claimsOf(
  product: StockRow,
  lines: readonly ClaimedLine[],
): (Claim & { lineId: string })[] {
  const claims = new Map<string, Claim & { lineId: string }>();
  for (const line of lines) {
    const inSize = line.contentMilli != null;
    const key = inSize ? line.id : '';
    const contentMilli = inSize ? inStockOf(product, line, MILLI) : undefined;
    const quantityMilli =
      contentMilli === null ? 0 : (inStockOf(product, line, line.quantityMilli) ?? 0);
    claims.set(key, {
      lineId: claims.get(key)?.lineId ?? line.id,
      quantityMilli: (claims.get(key)?.quantityMilli ?? 0) + quantityMilli,
      // One that does not convert gets nothing of it.
      ...(inSize ? { contentMilli: contentMilli ?? MILLI } : {}),
    });
  }
  return [...claims.values()];
}

/**
 * Decides what each claim gets.
 * @throws 400 by hand, when an order is none of them, gets more than it has, or all together more than is there
 */
export function decideShares(
  claims: readonly Omit<Share, 'shareMilli'>[],
  input: ShareShortage,
  product: StockRow,
): Dealt {
  const { rule } = input;
  const availableMilli = toMilli(input.available);
  // Lines may be from before the product was sold in sizes, or from when it was.
  const isSized = sizesOf(product).length > 0;
  const hasSizes = isSized || isInSizes(claims);
  const stepMilli = product.stepMilli ?? MILLI;
  const fairly = () =>
    hasSizes
      ? sharePieces(claims, availableMilli)
      : shareFairly(claims, { availableMilli, stepMilli });
  const each =
    rule === 'manual'
      ? shareByHand(claims, input, isSized)
      : rule === 'fair'
        ? fairly()
        : shareInTurn(claims, { availableMilli, stepMilli: hasSizes ? null : stepMilli });
  const shares = claims.map((claim, index) => ({ ...claim, shareMilli: each[index] ?? 0 }));
  const givenMilli = together(shares, ({ shareMilli }) => shareMilli);
  if (givenMilli > availableMilli) {
    throw invalidField('shares', msg('The orders get more than there is.'));
  }
  return { shares, leftMilli: hasSizes ? availableMilli - givenMilli : 0 };
}

/** @returns what each claim gets as the farm says; all it has where that says nothing. @throws 400 */
function shareByHand(
  claims: readonly Omit<Share, 'shareMilli'>[],
  { shares = [] }: ShareShortage,
  isSized: boolean,
): number[] {
  const given = new Map<unknown, number>();
  const refuse = (index: number, field: string, message: Message) =>
    invalidField(`shares.${index}.${field}`, message);
  const byOrder = new Map<string, typeof claims>();
  for (const claim of claims) {
    byOrder.set(claim.orderId, [...(byOrder.get(claim.orderId) ?? []), claim]);
  }
  for (const [index, { orderId, lineId, quantity }] of shares.entries()) {
    const own = byOrder.get(orderId) ?? [];
    if (own.length === 0) throw refuse(index, 'orderId', msg('Choose an order of these days.'));
    if (lineId === undefined && own.length > 1) {
      throw refuse(index, 'lineId', msg('This order has it in several sizes. Choose a line.'));
    }
    const claim = own.find((each) => lineId === undefined || each.lineId === lineId);
    if (!claim) throw refuse(index, 'lineId', msg('Choose a line of this order.'));
    if (given.has(claim)) throw refuse(index, 'orderId', msg('List each order only once.'));
    const milli = toMilli(quantity);
    const isInUnit = claim.contentMilli === undefined;
    const stepMilli = isInUnit ? partOf([claim.quantityMilli]) : MILLI;
    if ((isSized || !isInUnit) && milli % stepMilli !== 0) {
      const step = formatQuantity(fromMilli(stepMilli), claim.unit);
      const isWhole = stepMilli === MILLI;
      const message = isWhole
        ? msg('Enter a whole number.')
        : msg('Enter a multiple of {step}.', { step });
      throw refuse(index, 'quantity', message);
    }
    const shareMilli = takenMilli(claim, milli);
    if (shareMilli > claim.quantityMilli) {
      throw refuse(index, 'quantity', msg('An order gets no more than it has.'));
    }
    given.set(claim, shareMilli);
  }
  return claims.map((claim) => given.get(claim) ?? claim.quantityMilli);
}

/** Returns the shares of each order, in their order. */
export function byOrder(shares: readonly Share[]): OrderShares[] {
  const orders = new Map<string, [Share, ...Share[]]>();
  for (const share of shares) {
    const known = orders.get(share.orderId);
    if (known) known.push(share);
    else orders.set(share.orderId, [share]);
  }
  return [...orders.values()];
}

/** Decides what shares are for one order, in one proposal; nothing where each line gets all that it has. */
export function decideOrder(
  state: ProposeState,
  batch: Batch,
  shares: OrderShares,
): ProposeDecision | null {
  const items = shares.flatMap((share) => itemsFor(state.order, batch, share));
  if (items.length === 0) return null;
  const ids = { id: randomUUID(), newId: randomUUID, batchId: batch.id };
  return decidePropose(state, { ...ids, items, note: batch.note });
}

/** Returns what of an order's lines is over a share. */
function itemsFor(order: OrderRow, batch: Batch, share: Share): ProposedItem[] {
  const { unit, quantityMilli, shareMilli, contentMilli } = share;
  let leftMilli = shareMilli;
  return linesOf(order, batch, share).flatMap((line): ProposedItem[] => {
    const base = { lineId: line.id, reason: batch.reason, emptiesShelf: false };
    const keep = (keptMilli: number): ProposedItem =>
      keptMilli === 0
        ? { ...base, action: 'remove' }
        : { ...base, action: 'reduce', newQuantity: fromMilli(keptMilli) };
    if (contentMilli !== undefined) {
      const piecesMilli = piecesOf(share, shareMilli) * MILLI;
      return quantityMilli === 0 || line.quantityMilli <= piecesMilli ? [] : [keep(piecesMilli)];
    }
    const claimedMilli = convertMilli(line.quantityMilli, countedIn(line), unit);
    if (claimedMilli === null) return [];
    const sharedMilli = Math.min(claimedMilli, leftMilli);
    leftMilli -= sharedMilli;
    // A share that the line cannot hold in its own unit is less than one thousandth of it.
    return sharedMilli === claimedMilli
      ? []
      : [keep(convertMilli(sharedMilli, unit, countedIn(line)) ?? 0)];
  });
}

/** Returns how many pieces of its size a share's goods are; of what is sold in the unit, how much. */
const piecesOf = ({ contentMilli }: Share, milli: number): number =>
  contentMilli === undefined ? fromMilli(milli) : Math.floor(milli / contentMilli);

/** The lines that an order still has of a share, the first price first. */
const linesOf = ({ lines }: OrderRow, { productId }: Batch, share: Share) =>
  lines.filter(
    (line) =>
      line.quantityMilli > 0 &&
      (share.contentMilli === undefined
        ? line.productId === productId && line.contentMilli === null
        : line.id === share.lineId),
  );

type Outcome = Pick<ShortageOutcome, 'outcome' | 'code' | 'message'>;

/** Returns what became of each share of an order. */
export function outcomesOf(
  decision: ProposeDecision | null,
  order: OrderRow,
  batch: Batch,
  shares: OrderShares,
): ShortageOutcome[] {
  return shares.map((share) =>
    outcomeOf(order, batch, share, toOutcome(decision, order, batch, share)),
  );
}

function toOutcome(
  decision: ProposeDecision | null,
  order: OrderRow,
  batch: Batch,
  share: Share,
): Outcome {
  const [other] = share.quantityMilli === 0 ? linesOf(order, batch, share) : [];
  if (other) return { outcome: 'skipped', code: 'OTHER_UNIT', message: otherUnit(other) };
  // What has no more than its share got it by this batch, or by its consumer.
  if (!decision || itemsFor(order, batch, share).length === 0) {
    return { outcome: share.shareMilli < share.quantityMilli ? 'applied' : 'unchanged' };
  }
  if ('plan' in decision) {
    return doneBy(decision.proposal ? itemsOf(decision.proposal) : [], order, batch, share);
  }
  const { code, sentence, status } = decision.refusal;
  if (status >= 500) throw decision.refusal;
  return { outcome: 'skipped', code, message: writeMessage(sentence) };
}

/** Returns what became of a share whose order is asked about these lines. */
export function doneBy(
  asked: readonly ProposalItemRow[],
  { lines }: OrderRow,
  { productId }: Batch,
  { lineId, contentMilli, quantityMilli, shareMilli }: Share,
): Outcome {
  if (shareMilli === quantityMilli) return { outcome: 'unchanged' };
  const own = new Set(
    contentMilli === undefined
      ? lines.flatMap((line) =>
          line.productId === productId && line.contentMilli === null ? [line.id] : [],
        )
      : [lineId],
  );
  return { outcome: asked.some((item) => own.has(item.lineId)) ? 'proposed' : 'applied' };
}

/** Says why an order has no share that has the product only in a unit that does not convert. */
const otherUnit = (line: LineRow): string => {
  const { product, pieceWeight, size, quantity } = presentLine(line);
  return t(
    'It has {quantity} of {name}, which you sell by another unit now. Propose a change of this order by hand.',
    {
      quantity: formatGoodsQuantity(
        { product, isByPiece: pieceWeight !== undefined, size },
        quantity,
      ),
      name: product.name,
    },
  );
};

export function outcomeOf(
  order: OrderRow,
  { productId }: Batch,
  share: Share,
  outcome: Outcome,
): ShortageOutcome {
  const line = order.lines.find(({ id, ...each }) =>
    share.lineId === undefined ? each.productId === productId : id === share.lineId,
  );
  return {
    orderId: order.id,
    lineId: line?.id ?? order.id,
    customer: presentPerson(order.consumer),
    date: dayOf(order),
    time: order.time,
    ...(line ? presentOrderedSize(line) : {}),
    quantity: piecesOf(share, share.quantityMilli),
    share: piecesOf(share, share.shareMilli),
    ...outcome,
  };
}
