import { theMarket } from '#contract/platform/market/constants';
import { t } from '#contract/platform/text/constants/texts';
import { withAsciiDigits, writeNumber } from '#contract/platform/text/constants/typed-numbers';
import { wallClockIn } from '#contract/platform/time/constants';

// Spreadsheets as CSV (RFC 4180), written as programs for tables in the market's country read them: columns are apart
// by a semicolon where numbers have a decimal comma. No cell runs as a formula, in whichever way a program splits lines.

type Nothing = null | undefined;

/** A column: its heading, and the cell of a row as it stands in the file, not yet quoted. */
export interface CsvColumn<Row> {
  heading: () => string;
  write: (row: Row) => string;
}

type Write<Row, Value> = (
  heading: () => string,
  value: (row: Row) => Value | Nothing,
) => CsvColumn<Row>;

/** Returns what makes the columns of a table, by what their cells hold. An absent value is an empty cell. */
export function columnsOf<Row>() {
  const kind =
    <Value>(write: (value: Value) => string): Write<Row, Value> =>
    (heading, value) => ({
      heading,
      write: (row) => {
        const found = value(row);
        return found == null ? '' : write(found);
      },
    });
  return {
    text: kind((text: string) => protect(text)),
    phone: kind(writePhone),
    /** An amount of the market's currency, or a quantity. Below zero it is a number too. */
    number: kind((value: number) => writeDecimal(value)),
    yesOrNo: kind((is: boolean) => (is ? t('in a table|yes') : t('in a table|no'))),
    /** A number of a file that is read again: one with three decimals has a fourth, so that they are no thousands. */
    exact: kind(writeExact),
    /** A wall-clock day `YYYY-MM-DD` or time `HH:mm`. */
    wall: kind((dayOrTime: string) => dayOrTime),
    /** An ISO instant, by the market's clock: `2026-11-28 09:30:00`. Its heading says which that is. */
    instant: (heading: (zone: string) => string, value: (row: Row) => string | Nothing) =>
      kind(writeInstant)(() => heading(theMarket().timeZone), value),
  };
}

/** Returns rows as CSV, with the headings only if asked for. */
export function toCsv<Row>(
  columns: readonly CsvColumn<Row>[],
  rows: readonly Row[],
  { hasHeadings }: { hasHeadings: boolean },
): string {
  const headings = hasHeadings ? [columns.map(({ heading }) => protect(heading()))] : [];
  const separator = separatorOf();
  return [...headings, ...rows.map((row) => columns.map(({ write }) => write(row)))]
    .map((cells) => `${cells.map((cell) => quote(cell, separator)).join(separator)}\r\n`)
    .join('');
}

/** Quotes a cell where RFC 4180 asks for it; outer spaces are kept by some readers only within quotes. */
const quote = (cell: string, separator: string): string =>
  cell.includes(separator) || /["\r\n]|^\s|\s$/.test(cell)
    ? `"${cell.replaceAll('"', '""')}"`
    : cell;

const writeDecimal = (value: number): string => writeNumber(value, theMarket().locale);

/** Writes a number so that it can be read in one way alone. */
export const writeExact = (value: number): string => {
  const written = writeDecimal(value);
  return /[.,]\d{3}$/.test(written) ? `${written}0` : written;
};

const separatorOf = (): ',' | ';' => (writeDecimal(0.5).includes(',') ? ';' : ',');

/**
 * Where a spreadsheet may begin to read a formula: at the start of a cell and, for one that splits lines in another way,
 * after what may separate cells. Spaces and quotes before a formula are skipped by some, full-width signs are read by
 * others. Apostrophes that stand there already count too, so that the one in front is known to be ours.
 */
const FORMULA_STARTS =
  /(?:^|(?<=[;,\t\r\n])(?!\n))(?=[\s"']*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])|^(?='*[\t\r\n])/g;

const PROTECTED = new RegExp(FORMULA_STARTS.source.replaceAll('(?=', "'(?="), FORMULA_STARTS.flags);

/** Puts an apostrophe before whatever would run as a formula; spreadsheets show what follows it as text. */
const protect = (text: string): string => text.replace(FORMULA_STARTS, "'");

/** Returns the text of a cell that was {@link protect protected} as it was before. */
export const unprotect = (cell: string): string => cell.replace(PROTECTED, '');

const writeInstant = (instant: string): string => {
  const { date, time } = wallClockIn(theMarket().timeZone, new Date(instant));
  return `${date} ${time}:${instant.slice(17, 19)}`;
};

/** A number with its country: the code that begins it (ITU-T E.164), and the rest. */
const INTERNATIONAL =
  /^\+(1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3})[ ./-]*(\(?(?:\d[ ()./-]*){5,}(?:(?:ext\.?|x) ?\d+)?)$/i;

/**
 * Writes a phone number so that a spreadsheet neither computes it nor takes it for a number, which would lose its plus
 * or first zero: with a space between two of its digits, after its country's code.
 */
function writePhone(typed: string): string {
  const phone = withAsciiDigits(typed.normalize('NFKC').replace(/\p{Cf}/gu, '')).trim();
  const [, code, rest] = INTERNATIONAL.exec(phone) ?? [];
  if (code && rest) return /\d +\(?\d/.test(phone) ? phone : `+${code} ${rest}`;
  return protect(/^0\d{5,}$/.test(phone) ? `${phone.slice(0, 4)} ${phone.slice(4)}` : typed);
}
