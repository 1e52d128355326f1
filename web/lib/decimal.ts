import { numberLocale } from '#contract/constants/locale';
import { ofMarket } from '#contract/constants/market';

const hasDecimalComma = ofMarket((market) =>
  new Intl.NumberFormat(numberLocale(market)).format(0.5).includes(','),
);

const DECIMAL = /^[-−]?(\d+[.,]?\d*|[.,]\d+)$/;
/** A comma before exactly three digits stands for thousands where it is not the sign of decimals. */
const AMBIGUOUS = /^[-−]?[1-9]\d{0,2},\d{3}$/;

/**
 * Returns the number that somebody typed, with a dot or a comma before its decimals: '1.5', '1,5', '-10'. NaN for
 * anything else, such as '1e3' and '1,200.50', and for '1,200', which may mean either where decimals follow a dot.
 */
export function parseDecimal(text: string): number {
  const typed = text.trim();
  if (!DECIMAL.test(typed) || (AMBIGUOUS.test(typed) && !hasDecimalComma())) return Number.NaN;
  return Number(typed.replace(',', '.').replace('−', '-'));
}

/** Registers a text field of a form whose value is a number: NaN while it is empty or cannot be read. */
export const decimalField = {
  setValueAs: (value: unknown) => (typeof value === 'string' ? parseDecimal(value) : value),
};

/** Registers a text field of a form whose value is a number, or null while it is empty. */
export const optionalDecimalField = {
  setValueAs: (value: unknown) =>
    typeof value !== 'string' ? value : value.trim() === '' ? null : parseDecimal(value),
};
