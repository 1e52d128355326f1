import { createHash } from 'node:crypto';
import type { ImportColumn } from '#contract/catalogue/imports/constants';
import type { ImportRow } from '#contract/catalogue/imports/imports';
import type { Product } from '#contract/catalogue/products/product';
import { CreateProduct, UpdateProduct } from '#contract/catalogue/products/product-fields';
import { toMilli } from '#contract/platform/quantities/constants/quantities';
import { msg, t, writeMessage } from '#contract/platform/text/constants/texts';
import type { AppError, Sentence } from '../../platform/http/errors.ts';
import type { ProductRow } from '../products/present.ts';
import { requireSale } from '../products/sale.ts';
import { changedProductRow, requireOfferedUnit } from '../products/service.ts';
import { type CellValue, cellsOf, isSameValue, rowsOf, shorten, showCell } from './cells.ts';
import { changePlain, changeSizes, newSize } from './change-sizes.ts';
import type { ReadGroup } from './group.ts';
import { checked, parsed, Refusal } from './refusal.ts';

// Decides what the rows of one product would change. Nothing here reads or writes.

/** A product as its row and as it is presented. */
export interface StoredProduct {
  row: ProductRow & { isFarmSuspended: boolean };
  product: Product;
}

/** What is written of one product, once the file is applied. */
export interface PlannedWrite {
  /** Of a new product all of it; else what changes, but for its stock and its picture. */
  input: CreateProduct | Omit<UpdateProduct, 'expectedVersion' | 'quantityAvailable' | 'images'>;
  isNew: boolean;
  /** What it was compared with: see {@link basisOf}. Null for a new one. */
  basis: string | null;
  /** Its stock when it was compared, and as the file has it, in thousandths. */
  stock?: { was: number; to: number };
  /** Its first picture; an address elsewhere is fetched first. Null for none. */
  image?: string | null;
}

export interface Planned {
  plan: PlannedWrite | null;
  rows: ImportRow[];
}

/** What of the farm and the market is needed to decide. */
export interface Surroundings {
  categories: readonly { id: string; names: readonly string[] }[];
  /** Pictures of the file that the farm has uploaded. */
  uploads: ReadonlySet<string>;
  /** Why the farm may not offer anything yet. */
  offerRefusal?: AppError | undefined;
}

/** What a row was compared with, but for the stock, which orders change. */
export const basisOf = (product: Product): string =>
  createHash('sha256')
    .update(
      JSON.stringify([
        rowsOf(product).map(({ stock: _, ...cells }) => cells),
        product.category?._id,
      ]),
    )
    .digest('base64url');

/** Columns that say the same for all sizes of a product. */
const SHARED = [
  ...(['name', 'description', 'category', 'unit', 'stock', 'availability', 'step'] as const),
  ...(['organic', 'harvestDate', 'availableUntil', 'allergens', 'image'] as const),
];

export const writeSentence = (sentence: Sentence): string =>
  typeof sentence === 'string' ? sentence : writeMessage(sentence);

/** Returns what the rows of a product would change, or why they are refused: a product is written whole or not at all. */
export function planProduct(
  group: ReadGroup,
  stored: StoredProduct | undefined,
  surroundings: Surroundings,
): Planned {
  const { rows } = group;
  const described = rows.map(({ line, cells }) => ({
    line,
    name: String(cells.name ?? stored?.product.name ?? ''),
    ...(cells.size ? { size: String(cells.size) } : {}),
  }));
  try {
    if (group.refusal)
      throw new Refusal(group.refusal.place, group.refusal.column, group.refusal.sentence);
    return stored
      ? planChange(rows, described, stored, surroundings)
      : planNew(rows, described, surroundings);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { place, column, sentence } = error;
    return { plan: null, rows: refusedRows(described, place, column, writeSentence(sentence)) };
  }
}

type Described = Pick<ImportRow, 'line' | 'name' | 'size'>[];

/** Returns the rows of a product of which one is refused. */
export const refusedRows = (
  rows: Described,
  place: number,
  column: ImportColumn | undefined,
  reason: string,
): ImportRow[] =>
  rows.map(({ line, name, size }, at) => ({
    ...{ line, name, outcome: 'refused' as const },
    ...(size === undefined ? {} : { size }),
    ...(at === place
      ? { ...(column ? { column } : {}), reason }
      : {
          reason: t('Line {line, number} of the same product is refused.', {
            line: rows[place]?.line ?? 0,
          }),
        }),
  }));

