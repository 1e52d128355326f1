import {
  type DecimalSign,
  type FileEncoding,
  IMPORT_COLUMNS,
  IMPORT_ROWS_MAX,
  type ImportColumn,
  SEPARATORS,
  type Separator,
} from '#contract/catalogue/imports/constants';
import { theMarket } from '#contract/platform/market/constants';
import { listOf } from '#contract/platform/text/constants/formats';
import { msg } from '#contract/platform/text/constants/texts';
import { readByDecimal } from '#contract/platform/text/constants/typed-numbers';
import { unprotect } from '../../platform/http/csv.ts';
import { invalid, tooLarge } from '../../platform/http/errors.ts';
import { readRecords } from './csv-records.ts';

// Reads a file of products: its encoding, separator and sign for decimals are found by themselves.

/** A row of the file. Of a column that it does not have there is no cell. */
export interface FileRow {
  /** Where it begins: lines within quotes count too. */
  line: number;
  cells: Partial<Record<ImportColumn, string>>;
  /** It ends before the others, at the end of the file. */
  isCutOff: boolean;
  /** It has more cells than there are headings. */
  isTooLong: boolean;
}

export interface ProductFile {
  encoding: FileEncoding;
  separator: Separator;
  rows: FileRow[];
}

/** Where the headings are looked for, in characters. */
const HEADINGS_MAX = 64 * 1024;

const spreadsheet = msg(
  'This is a spreadsheet with pages. Save it as CSV in your program, then choose that file.',
);
const picture = msg('This is a picture. Choose a CSV file.');
/** How files begin that are no text, in hexadecimal, and what to do. */
const NO_TEXTS = [
  ['504b0304', spreadsheet],
  ['d0cf11e0', spreadsheet],
  ['25504446', msg('This is a document (PDF). Choose a CSV file.')],
  ...['89504e47', 'ffd8ff', '47494638', '52494646'].map((start) => [start, picture] as const),
] as const;

const notReadable = () =>
  invalid(msg("This file can't be read as text. Save it as CSV in UTF-8, then choose it again."));

/**
 * Returns a file as text. @throws 400 for what is none
 */
export function decodeFile(bytes: Buffer): { text: string; encoding: FileEncoding } {
  const start = bytes.toString('hex', 0, 8);
  for (const [other, refusal] of NO_TEXTS) if (start.startsWith(other)) throw invalid(refusal);
  const encoding = encodingOf(bytes);
  const text = new TextDecoder(encoding).decode(bytes).replace(/\r\n?/g, '\n');
  if (text.includes('\0')) throw notReadable();
  if (text.trim() === '') throw invalid(msg('This file is empty.'));
  return { text, encoding };
}

function encodingOf(bytes: Buffer): FileEncoding {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  // Without a mark: every other byte of headings in UTF-16 is 0.
  if (bytes.length % 2 === 0) {
    if (bytes[0] !== 0 && bytes[1] === 0 && bytes[3] === 0) return 'utf-16le';
    if (bytes[0] === 0 && bytes[1] !== 0 && bytes[2] === 0) return 'utf-16be';
  }
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return 'utf-8';
  } catch {
    return 'windows-1252';
  }
}

const KEYS = new Map<string, ImportColumn>(IMPORT_COLUMNS.map((key) => [key.toLowerCase(), key]));

const headingOf = (cell: string): string => cell.trim().toLowerCase();

/** Returns the separator with which the headings have the most columns of a file of products. */
function separatorOf(text: string): Separator {
  const headings = text
    .slice(0, HEADINGS_MAX)
    .split('\n')
    .find((line) => line.trim() !== '');
  const known = (separator: Separator) =>
    (headings ?? '')
      .split(separator)
      .filter((cell) => KEYS.has(headingOf(cell.replaceAll('"', '')))).length;
  return SEPARATORS.reduce((best, each) => (known(each) > known(best) ? each : best));
}

/**
 * Reads a file of products.
 * @throws 400 with what is wrong with the file as a whole, 413 for too many rows
 */
