import type { ImportColumn } from '#contract/catalogue/imports/constants';
import type { ImportRow } from '#contract/catalogue/imports/imports';
import { ALLERGENS } from '#contract/catalogue/products/constants/allergens';
import { AVAILABILITIES } from '#contract/catalogue/products/constants/products';
import type { Product } from '#contract/catalogue/products/product';
import { UNITS } from '#contract/platform/quantities/constants/units';
import { listOf } from '#contract/platform/text/constants/formats';
import { type Message, msg } from '#contract/platform/text/constants/texts';
import { readByDecimal } from '#contract/platform/text/constants/typed-numbers';
import { type CsvColumn, columnsOf, writeExact } from '../../platform/http/csv.ts';
import { NUMBER_COLUMNS } from './read-file.ts';

// What stands in the cells of a file of products: the same for the farm's own file, for what is compared with a
// product, and for what is read.

export type CellValue = string | number | boolean | null;
/** The cells of one row; null where it says nothing, absent where the row does not say it at all. */
export type Cells = Partial<Record<ImportColumn, CellValue>>;

/** How much of a cell a sentence quotes, in characters. */
const QUOTED_MAX = 60;

const YES = ['yes', 'true', 'wahr', 'ja', '1'];
const NO = ['no', 'false', 'falsch', 'nein', '0'];

/**
 * Returns a product as rows of a file: one, or one for each of its sizes, of which the first says what is the same for
 * all. While it is off the market, so are all of its sizes.
 */
export function rowsOf(product: Product): Cells[] {
  const { _id: id, name, isActive, sizes } = product;
  const isAlways = product.availability === 'always';
  const { allergens = 'unknown' } = product;
  const shared: Cells = {
    description: product.description,
    category: product.category?.name ?? null,
    unit: product.unit,
    stock: isAlways ? null : product.quantityAvailable,
    availability: product.availability ?? 'counted',
    organic: product.isOrganic,
    harvestDate: product.harvestDate,
    availableUntil: product.availableUntil,
    allergens: typeof allergens === 'string' ? allergens : allergens.join(' '),
    image: product.images[0] ?? null,
  };
  if (!sizes) {
    const { sku = null, price, step = null, minimum = null } = product;
    return [{ id, name, ...shared, sku, price, step, minimum, active: isActive }];
  }
  return sizes.map((size, index) => ({
    ...{ id, name },
    ...(index === 0 ? shared : {}),
    ...{ sku: size.sku ?? null, size: size.label, sizeId: size._id, content: size.content },
    ...{ price: size.price, minimum: size.minimum ?? null, active: isActive && size.isActive },
  }));
}

const make = columnsOf<Cells>();
const text = (column: ImportColumn): CsvColumn<Cells> =>
  make.text(
    () => column,
    ({ [column]: value }) =>
      typeof value === 'boolean' ? (value ? 'yes' : 'no') : (value as string | null | undefined),
  );
const number = (column: ImportColumn): CsvColumn<Cells> =>
  make.exact(
    () => column,
    ({ [column]: value }) => value as number | null | undefined,
  );

/** Returns the column of the farm's own file. */
export const fileColumn = (column: ImportColumn): CsvColumn<Cells> =>
  isNumeric(column) ? number(column) : text(column);

/** A cell as far as a sentence quotes it. */
export const shorten = (cell: string): string =>
  cell.length > QUOTED_MAX ? `${cell.slice(0, QUOTED_MAX)}…` : cell;

const isNumeric = (column: ImportColumn): boolean =>
  (NUMBER_COLUMNS as readonly string[]).includes(column);

/** Returns a cell as the farm's own file has it, for people to compare. */
export const showCell = (value: CellValue | undefined): string => {
  if (value == null) return '';
  if (typeof value === 'number') return writeExact(value);
  return typeof value === 'boolean' ? (value ? 'yes' : 'no') : value;
};

/** What may be nothing: its empty cell says so. An empty cell of another column leaves things as they are. */
const CLEARED: readonly ImportColumn[] = [
  ...(['sku', 'step', 'minimum', 'harvestDate', 'availableUntil', 'image'] as const),
];

/** Texts as they are compared: programs for tables have line breaks of their own, and trim. */
const normal = (value: string): string => value.replace(/\r\n?/g, '\n').trim();

export const isSameValue = (one: CellValue | undefined, other: CellValue | undefined): boolean =>
  typeof one === 'string' && typeof other === 'string'
    ? normal(one) === normal(other)
    : (one ?? null) === (other ?? null);

type Read = { value: CellValue | undefined } | { reason: Message };

const oneOf = (cell: string, values: readonly string[]): Read => {
  const value = values.find((each) => each === cell.toLowerCase());
  return value === undefined
    ? { reason: msg('Enter one of {values}.', { values: listOf([...values], 'disjunction') }) }
    : { value };
};

/** Reads a cell; undefined for one that leaves things as they are. */
export function readCell(column: ImportColumn, typed: string, decimal: '.' | ','): Read {
  const cell = normal(typed);
  if (cell === '') return { value: CLEARED.includes(column) ? null : undefined };
  if (isNumeric(column)) {
    const value = readByDecimal(cell, decimal);
    return value === undefined
      ? { reason: msg('“{cell}” is no number.', { cell: shorten(cell) }) }
      : { value };
  }
  switch (column) {
    case 'unit':
      return oneOf(cell, UNITS);
    case 'availability':
      return oneOf(cell, AVAILABILITIES);
    case 'organic':
    case 'active':
      if (YES.includes(cell.toLowerCase())) return { value: true };
      if (NO.includes(cell.toLowerCase())) return { value: false };
      return { reason: msg('Enter yes or no.') };
    case 'harvestDate':
    case 'availableUntil': {
      // Day, month and year with dots are read in one way alone.
      const [, day = '', month = '', year] = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(cell) ?? [];
      return { value: year ? `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}` : cell };
    }
    case 'allergens': {
      const keys = cell
        .toLowerCase()
        .split(/[\s,;|]+/)
        .filter(Boolean);
      if (keys.length === 1 && ['unknown', 'none'].includes(keys[0] ?? ''))
        return { value: cell.toLowerCase() };
      const unknown = keys.find((key) => !(ALLERGENS as readonly string[]).includes(key));
      if (unknown !== undefined) {
        return {
          reason: msg('“{key}” is none of these: {values}.', {
            key: shorten(unknown),
            values: listOf(['unknown', 'none', ...ALLERGENS], 'unit'),
          }),
        };
      }
      return { value: ALLERGENS.filter((key) => keys.includes(key)).join(' ') };
    }
    case 'id':
    case 'sizeId':
      return { value: cell.toLowerCase() };
    default:
      return { value: cell };
  }
}

/** Returns the cells of a new row. */
export const cellsOf = (cells: Cells): NonNullable<ImportRow['cells']> =>
  (Object.entries(cells) as [ImportColumn, CellValue][])
    .filter(([, value]) => value != null)
    .map(([column, value]) => ({ column, from: '', to: showCell(value) }));
