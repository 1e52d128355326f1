import { DELETED_USER_NAME } from '#contract/people/users/constants';
import { shortId } from '#contract/platform/http/constants';
import { formatExpected, fromMinor } from '#contract/platform/money/constants';
import { type Cause, reasonOf } from '#contract/platform/orders/constants/causes';
import { formatQuantityChange } from '#contract/platform/quantities/constants/piece-words';
import { formatGoodsQuantity, nameWithSize } from '#contract/platform/quantities/constants/pieces';
import { fromMilli } from '#contract/platform/quantities/constants/quantities';
import type { Unit, UnitLabel } from '#contract/platform/quantities/constants/units';
import { excerpt, nameInText } from '#contract/platform/text/constants/excerpts';
import { listOf } from '#contract/platform/text/constants/formats';
import { t } from '#contract/platform/text/constants/texts';
import { formatDay } from '#contract/platform/time/constants';
import { formatWallTimes } from '#contract/platform/time/constants/clock';

// What notifications are made of, and how it stands in their sentences.

/** What a notification says to the present reader. */
export interface Words {
  title: string;
  body: string;
}

/**
 * Somebody whom a notification names. Its row has the id alone, so that no name outlives its account; the present name
 * is added for whoever reads it.
 */
export interface Whom {
  _id: string;
  name?: string;
}

type WhomIn<Params> = Params extends unknown
  ? { [Key in keyof Params]-?: NonNullable<Params[Key]> extends Whom ? Key : never }[keyof Params]
  : never;

/** What of the people in its params a kind of notification shows: their own name, or that of their farm. */
export type Shows<Params> = { readonly [Key in WhomIn<Params>]: 'name' | 'farmName' };

/** Declares what a kind of notification shows of people, and its words. */
export const kind = <Params extends object>(
  shows: Shows<Params>,
  words: (params: Params) => Words,
) => ({ shows, words });

const isGone = ({ name }: Whom): boolean => name === DELETED_USER_NAME;

/** Returns the name of somebody for a sentence. */
export const nameOf = (whom: Whom, otherwise?: string): string =>
  isGone(whom) ? t('Deleted user') : nameInText(whom.name ?? '', otherwise);

/** Returns what is said of an order at a farm, unless the farm is gone and nothing can be done about it any more. */
export const atFarm = (farm: Whom, order: string, say: (farm: string) => string): string =>
  isGone(farm)
    ? t('Order {order} at a farm that has left the market.', { order: orderName(order) })
    : say(nameOf(farm));

/** Returns an order's short name: `#` and the first 8 characters of its id. */
export const orderName = (id: string): string => `#${shortId(id)}`;

/** Puts whole sentences one after another. */
export const sentences = (...all: readonly (string | false | undefined)[]): string =>
  all.filter(Boolean).join(' ');

/** A reason that somebody wrote, in a sentence of its own; an empty text for none. */
export const because = (reason: string | null | undefined): string =>
  reason ? t('Reason: {reason}', { reason: excerpt(reason) }) : '';

/** Why something happened to an order: in the words of whoever did it, or without any. */
export interface Why {
  reason?: string | undefined;
  cause?: Cause | undefined;
}

export const becauseOf = (why: Why): string => because(reasonOf(why));

/** When and how an order is handed over, by the clock of its farm. */
export interface Handover {
  date: string;
  time: string;
  endTime?: string;
  isDelivery: boolean;
  /** When it was ordered: the year is left out if it is the same, since the text is read later too. */
  orderedAt: string;
}

/** What a sentence says of a handover: in `way` by `{way, select, delivery {delivery} other {pickup}}`. */
export const handed = ({ isDelivery, ...moment }: Handover) => ({
  way: isDelivery ? 'delivery' : 'pickup',
  ...momentOf(moment),
});

/** Returns the day and the time of an appointment. */
export const momentOf = ({ date, time, endTime, orderedAt }: Omit<Handover, 'isDelivery'>) => ({
  day: formatDay(date, orderedAt),
  time: formatWallTimes(time, endTime),
});

/** What an order costs, as an estimate while something in it is not weighed. */
export interface Cost {
  minor: number;
  isEstimate?: true;
}

export const costOf = ({ minor, isEstimate }: Cost): string =>
  formatExpected(fromMinor(minor), isEstimate);

/**
 * Goods, and how much of them in thousandths: with `size` of its pieces; `isByPiece` counts pieces too, and `unit` is
 * that of the price.
 */
export interface Goods {
  name: string;
  unit: Unit;
  unitLabel?: UnitLabel;
  size?: { label: string };
  isByPiece?: true;
  milli: number;
}

export const productOf = ({ name }: { name: string }): string => nameInText(name, t('A product'));

/** '4 bunches', '2 pieces', '2 × 5 kg' */
const quantityOf = (goods: Omit<Goods, 'name' | 'milli'>, milli: number): string =>
  formatGoodsQuantity({ product: goods, ...goods }, fromMilli(milli));

const ofProduct = (quantity: string, { name }: Goods): string =>
  t('{quantity} of {product}', { quantity, product: nameInText(name, t('a product')) });

/** '4 bunches of Kale', '2 pieces of Chicken', '2 × 5 kg of Carrots' */
export const goodsOf = (goods: Goods): string => ofProduct(quantityOf(goods, goods.milli), goods);

/** '+2 lb of Carrots', '−1 piece of Chicken' */
export const moreGoods = (goods: Goods): string =>
  ofProduct(formatQuantityChange({ product: goods, ...goods }, fromMilli(goods.milli)), goods);

/** The first of the lines that changed, and how many more there are. */
export interface Changed {
  lines: readonly (Omit<Goods, 'milli'> & { fromMilli: number; toMilli: number })[];
  more: number;
}

/** Returns changed lines in a few words: 'Carrots 10 lb → 4 lb, Kale left out, Beets 2 lb added'; empty for none. */
export function changedInText({ lines, more }: Changed): string {
  const parts = lines.map(({ fromMilli: from, toMilli: to, ...goods }) => {
    const product = productOf(goods);
    if (to === 0) return t('{product} left out', { product: nameWithSize(product, goods.size) });
    if (from === 0)
      return t('{product} {quantity} added', { product, quantity: quantityOf(goods, to) });
    return t('{product} {before} → {now}', {
      product,
      before: quantityOf(goods, from),
      now: quantityOf(goods, to),
    });
  });
  return listOf(more > 0 ? [...parts, t('{count} more', { count: more })] : parts, 'unit');
}
