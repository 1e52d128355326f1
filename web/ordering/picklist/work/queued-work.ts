import { PACKING_STATES } from '#contract/ordering/changes/constants';
import { TICK_MAX } from '#contract/ordering/picklist/constants';
import {
  goodsKeyOf,
  type PickGoods,
  type PickScope,
  tickKeyOf,
} from '#contract/ordering/picklist/pick-summary';
import type { PickOrder } from '#contract/ordering/picklist/picklist';
import { UNITS } from '#contract/platform/quantities/constants/units';
import { sumWeights } from '../../../catalogue/model/weights.ts';
import {
  type Check,
  isBoolean,
  isListOf,
  isNullOr,
  isNumberIn,
  isObjectOf,
  isOneOf,
  isText,
  isUndefinedOr,
  isWholeNumber,
} from '../../../platform/api/check.ts';
import type { Checked } from '../../model/queued-lists.ts';
import { type PickData, showTick } from './fold.ts';

// What was ticked, packed and weighed and is not confirmed by the server yet.

const isAmount = isNumberIn(0, TICK_MAX);
const queued = {
  /** Also the key of the command, so that a repeat takes effect once. */
  id: isText,
  /** The id of the person who did it. */
  owner: isText,
  ownerName: isText,
  /** What it is about, for a person: 'Carrots', 'Ann’s order'. */
  label: isText,
  /** Whether it was sent without an answer: it may have taken effect. */
  isTried: isBoolean,
  /** Why the server refused it. */
  refusal: isUndefinedOr(isText),
};
/** How much of a product is harvested. Work that an earlier release stored says neither its name nor `isByPiece`. */
const isTick = isObjectOf({
  ...queued,
  kind: isOneOf(['tick']),
  date: isText,
  place: isNullOr(isText),
  productId: isNullOr(isText),
  name: isUndefinedOr(isText),
  unit: isOneOf(UNITS),
  isByPiece: isUndefinedOr(isBoolean),
  quantity: isAmount,
  expectedVersion: isWholeNumber,
});
/** How far an order is packed. */
const isPack = isObjectOf({
  ...queued,
  kind: isOneOf(['pack']),
  orderId: isText,
  packing: isOneOf(PACKING_STATES),
  crates: isNullOr(isWholeNumber),
  /** The lots of all lines that have one, empty for one that was removed; absent in work that an earlier release stored. */
  lots: isUndefinedOr(isListOf(isObjectOf({ line: isText, lot: isText }))),
  expectedVersion: isWholeNumber,
});
/** What a line weighs. */
const isWeigh = isObjectOf({
  ...queued,
  kind: isOneOf(['weigh']),
  orderId: isText,
  lineId: isText,
  weights: isListOf(isAmount),
  expectedPacked: isNullOr(isAmount),
});

export type TickWork = Checked<typeof isTick>;
export type PackWork = Checked<typeof isPack>;
export type WeighWork = Checked<typeof isWeigh>;
export type QueuedWork = TickWork | PackWork | WeighWork;

export const isQueuedWork: Check<QueuedWork> = (value): value is QueuedWork =>
  isTick(value) || isPack(value) || isWeigh(value);

/** Returns what a tick of these goods is about. */
export const tickTarget = ({ date, place }: PickScope, goods: PickGoods): string =>
  ['tick', date, place, goodsKeyOf(goods)].join('|');

const goodsOf = ({ productId, name = '', unit, isByPiece = false }: TickWork): PickGoods => ({
  product: { _id: productId, name, unit },
  isByPiece,
});

/** Returns what a piece of work is about; a later one about the same replaces an earlier one. */
export function targetOf(work: QueuedWork): string {
  switch (work.kind) {
    case 'tick':
      return tickTarget(work, goodsOf(work));
    case 'pack':
      return `pack|${work.orderId}`;
    case 'weigh':
      return `weigh|${work.lineId}`;
  }
}

