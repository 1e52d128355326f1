import { type Market, theMarket } from '#contract/platform/market/constants';
import { estimateMinor, toMilli } from '#contract/platform/quantities/constants/quantities';
import { numberLocale } from '#contract/platform/text/constants/formats';
import { ofReader, theReader } from '#contract/platform/text/constants/reader';

// Money is integer minor units inside and a JSON number with the currency's decimals on the wire.

/** Converts a wire amount to integer minor units. */
export const toMinor = (amount: number): number =>
  Math.round(amount * 10 ** theMarket().currency.decimals);

/** Converts integer minor units to a wire amount. */
export const fromMinor = (minor: number | bigint): number =>
  Number(minor) / 10 ** theMarket().currency.decimals;

/**
 * Returns whether an amount is a whole number of minor units, so that it has no more decimals than the currency: with
 * two `0.3` is, `0.1 + 0.2` and `1e-9` are not.
 */
export const fitsCurrency = (amount: number): boolean => fromMinor(toMinor(amount)) === amount;

/** Returns the smallest amount above nothing, on the wire: 0.01 of what has two decimals. */
export const smallestAmount = (): number => fromMinor(1);

/** The highest price, in minor units: what is much money differs between currencies as their smallest parts do. */
export const PRICE_MAX_MINOR = 2_000_000_000;

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

/** A letter at the end of a sign would run into the digits: 'Rs 5', but '₨5' and 'Rs.5'. */
const ENDS_IN_LETTER = /\p{L}$/u;

/** Returns a function that writes amounts with the sign of a market, their digits by a format. */
function makeWriter({ currency }: Pick<Market, 'currency'>, number: Intl.NumberFormat) {
  const { sign, position } = currency;
  const before = position === 'after' ? '' : ENDS_IN_LETTER.test(sign) ? `${sign}\u00a0` : sign;
  const after = position === 'after' ? `\u00a0${sign}` : '';
  return (amount: number): string =>
    `${amount < 0 ? '-' : ''}${before}${number.format(Math.abs(amount))}${after}`;
}

/** Returns a function that formats amounts as a market does, also as one that has not these settings yet. */
export function makeMoneyFormat(
  market: Pick<Market, 'currency' | 'locale'>,
  language = theReader().language,
) {
  const { decimals } = market.currency;
  return makeWriter(
    market,
    new Intl.NumberFormat(numberLocale(market, language), {
      minimumFractionDigits: decimals,
      maximumFractionDigits: decimals,
    }),
  );
}

const write = ofReader(makeMoneyFormat);
const writeShort = ofReader((market, language) =>
  makeWriter(
    market,
    // 'K' is a word of the reader's language.
    new Intl.NumberFormat(language === 'en' ? 'en' : numberLocale(market, language), {
      notation: 'compact',
      maximumFractionDigits: 1,
    }),
  ),
);

/** Formats a wire amount for sentences, mails and screens: '₨1,200.00'. */
export const formatMoney = (amount: number): string => write()(amount);

/** Formats an amount for the axis of a chart: '₨1.2K'. */
export const formatMoneyShort = (amount: number): string => writeShort()(amount);

/** Formats an amount that is not known for sure yet: '≈ ₨480.00'. */
export const formatEstimate = (amount: number): string => `≈ ${formatMoney(amount)}`;

/** Formats an amount that may be an estimate. */
export const formatExpected = (amount: number, isEstimate = false): string =>
  isEstimate ? formatEstimate(amount) : formatMoney(amount);
