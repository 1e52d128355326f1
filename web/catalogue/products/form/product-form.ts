import { useState } from 'react';
import type { Product, ProductSize, Unit } from '#contract/catalogue/products/product';
import { ProductFields, type UpdateProduct } from '#contract/catalogue/products/product-fields';
import { z } from '#contract/platform/http/zod';
import { theMarket } from '#contract/platform/market/constants';
import { formatQuantity } from '#contract/platform/quantities/constants/quantities';
import { SIZE_LABEL_MAX } from '#contract/platform/quantities/constants/sizes';
import { hasSameStep } from '#contract/platform/quantities/constants/steps';
import { type CountedUnit, UNITS } from '#contract/platform/quantities/constants/units';
import { fitsSteps, isCountedUnit, OrderedQuantity } from '#contract/platform/quantities/quantity';
import { t } from '#contract/platform/text/constants/texts';
import { ApiError } from '../../../platform/api/api-error.ts';
import { VersionedEdit } from '../../../platform/queries/versioned-edit.ts';
import type { AppForm } from '../../../platform/ui/form/form.tsx';
import { useUpdateProduct } from '../commands.ts';

const Fields = ProductFields.safeExtend({
  // A stock of 0 counts as missing.
  quantityAvailable: ProductFields.shape.quantityAvailable.refine((quantity) => quantity !== 0, {
    error: () => t('Valid quantity is required'),
  }),
}).superRefine(isComplete, { when: () => true });
export type ProductInput = z.output<typeof Fields>;
/** The values of the form's fields. */
export type ProductFormInput = z.input<typeof Fields>;
export type ProductFormOf = AppForm<ProductFormInput, ProductInput>;
/** A size in the form. */
export type SizeInput = NonNullable<ProductFormInput['sizes']>[number];

/** Adds which numbers are missing, beside everything else that is. */
function isComplete(
  { sizes, price, availability, quantityAvailable }: Partial<ProductInput>,
  context: z.RefinementCtx,
): void {
  if (!sizes?.length && price === undefined) {
    context.addIssue({ code: 'custom', path: ['price'], message: t('Valid price is required') });
  }
  if (availability !== 'always' && quantityAvailable === undefined) {
    context.addIssue({
      code: 'custom',
      path: ['quantityAvailable'],
      message: t('Valid quantity is required'),
    });
  }
}

/** Which fields a product has by what it is so far: the others are hidden, and say nothing. */
export function shownFields({
  sizes,
  availability,
  soldBy,
  unit,
}: Pick<Partial<ProductFormInput>, 'sizes' | 'availability' | 'soldBy' | 'unit'>) {
  const [isSized, isByPiece] = [Boolean(sizes?.length), soldBy === 'piece_by_weight'];
  return {
    price: !isSized,
    step: !isSized && !isByPiece,
    minimum: !isSized,
    quantityAvailable: availability !== 'always',
    maxPerOrder: availability === 'always',
    unitLabel: unit === 'each' && !isByPiece,
    net: unit !== undefined && isCountedUnit(unit) && !isByPiece,
  };
}

/** Returns in what the stock of a product is counted. */
export const unitOf = ({ unit, unitLabel }: Pick<ProductFormInput, 'unit' | 'unitLabel'>) =>
  unit === 'each' && unitLabel?.one && unitLabel.other ? unitLabel : unit;

/** Returns a size that is not filled in yet; the first of a product has the price that the product had. */
export function newSize(unit?: CountedUnit, price?: number): SizeInput {
  const content = unit === undefined ? undefined : 1;
  const label = unit === undefined ? '' : labelOf(1, unit);
  // A field is empty without a number.
  return { label, content, price, isActive: true, sku: '', minimum: null } as unknown as SizeInput;
}

/** Returns the name of a size that has so much in it: '5 kg'; none of pieces without a word. */
export function labelOf(content: number | null | undefined, unit: CountedUnit): string {
  const { data } = OrderedQuantity.safeParse(content);
  if (data === undefined || unit === 'each') return '';
  return formatQuantity(data, unit).replace(MARKS, '').slice(0, SIZE_LABEL_MAX);
}

/** The marks that keep a name apart in a sentence of the other direction. */
const MARKS = /[\u2066-\u2069]/g;

/** Returns the values without those of hidden fields, which stay in the form in case they are shown again. */
function shownValues(input: ProductFormInput): ProductFormInput {
  const shown = shownFields(input);
  return {
    ...input,
    sizes: input.sizes?.length ? input.sizes : null,
    price: shown.price ? input.price : undefined,
    step: shown.step ? input.step : null,
    minimum: shown.minimum ? input.minimum : null,
    quantityAvailable: shown.quantityAvailable ? input.quantityAvailable : undefined,
    maxPerOrder: shown.maxPerOrder ? input.maxPerOrder : null,
    unitLabel: shown.unitLabel ? input.unitLabel : null,
    net: shown.net ? input.net : null,
  };
}

/** What a product has before its form is saved, as far as its stock may stay as it is; undefined of a new one. */
type StockBefore = {
  [Name in 'quantityAvailable' | 'step' | 'soldBy' | 'sizes']: ProductInput[Name] | undefined;
};

/**
 * Returns the schema of the form: as on the server, but a stock of 0 counts as missing. The stock that the product has
 * already is taken in the steps and the way of counting that it has, as the server takes it.
 */
export const productInput = (before: StockBefore) =>
  z
    .custom<ProductFormInput>()
    .transform(shownValues)
    .pipe(
      Fields.superRefine(
        fitsSteps(
          (input) =>
            input.quantityAvailable === before.quantityAvailable &&
            hasSameStep(input, before) &&
            !input.sizes === !before.sizes &&
            input.soldBy === before.soldBy,
        ),
      ),
    );

