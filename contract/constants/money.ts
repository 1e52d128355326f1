import { ofMarket, theMarket } from '#contract/constants/market';
import { estimateMinor } from '#contract/constants/order-lines';
import { toMilli } from '#contract/constants/quantities';

// Money is integer minor units inside and a JSON number with the currency's decimals on the wire.

/** Converts a wire amount to integer minor units. */
export const toMinor = (amount: number): number =>
  Math.round(amount * 10 ** theMarket().currency.decimals);

/** Converts integer minor units to a wire amount. */
export const fromMinor = (minor: number | bigint): number =>
  Number(minor) / 10 ** theMarket().currency.decimals;

/** Returns whether an amount is a whole number of minor units: `0.3` is, `0.1 + 0.2` and `1e-9` are not. */
export const hasTwoDecimals = (amount: number): boolean => fromMinor(toMinor(amount)) === amount;

/** What the cost of a line follows from, as on the wire. */
interface CostedLine {
  price: number;
  quantity: number;
  /** Of what is sold by the piece and priced by weight. */
  pieceWeight?: { average: number } | undefined;
}

/** Returns the cost of a line in minor units; that of pieces which are priced by weight is an estimate. */
export const lineTotalMinor = ({ price, quantity, pieceWeight }: CostedLine): number =>
  estimateMinor({
    priceMinor: toMinor(price),
    quantityMilli: toMilli(quantity),
    pieceMilli: pieceWeight ? toMilli(pieceWeight.average) : null,
  });

/** Returns the total of lines in minor units. */
export const totalMinor = (lines: readonly CostedLine[]): number =>
  lines.reduce((sum, line) => sum + lineTotalMinor(line), 0);

const format = ofMarket(({ currency: { decimals, sign, position }, locale }) => {
  const number = new Intl.NumberFormat(locale, {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  });
  return (amount: number) => {
    const digits = number.format(Math.abs(amount));
    return `${amount < 0 ? '-' : ''}${position === 'before' ? `${sign}${digits}` : `${digits} ${sign}`}`;
  };
});

/** Formats a wire amount for sentences, mails and screens: '₨1,200.00'. */
export const formatMoney = (amount: number): string => format()(amount);

/** Formats an amount that is not known for sure yet: '≈ ₨480.00'. */
export const formatEstimate = (amount: number): string => `≈ ${formatMoney(amount)}`;
