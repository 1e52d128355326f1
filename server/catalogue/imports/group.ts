import { randomUUID } from 'node:crypto';
import type { DecimalSign, ImportColumn } from '#contract/catalogue/imports/constants';
import { type Message, msg } from '#contract/platform/text/constants/texts';
import { type Cells, readCell } from './cells.ts';
import type { FileRow } from './read-file.ts';

/** The rows of one product. */
export interface ReadGroup {
  /** Of a product that the farm has; of a new one the id that it gets. */
  productId: string;
  rows: { line: number; cells: Cells }[];
  /** What is wrong before it is compared with anything, and in which of the rows. */
  refusal?: { place: number; column: ImportColumn | undefined; sentence: Message };
}

/** Names as they are compared. */
export const nameKey = (name: string): string => name.normalize('NFC').trim().toLowerCase();

/** Which products the farm has, and how they are called. */
export interface KnownProducts {
  has: (id: string) => boolean;
  idsOf: (nameKey: string) => readonly string[];
}

/** Puts the rows of a product together: those that share its id, or its name. */
export function groupRows(
  rows: readonly FileRow[],
  decimal: DecimalSign | undefined,
  known: KnownProducts,
): ReadGroup[] {
  const sign = decimal === 'comma' ? ',' : '.';
  const groups = new Map<string, ReadGroup>();
  const read = rows.map((row) => ({ row, ...readRow(row, sign) }));
  /** How products are called that rows name by their ids. */
  const named = new Map<string, Set<string>>();
  for (const { cells } of read) {
    if (typeof cells.id !== 'string' || typeof cells.name !== 'string') continue;
    const key = nameKey(cells.name);
    named.set(key, (named.get(key) ?? new Set()).add(cells.id));
  }
  for (const { row, cells, refusal } of read) {
    const name = typeof cells.name === 'string' ? nameKey(cells.name) : '';
    const ids = [...(named.get(name) ?? known.idsOf(name))];
    const id = typeof cells.id === 'string' ? cells.id : ids.length === 1 ? ids[0] : undefined;
    let wrong = refusal;
    if (typeof cells.id === 'string' && !known.has(cells.id)) {
      wrong ??= {
        column: 'id',
        sentence: msg(
          'No product of your farm has this id. Leave the cell empty to add a new one.',
        ),
      };
    } else if (cells.id == null && ids.length > 1) {
      wrong ??= {
        column: 'name',
        sentence: msg('Several of your products are called so. Say which one by its id.'),
      };
    } else if (cells.id == null && name === '') {
      wrong ??= { column: 'name', sentence: msg('Product name is required') };
    }
    const key = id ?? (name === '' || ids.length > 1 ? `line ${row.line}` : `name ${name}`);
    const productId = id !== undefined && known.has(id) ? id : randomUUID();
    const group = groups.get(key) ?? { productId, rows: [] };
    groups.set(key, group);
    group.rows.push({ line: row.line, cells });
    if (wrong) group.refusal ??= { place: group.rows.length - 1, column: undefined, ...wrong };
  }
  return [...groups.values()];
}

function readRow(row: FileRow, sign: '.' | ',') {
  const cells: Cells = {};
  let refusal: { column?: ImportColumn; sentence: Message } | undefined;
  if (row.isTooLong) {
    refusal = {
      sentence: msg(
        'This row has more cells than there are headings. Put cells that hold the separator into quotes.',
      ),
    };
  } else if (row.isCutOff) {
    refusal = { sentence: msg('The file ends in the middle of this row. Is it complete?') };
  }
  for (const [name, cell] of Object.entries(row.cells)) {
    const column = name as ImportColumn;
    const found = readCell(column, cell, sign);
    if ('reason' in found) refusal ??= { column, sentence: found.reason };
    else if (found.value !== undefined) cells[column] = found.value;
  }
  return { cells, ...(refusal ? { refusal } : {}) };
}