type Row = ReadGroup['rows'][number];

/** Returns what the rows say of a product as a whole, each with the row that says it. */
function sharedOf(rows: readonly Row[]) {
  const shared = new Map<ImportColumn, { value: CellValue; place: number }>();
  for (const column of SHARED) {
    for (const [place, { cells }] of rows.entries()) {
      const value = cells[column];
      const known = shared.get(column);
      if (value === undefined) continue;
      if (!known || known.value === null)
        shared.set(column, { value, place: known && value === null ? known.place : place });
      else if (value !== null && !isSameValue(known.value, value)) {
        throw new Refusal(
          place,
          column,
          msg('Line {line, number} says something else of the same product.', {
            line: rows[known.place]?.line ?? 0,
          }),
        );
      }
    }
  }
  return shared;
}

const isSizeRow = ({ cells }: Row): boolean =>
  [cells.size, cells.sizeId, cells.content].some((value) => value != null);

/** Returns whether the product comes in sizes; all of its rows say so, or none does. */
function isInSizes(rows: readonly Row[]): boolean {
  const other = rows.findIndex((row) => isSizeRow(row) !== isSizeRow(rows[0] as Row));
  if (other > 0) {
    throw new Refusal(
      other,
      'size',
      msg('Name the size in each row of a product that is sold in sizes.'),
    );
  }
  if (!isSizeRow(rows[0] as Row) && rows.length > 1) {
    throw new Refusal(
      1,
      undefined,
      msg('Line {line, number} is about the same product already.', { line: rows[0]?.line ?? 0 }),
    );
  }
  return isSizeRow(rows[0] as Row);
}

/** Returns the category of a name in any language. */
function categoryOf(
  { value, place }: { value: CellValue; place: number },
  { categories }: Surroundings,
  current?: string,
): string {
  const key = String(value).toLowerCase();
  const found = categories.filter(({ names }) => names.some((name) => name.toLowerCase() === key));
  const kept = found.find(({ id }) => id === current);
  if (kept) return kept.id;
  if (found[0] && found.length === 1) return found[0].id;
  throw new Refusal(
    place,
    'category',
    found.length === 0
      ? msg('There is no category “{name}”.', { name: shorten(String(value)) })
      : msg('Several categories are called “{name}”.', { name: shorten(String(value)) }),
  );
}

/** Returns a picture that is the farm's own, or at an address. */
function requirePicture(
  { value, place }: { value: CellValue; place: number },
  { uploads }: Surroundings,
): string | null {
  if (typeof value === 'string' && value.startsWith('/uploads/') && !uploads.has(value)) {
    throw new Refusal(place, 'image', msg("This picture wasn't uploaded. Please add it again."));
  }
  return value as string | null;
}

const allergensOf = (value: CellValue | undefined) =>
  typeof value !== 'string' || value === 'unknown' || value === 'none' ? value : value.split(' ');

function planNew(rows: readonly Row[], described: Described, around: Surroundings): Planned {
  const shared = sharedOf(rows);
  const given = (column: ImportColumn) => shared.get(column)?.value ?? undefined;
  const inSizes = isInSizes(rows);
  const first = rows[0]?.cells ?? {};
  const category = shared.get('category');
  const image = shared.get('image');
  const picture = image && requirePicture(image, around);
  const isActive =
    rows.every(({ cells }) => cells.active === undefined) ||
    rows.some(({ cells }) => cells.active === true);
  const places = rows.map((_, place) => place);
  const input = parsed(
    CreateProduct,
    {
      name: given('name') ?? '',
      description: given('description') ?? '',
      category: category?.value == null ? '' : categoryOf(category, around),
      unit: given('unit'),
      quantityAvailable: given('stock'),
      availability: given('availability') ?? 'counted',
      step: given('step') ?? null,
      isOrganic: given('organic') ?? false,
      isActive,
      harvestDate: given('harvestDate') ?? null,
      availableUntil: given('availableUntil') ?? null,
      allergens: allergensOf(given('allergens')) ?? 'unknown',
      images: picture ? [picture] : [],
      ...(inSizes
        ? { sizes: rows.map(({ cells }) => newSize(cells, isActive)) }
        : {
            price: first.price ?? undefined,
            minimum: first.minimum ?? null,
            sku: first.sku ?? null,
          }),
    },
    places,
  ) as CreateProduct;
  checked(() => {
    requireOfferedUnit(input.unit);
    requireSale(null, input);
    if (around.offerRefusal) throw around.offerRefusal;
  }, places);
  return {
    plan: {
      isNew: true,
      input: { ...input, images: [] },
      basis: null,
      ...(picture ? { image: picture } : {}),
    },
    rows: rows.map((row, place) => ({
      ...(described[place] as Described[number]),
      outcome: 'new' as const,
      cells: cellsOf(row.cells),
    })),
  };
}

