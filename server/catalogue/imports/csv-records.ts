import { msg } from '#contract/platform/text/constants/texts';
import { invalid } from '../../platform/http/errors.ts';

// CSV as RFC 4180 says and programs for tables write it, in one pass whatever a file holds: a quote within a cell that
// does not begin with one is a character, and what follows a closing quote belongs to the cell.

/** The longest record, in characters, and the most cells in it: a product has far less. */
const RECORD_MAX = 64 * 1024;
const CELLS_MAX = 200;

export interface CsvRecord {
  cells: string[];
  /** The line of the text where it begins. */
  line: number;
}

/**
 * Returns the records of a text whose lines end with `\n`, but for empty ones, and at most so many.
 * @throws 400 for quotes that are not closed, and a record that is too long
 */
export function readRecords(text: string, separator: string, most: number): CsvRecord[] {
  const plain = new RegExp(`[^${separator}\n]*`, 'y');
  const records: CsvRecord[] = [];
  let line = 1;
  for (let at = 0; at < text.length && records.length < most; ) {
    const start = at;
    const record: CsvRecord = { cells: [], line };
    for (let isOver = false; !isOver; ) {
      let cell = '';
      if (text[at] === '"') {
        const closing = closingQuote(text, at, start, line);
        cell = text.slice(at + 1, closing).replaceAll('""', '"');
        line += cell.split('\n').length - 1;
        at = closing + 1;
      }
      plain.lastIndex = at;
      const rest = plain.exec(text)?.[0] ?? '';
      record.cells.push(cell + rest);
      at += rest.length;
      if (at - start > RECORD_MAX || record.cells.length > CELLS_MAX) throw tooLong(record.line);
      isOver = text[at] !== separator;
      at += 1;
    }
    line += 1;
    if (record.cells.some((cell) => cell.trim() !== '')) records.push(record);
  }
  return records;
}

/** Returns where the quote is that closes the one at `at`. */
function closingQuote(text: string, at: number, start: number, line: number): number {
  for (let from = at + 1; ; ) {
    const quote = text.indexOf('"', from);
    if (quote < 0) {
      throw invalid(
        msg('Quotes that begin in line {line, number} are not closed. Is the file complete?', {
          line,
        }),
      );
    }
    if (quote - start > RECORD_MAX) throw tooLong(line);
    if (text[quote + 1] !== '"') return quote;
    from = quote + 2;
  }
}

const tooLong = (line: number) =>
  invalid(
    msg('Line {line, number} is too long for a product. Look for quotes that are not closed.', {
      line,
    }),
  );