export function readFile(bytes: Buffer, given?: Separator): ProductFile {
  const { text, encoding } = decodeFile(bytes);
  const separator = given ?? separatorOf(text);
  const [headings, ...others] = readRecords(text, separator, IMPORT_ROWS_MAX + 2);
  if (!headings) throw invalid(msg('This file is empty.'));
  const columns = readHeadings(headings.cells);
  if (others.length > IMPORT_ROWS_MAX) {
    throw tooLarge(
      msg('A file can have at most {most, number} rows. Divide it into several.', {
        most: IMPORT_ROWS_MAX,
      }),
    );
  }
  if (others.length === 0) {
    throw invalid(msg('This file has headings, but no products below them.'));
  }
  const endsWithBreak = text.endsWith('\n');
  const rows = others.map(
    ({ cells: record, line }, index): FileRow => ({
      line,
      cells: Object.fromEntries(
        columns.flatMap((column, place) =>
          column && record[place] !== undefined ? [[column, unprotect(record[place])]] : [],
        ),
      ),
      isCutOff: index === others.length - 1 && !endsWithBreak && record.length < columns.length,
      isTooLong: record.slice(columns.length).some((cell) => cell.trim() !== ''),
    }),
  );
  return { encoding, separator, rows };
}

/** Returns the columns by their places; undefined for one without a heading. @throws 400 */
function readHeadings(record: readonly string[]): (ImportColumn | undefined)[] {
  const columns = record.map((cell) => {
    const heading = headingOf(cell);
    if (heading === '') return undefined;
    const column = KEYS.get(heading);
    if (column) return column;
    throw invalid(
      msg('“{heading}” is no column of a file of products. Its columns are: {columns}.', {
        heading: cell.trim().slice(0, 60),
        columns: listOf([...IMPORT_COLUMNS], 'unit'),
      }),
    );
  });
  const twice = columns.find((column, place) => column && columns.indexOf(column) !== place);
  if (twice) {
    throw invalid(msg('The column “{heading}” is there twice. Keep one.', { heading: twice }));
  }
  if (!columns.includes('name') && !columns.includes('id')) {
    throw invalid(
      msg('The first line must name the columns, and one of them must be “name” or “id”.'),
    );
  }
  return columns;
}

export const NUMBER_COLUMNS = ['content', 'price', 'stock', 'step', 'minimum'] as const;

/** A number that can be read both ways. */
interface Question {
  line: number;
  column: (typeof NUMBER_COLUMNS)[number];
  cell: string;
  point: number;
  comma: number;
}

/**
 * Returns which sign is before the decimals of a file, by the numbers that can be read in one way alone; the question
 * where those say none, or both, and others can be read both ways; nothing where it makes no difference.
 */
export function findDecimal(
  rows: readonly FileRow[],
): { decimal: DecimalSign } | { question: Question } | undefined {
  let question: Question | undefined;
  const found = { point: 0, comma: 0 };
  for (const { line, cells } of rows) {
    for (const column of NUMBER_COLUMNS) {
      const cell = cells[column] ?? '';
      if (cell === '') continue;
      const point = readByDecimal(cell, '.');
      const comma = readByDecimal(cell, ',');
      if (point === comma) continue;
      if (point === undefined) found.comma += 1;
      else if (comma === undefined) found.point += 1;
      else question ??= { line, column, cell: cell.slice(0, 40), point, comma };
    }
  }
  const isClear = found.point > 0 !== found.comma > 0;
  if (!isClear && question) return { question };
  if (found.point + found.comma === 0) return undefined;
  if (!isClear) return { decimal: ownDecimal() };
  return { decimal: found.comma > 0 ? 'comma' : 'point' };
}

/** The sign that the market's own files have. */
export const ownDecimal = (): DecimalSign =>
  (0.5).toLocaleString(theMarket().locale, { numberingSystem: 'latn' }).includes(',')
    ? 'comma'
    : 'point';
