import { LINES_MAX } from '#contract/platform/orders/constants';
import { stepsOf } from '#contract/platform/quantities/constants/steps';
import { QUANTITY_MAX, STEP_MAX, UNITS } from '#contract/platform/quantities/constants/units';
import {
  isBoolean,
  isListOf,
  isNumberIn,
  isObjectOf,
  isOneOf,
  isText,
  isUndefinedOr,
} from '../../platform/api/check.ts';
import { ownedInTab, readOwner, VISITOR } from '../../platform/session/owned.ts';
import type { Checked } from '../model/queued-lists.ts';
import {
  type ChosenSize,
  type Goods,
  isPieceWeight,
  isStoredNet,
  isStoredPrice,
  isStoredUnitLabel,
  pieceOf,
  wordsOf,
} from './rules.ts';

/** Later, nobody remembers having pressed the button. */
const KEPT_MS = 60 * 60_000;

const isSize = isObjectOf<ChosenSize>({
  _id: isText,
  label: isText,
  content: isNumberIn(0.001, QUANTITY_MAX),
  price: isStoredPrice,
  isActive: isBoolean,
  minimum: isUndefinedOr(isNumberIn(1, QUANTITY_MAX)),
});

/** What a visitor wanted in the cart before signing in. */
const isKept = isObjectOf({
  goods: isObjectOf<Omit<Goods, 'sizes' | 'availability'>>({
    _id: isText,
    name: isText,
    price: isStoredPrice,
    unit: isOneOf(UNITS),
    images: isListOf(isText),
    quantityAvailable: isNumberIn(0, Number.MAX_SAFE_INTEGER),
    step: isUndefinedOr(isNumberIn(0.001, STEP_MAX)),
    minimum: isUndefinedOr(isNumberIn(0.001, QUANTITY_MAX)),
    pieceWeight: isUndefinedOr(isPieceWeight),
    maxPerOrder: isUndefinedOr(isNumberIn(0.001, QUANTITY_MAX)),
    unitLabel: isUndefinedOr(isStoredUnitLabel),
    net: isUndefinedOr(isStoredNet),
    farmer: isObjectOf<Goods['farmer']>({ _id: isText, name: isText, farmName: isText }),
  }),
  quantity: isNumberIn(0.001, QUANTITY_MAX),
  /** The size that was chosen, of what is sold in sizes. */
  size: isUndefinedOr(isSize),
  /** When it was chosen, in milliseconds. */
  at: isNumberIn(0, Number.MAX_SAFE_INTEGER),
});
export type SavedGoods = Checked<typeof isKept>;

// Each is checked by itself, so that one that is none does not take the others along.
const savedGoods = ownedInTab<unknown[]>('kept-goods', Array.isArray);

/**
 * Returns what is kept here for this person: a visitor's goods go along with anyone who signs in after choosing them.
 */
export const peekSavedGoods = (now = Date.now()): SavedGoods[] =>
  [...new Set([VISITOR, readOwner()])]
    .flatMap((owner) => savedGoods.read(owner) ?? [])
    .filter(isKept)
    .filter(({ at }) => at <= now && now - at < KEPT_MS);

function write(kept: SavedGoods[]): void {
  savedGoods.write(undefined, VISITOR);
  savedGoods.write(kept.length === 0 ? undefined : kept);
}

/** Keeps goods that a visitor wants in the cart until they are signed in, each product in a size once. */
export function keepGoods(
  goods: Goods,
  quantity: number,
  size?: ChosenSize,
  now = Date.now(),
): void {
  const { _id, name, price, unit, images, quantityAvailable, maxPerOrder, farmer } = goods;
  const needed: Omit<Goods, 'sizes' | 'availability'> = {
    _id,
    name,
    price,
    unit,
    images: images.slice(0, 1),
    quantityAvailable,
    ...stepsOf(goods),
    ...(maxPerOrder !== undefined && { maxPerOrder }),
    ...pieceOf(goods),
    ...wordsOf(goods),
    farmer: { _id: farmer._id, name: farmer.name, farmName: farmer.farmName },
  };
  const others = peekSavedGoods(now).filter(
    (each) => each.goods._id !== _id || each.size?._id !== size?._id,
  );
  write([...others, { goods: needed, quantity, size, at: now }].slice(-LINES_MAX));
}

/** Returns the kept goods once: they are no longer kept afterwards. */
export function takeSavedGoods(now = Date.now()): SavedGoods[] {
  const kept = peekSavedGoods(now);
  write([]);
  return kept;
}

/** Keeps what was taken and still waits for an answer, and nothing else. */
export function keepStill(
  waiting: readonly { goods: Goods; quantity: number; size?: ChosenSize | undefined }[],
  now = Date.now(),
): void {
  write(waiting.map(({ goods, quantity, size }) => ({ goods, quantity, size, at: now })));
}
