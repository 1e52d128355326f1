/** A cell of an export; null is an empty cell. */
export type CsvValue = string | number | null;

/** A column of an export. */
export interface CsvColumn<Row> {
  header: string;
  value: (row: Row) => CsvValue;
}

/**
 * What a spreadsheet takes for the start of a formula, full-width forms included. A tab, a line break or
 * a space before it is skipped by some spreadsheets.
 */
const FORMULA_START = /^\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r\n]/;

/** Texts that need quotes after RFC 4180; outer spaces are kept by some readers only within quotes. */
const NEEDS_QUOTES = /[",\r\n]|^\s|\s$/;

/**
 * Returns one cell. A text that a spreadsheet would run as a formula gets an apostrophe in front, which
 * spreadsheets show as text; numbers stay numbers.
 */
export function csvCell(value: CsvValue): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = FORMULA_START.test(value) ? `'${value}` : value;
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const line = (cells: readonly CsvValue[]): string => `${cells.map(csvCell).join(',')}\r\n`;

/** Returns rows as CSV after RFC 4180, with the header only if asked for. */
export function toCsv<Row>(
  columns: readonly CsvColumn<Row>[],
  rows: readonly Row[],
  { hasHeader }: { hasHeader: boolean },
): string {
  const header = hasHeader ? line(columns.map((column) => column.header)) : '';
  return header + rows.map((row) => line(columns.map((column) => column.value(row)))).join('');
}