/**
 * Returns the work with one more piece. What was never sent and is about the same is replaced: the server need not get
 * of it. The new one names the same version as the one it replaces.
 */
export function withWork(all: readonly QueuedWork[], work: QueuedWork): readonly QueuedWork[] {
  const target = targetOf(work);
  const isReplaced = (other: QueuedWork) =>
    other.owner === work.owner &&
    targetOf(other) === target &&
    (!other.isTried || other.refusal !== undefined);
  const before = all.find((other) => isReplaced(other) && other.refusal === undefined);
  return [...all.filter((other) => !isReplaced(other)), before ? onBaseOf(work, before) : work];
}

/**
 * Returns whether a piece of work names a state from before `sent` about the same was confirmed, which led to what
 * `next` names. The versions between them are this person's own: else `sent` would have been refused.
 */
export function isBeforeConfirmed(
  work: QueuedWork,
  { sent, next }: { sent: QueuedWork; next: QueuedWork },
): boolean {
  if (work.owner !== sent.owner) return false;
  if (work.kind === 'weigh') {
    return sent.kind === 'weigh' && work.expectedPacked === sent.expectedPacked;
  }
  if (sent.kind === 'weigh' || next.kind === 'weigh') return false;
  return (
    work.expectedVersion >= sent.expectedVersion && work.expectedVersion < next.expectedVersion
  );
}

/** Returns whether a piece of work replaces just the version that another one about the same names. */
export const isNextVersion = (work: QueuedWork, named: QueuedWork): boolean =>
  work.kind !== 'weigh' && named.kind !== 'weigh' && work.expectedVersion === named.expectedVersion;

/** Returns a piece of work that replaces the state that another one about the same replaces. */
export function onBaseOf(work: QueuedWork, before: QueuedWork): QueuedWork {
  if (work.kind === 'weigh') {
    return before.kind === 'weigh' ? { ...work, expectedPacked: before.expectedPacked } : work;
  }
  return before.kind === 'weigh' ? work : { ...work, expectedVersion: before.expectedVersion };
}

/** Returns a list as it will be once all of this is done. */
export function withQueued(data: PickData, works: readonly QueuedWork[]): PickData {
  let shown = data;
  for (const work of works) {
    if (work.refusal !== undefined) continue;
    shown = work.kind === 'tick' ? withTickWork(shown, work) : withOrderWork(shown, work);
  }
  return shown;
}

function withOrderWork(data: PickData, work: PackWork | WeighWork): PickData {
  const change = (order: PickOrder): PickOrder => {
    if (work.kind === 'pack') {
      const { crates: _, ...rest } = order;
      const crates = work.crates === null ? {} : { crates: work.crates };
      const lots = new Map(work.lots?.map(({ line, lot }) => [line, { lot }]));
      const lines = order.lines.map((line) => ({ ...line, ...lots.get(line.lineId) }));
      return { ...rest, packing: work.packing, ...crates, lines };
    }
    const packed = sumWeights(work.weights);
    return {
      ...order,
      lines: order.lines.map((line) => (line.lineId === work.lineId ? { ...line, packed } : line)),
    };
  };
  return {
    ...data,
    orders: data.orders.map((order) => (order._id === work.orderId ? change(order) : order)),
  };
}

function withTickWork(data: PickData, work: TickWork): PickData {
  const { date, place, productId, name = '', unit, isByPiece = false, quantity } = work;
  if (data.date !== date || data.place !== place) return data;
  const known = data.ticks.find((tick) => tickKeyOf(tick) === goodsKeyOf(goodsOf(work)));
  return showTick(data, {
    date,
    ...(place === null ? {} : { place }),
    productId,
    ...(productId === null ? { name } : {}),
    unit,
    isByPiece,
    quantity,
    // What is known, because the next tick replaces that one.
    version: known?.version ?? 0,
    by: { _id: work.owner, name: work.ownerName },
    at: known?.at ?? '',
  });
}