/** Returns the units in which a product can be offered here; that in which it is or the last one was offered is first. */
export const offeredUnits = (first?: Unit): Unit[] => [
  ...(first ? [first] : []),
  ...UNITS.filter((unit) => theMarket().units.includes(unit) && unit !== first),
];

/** Returns a refusal with the field that it is about, where the server says only what it is. */
export function atItsField(error: unknown, input: ProductInput, opened?: ProductInput): unknown {
  if (!(error instanceof ApiError)) return error;
  const { message, status, code, errors, details } = error;
  const at = (...paths: string[]) =>
    new ApiError(message, {
      status,
      code,
      details,
      errors: paths.map((path) => ({ path, message })),
      cause: error,
    });
  if (code === 'SIZES_BY_WEIGHT') return at(input.sizes ? 'sizes' : 'soldBy');
  if (code !== 'SKU_TAKEN' || errors.some(({ path }) => path !== 'sku')) return error;
  const known = new Set([opened?.sku, ...(opened?.sizes ?? []).map(({ sku }) => sku)]);
  const paths = (input.sizes ?? []).flatMap(({ sku }, index) =>
    sku && !known.has(sku) ? [`sizes.${index}.sku`] : [],
  );
  return at(...(input.sku && !known.has(input.sku) ? ['sku'] : []), ...paths);
}

/** What a new product probably shares with the one before it. */
export type LastProduct = Pick<ProductInput, 'category' | 'unit'>;

/** What a product has unless its farm says more. */
const PLAIN = {
  sizes: null,
  availability: 'counted' as const,
  maxPerOrder: null,
  unitLabel: null,
  net: null,
  sku: '',
  allergens: 'unknown' as const,
  ingredients: '',
  storage: '',
  origin: '',
};

/** Returns the default values for a new product. */
export const emptyProduct = (last?: LastProduct) => ({
  name: '',
  description: '',
  category: last?.category ?? '',
  unit: offeredUnits().find((unit) => unit === last?.unit) ?? offeredUnits()[0] ?? ('lb' as const),
  soldBy: 'unit' as const,
  pieceWeight: null,
  step: null,
  minimum: null,
  ...PLAIN,
  images: [],
  isOrganic: false,
  harvestDate: null,
  availableUntil: null,
  isActive: true,
});

/** Returns the form values of a product. */
export function toInput(product: Product): ProductInput {
  const { name, description, price, unit, quantityAvailable, images, isOrganic } = product;
  const { harvestDate, availableUntil, isActive, pieceWeight, sizes } = product;
  const isAlways = product.availability === 'always';
  return {
    name,
    description,
    category: product.category?._id ?? '',
    price: sizes ? undefined : price,
    unit,
    soldBy: pieceWeight ? 'piece_by_weight' : 'unit',
    pieceWeight: pieceWeight
      ? {
          average: pieceWeight.average,
          min: pieceWeight.min ?? null,
          max: pieceWeight.max ?? null,
        }
      : null,
    quantityAvailable: isAlways ? undefined : quantityAvailable,
    step: product.step ?? null,
    minimum: product.minimum ?? null,
    sizes: sizes?.map(toSizeInput) ?? null,
    availability: isAlways ? 'always' : 'counted',
    maxPerOrder: product.maxPerOrder ?? null,
    unitLabel: product.unitLabel ?? null,
    net: product.net ?? null,
    sku: product.sku ?? '',
    allergens: product.allergens ?? 'unknown',
    ingredients: product.ingredients ?? '',
    storage: product.storage ?? '',
    origin: product.origin ?? '',
    images,
    isOrganic,
    harvestDate,
    availableUntil,
    isActive,
  };
}

/** Returns a size as the form has it. */
const toSizeInput = ({ _id, label, content, price, sku, isActive, minimum }: ProductSize) => ({
  _id,
  label,
  content,
  price,
  sku: sku ?? '',
  isActive,
  minimum: minimum ?? null,
});

/** As on the server. */
const PRODUCT_NAME_MAX = 120;

/** Returns the form values of a copy of a product, which gets a name of its own. */
export function copyOf(product: Product): ProductInput {
  // In two parts, because a name must not contain the signs that set it apart in a sentence.
  const mark = ` ${t('(copy)')}`;
  const name = `${product.name.slice(0, PRODUCT_NAME_MAX - mark.length)}${mark}`;
  const { sizes, ...input } = toInput(product);
  return {
    ...input,
    name,
    isActive: true,
    // A farm has a SKU once, and ids of sizes are those of one product.
    sku: '',
    sizes: sizes?.map(({ _id, ...size }) => ({ ...size, sku: '' })) ?? null,
  };
}

/**
 * Returns the fields that differ from the values with which the form was opened. Only these are sent,
 * so that stock sold since then is not restored.
 */
export function changesOf(input: ProductInput, opened: ProductInput): UpdateProduct {
  const names = Object.keys(input) as (keyof ProductInput)[];
  const changed = names.filter(
    (name) => JSON.stringify(input[name]) !== JSON.stringify(opened[name]),
  );
  return Object.fromEntries(changed.map((name) => [name, input[name]]));
}

/**
 * Returns a function that saves what was changed in the form of a product, over what others have changed
 * since the form was opened. The stock replaces the one that the page shows.
 */
export function useSaveProduct(product: Product): (input: ProductInput) => Promise<Product> {
  const [edit] = useState(() => new VersionedEdit(product, toInput));
  const update = useUpdateProduct(product._id);
  return (input) => {
    edit.follow({ quantityAvailable: toInput(product).quantityAvailable });
    return edit.save(input, async (values, before, expectedVersion) => {
      const changes = changesOf(values, before);
      return (await update.mutateAsync({ ...changes, expectedVersion })).data;
    });
  };
}
