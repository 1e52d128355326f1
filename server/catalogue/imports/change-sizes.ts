import type { ImportColumn } from '#contract/catalogue/imports/constants';
import type { Product, ProductSize } from '#contract/catalogue/products/product';
import { msg } from '#contract/platform/text/constants/texts';
import { type Cells, type CellValue, cellsOf } from './cells.ts';
import type { ReadGroup } from './group.ts';
import { Refusal } from './refusal.ts';

// What the rows of a product change in its price, its SKU and whether it is on the market: of the product itself, or
// of its sizes.

type Row = ReadGroup['rows'][number];

/** Notes a cell that differs. Returns whether it does. */
export type Differs = (
  place: number,
  column: ImportColumn,
  to: CellValue | undefined,
  from?: CellValue,
) => boolean;

/** Changes a product by a row that names no size. */
export function changePlain(
  { cells }: Row,
  product: Product,
  input: Record<string, unknown>,
  differs: Differs,
): number[] {
  const { price } = product;
  if (cells.price != null && differs(0, 'price', cells.price, price)) input.price = cells.price;
  if (!product.sizes && differs(0, 'minimum', cells.minimum, product.minimum ?? null)) {
    input.minimum = cells.minimum;
  }
  if (differs(0, 'sku', cells.sku, product.sku ?? null)) input.sku = cells.sku;
  if (differs(0, 'active', cells.active, product.isActive)) input.isActive = cells.active;
  return [0];
}

/**
 * Changes the sizes of a product: those that no row names stay, and new ones come last.
 * @returns the rows of its sizes
 */
export function changeSizes(
  rows: readonly Row[],
  product: Product,
  input: Record<string, unknown>,
  differs: Differs,
): number[] {
  const before = product.sizes ?? [];
  const sizes: (Omit<ProductSize, '_id' | 'sku' | 'minimum'> & Record<string, unknown>)[] = [
    ...before,
  ];
  const placeOf = new Map<number, number>();
  let isChanged = false;
  /** Rows of sizes that are there, by their places in the list. */
  const found = rows.map(({ cells }) =>
    before.findIndex((size) =>
      cells.sizeId == null ? size.label === cells.size : size._id === cells.sizeId,
    ),
  );
  const said = rows.map(({ cells }) => cells.active).filter((active) => active !== undefined);
  const areAllNamed = before.every((_, index) => found.includes(index));
  const isActive =
    said.includes(true) ||
    (said.length === rows.length && areAllNamed && said.length > 0 ? false : product.isActive);
  for (const [place, { cells }] of rows.entries()) {
    const index = found[place] ?? -1;
    if (index >= 0 && found.indexOf(index) < place) {
      throw new Refusal(
        place,
        'size',
        msg('Line {line, number} is about the same size already.', {
          line: rows[found.indexOf(index)]?.line ?? 0,
        }),
      );
    }
    const size = before[index];
    if (!size) {
      if (cells.sizeId != null) {
        throw new Refusal(
          place,
          'sizeId',
          msg('This product has no size with this id. Leave the cell empty to add one.'),
        );
      }
      placeOf.set(sizes.length, place);
      sizes.push(newSize(cells, isActive) as (typeof sizes)[number]);
      for (const { column, to } of cellsOf(cells)) {
        if (['size', 'content', 'price', 'sku', 'minimum'].includes(column))
          differs(place, column, to, null);
      }
      isChanged = true;
      continue;
    }
    const changed: Record<string, unknown> = { ...size };
    placeOf.set(index, place);
    const setSize = (column: ImportColumn, field: keyof ProductSize) => {
      const to = cells[column];
      if (
        to === undefined ||
        !differs(place, column, to, (size[field] as CellValue | undefined) ?? null)
      )
        return;
      changed[field] = to;
      isChanged = true;
    };
    if (cells.size != null) setSize('size', 'label');
    setSize('content', 'content');
    setSize('price', 'price');
    setSize('sku', 'sku');
    setSize('minimum', 'minimum');
    // While the product is off the market, so are its sizes, and what they are by themselves stays.
    const isOn = product.isActive && size.isActive;
    if (
      typeof cells.active === 'boolean' &&
      differs(place, 'active', cells.active, isOn) &&
      isActive
    ) {
      isChanged ||= size.isActive !== cells.active;
      changed.isActive = cells.active;
    } else if (isActive && !product.isActive && cells.active === false && size.isActive) {
      changed.isActive = false;
      isChanged = true;
    }
    sizes[index] = changed as (typeof sizes)[number];
  }
  if (isChanged) input.sizes = sizes;
  if (isActive !== product.isActive) input.isActive = isActive;
  return sizes.map((_, index) => placeOf.get(index) ?? 0);
}

/** Returns a size as a row has it. */
export const newSize = (cells: Cells, isOn: boolean) => ({
  label: cells.size ?? '',
  content: cells.content ?? undefined,
  price: cells.price ?? undefined,
  sku: cells.sku ?? null,
  minimum: cells.minimum ?? null,
  isActive: !isOn || cells.active !== false,
});