function planChange(
  rows: readonly Row[],
  described: Described,
  { row: before, product }: StoredProduct,
  around: Surroundings,
): Planned {
  const shared = sharedOf(rows);
  const [now = {}] = rowsOf(product);
  const changes: NonNullable<ImportRow['cells']>[] = rows.map(() => []);
  /** Notes a cell that differs. Returns whether it does. */
  const differs = (
    place: number,
    column: ImportColumn,
    to: CellValue | undefined,
    from = now[column],
  ) => {
    if (to === undefined || isSameValue(to, from)) return false;
    changes[place]?.push({ column, from: showCell(from), to: showCell(to) });
    return true;
  };
  const input: Record<string, unknown> = {};
  const set = (
    column: ImportColumn,
    field: string,
    change = (value: CellValue): unknown => value,
  ) => {
    const said = shared.get(column);
    if (said && differs(said.place, column, said.value)) input[field] = change(said.value);
  };
  set('name', 'name');
  set('description', 'description');
  set('unit', 'unit');
  set('availability', 'availability');
  set('organic', 'isOrganic');
  set('harvestDate', 'harvestDate');
  set('availableUntil', 'availableUntil');
  set('allergens', 'allergens', allergensOf);
  const category = shared.get('category');
  if (category?.value != null) {
    const id = categoryOf(category, around, product.category?._id);
    if (id !== product.category?._id && differs(category.place, 'category', category.value)) {
      input.category = id;
    }
  }
  const image = shared.get('image');
  const picture =
    image && differs(image.place, 'image', image.value) ? requirePicture(image, around) : undefined;
  const isAlways = (input.availability ?? product.availability) === 'always';
  const stock = isAlways ? undefined : shared.get('stock');
  const isOtherStock =
    stock?.value != null &&
    differs(
      stock.place,
      'stock',
      stock.value,
      product.availability === 'always' ? null : product.quantityAvailable,
    );
  const inSizes = isInSizes(rows);
  if (!product.sizes && !inSizes) set('step', 'step');
  const places = inSizes
    ? changeSizes(rows, product, input, differs)
    : changePlain(rows[0] as Row, product, input, differs);

  if (changes.every((cells) => cells.length === 0)) {
    return {
      plan: null,
      rows: described.map((row) => ({ ...row, outcome: 'unchanged' as const })),
    };
  }
  const {
    quantityAvailable,
    images: _,
    ...others
  } = parsed(
    UpdateProduct,
    {
      ...input,
      ...(isOtherStock ? { quantityAvailable: stock.value } : {}),
      ...(picture ? { images: [picture] } : {}),
    },
    places,
  );
  checked(() => {
    if (others.unit !== undefined) requireOfferedUnit(others.unit);
    changedProductRow(before, { ...others, ...(isOtherStock ? { quantityAvailable } : {}) });
    if (others.isActive && around.offerRefusal) throw around.offerRefusal;
  }, places);
  return {
    plan: {
      isNew: false,
      input: others,
      basis: basisOf(product),
      ...(isOtherStock
        ? { stock: { was: Number(before.stockMilli), to: toMilli(Number(stock.value)) } }
        : {}),
      ...(picture === undefined ? {} : { image: picture }),
    },
    rows: described.map((row, place) => ({
      ...row,
      ...(changes[place]?.length
        ? { outcome: 'changed' as const, cells: changes[place] }
        : { outcome: 'unchanged' as const }),
    })),
  };
}
