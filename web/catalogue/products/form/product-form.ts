import { useState } from 'react';
import type { Product, Unit } from '#contract/catalogue/products/product';
import { ProductFields, type UpdateProduct } from '#contract/catalogue/products/product-fields';
import type { z } from '#contract/platform/http/zod';
import { theMarket } from '#contract/platform/market/constants';
import { hasSameStep } from '#contract/platform/quantities/constants/steps';
import { UNITS } from '#contract/platform/quantities/constants/units';
import { fitsSteps } from '#contract/platform/quantities/quantity';
import { t } from '#contract/platform/text/constants/texts';
import { VersionedEdit } from '../../../platform/queries/versioned-edit.ts';
import { useUpdateProduct } from '../commands.ts';

const Fields = ProductFields.safeExtend({
  quantityAvailable: ProductFields.shape.quantityAvailable.refine((quantity) => quantity > 0, {
    error: () => t('Valid quantity is required'),
  }),
});
export type ProductInput = z.output<typeof Fields>;
/** The values of the form's fields. */
export type ProductFormInput = z.input<typeof Fields>;

/** What a product has before its form is saved, as far as its stock may stay as it is; undefined of a new one. */
type StockBefore = {
  [Name in 'quantityAvailable' | 'step' | 'soldBy']: ProductInput[Name] | undefined;
};

/**
 * Returns the schema of the form: as on the server, but a stock of 0 counts as missing. The stock that the product has
 * already is taken in the steps and the way of counting that it has, as the server takes it.
 */
export const productInput = (before: StockBefore) =>
  Fields.superRefine(
    fitsSteps(
      (input) =>
        input.quantityAvailable === before.quantityAvailable &&
        hasSameStep(input, before) &&
        input.soldBy === before.soldBy,
    ),
  );

/** Returns the units in which a product can be offered here; that in which it is or the last one was offered is first. */
export const offeredUnits = (first?: Unit): Unit[] => [
  ...(first ? [first] : []),
  ...UNITS.filter((unit) => theMarket().units.includes(unit) && unit !== first),
];

/** What a new product probably shares with the one before it. */
export type LastProduct = Pick<ProductInput, 'category' | 'unit'>;

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
  images: [],
  isOrganic: false,
  harvestDate: null,
  availableUntil: null,
  isActive: true,
});

/** Returns the form values of a product. */
export function toInput(product: Product): ProductInput {
  const { name, description, price, unit, quantityAvailable, images, isOrganic } = product;
  const { harvestDate, availableUntil, isActive, pieceWeight } = product;
  return {
    name,
    description,
    category: product.category?._id ?? '',
    price,
    unit,
    soldBy: pieceWeight ? 'piece_by_weight' : 'unit',
    pieceWeight: pieceWeight
      ? { ...pieceWeight, min: pieceWeight.min ?? null, max: pieceWeight.max ?? null }
      : null,
    quantityAvailable,
    step: product.step ?? null,
    minimum: product.minimum ?? null,
    images,
    isOrganic,
    harvestDate,
    availableUntil,
    isActive,
  };
}

/** As on the server. */
const PRODUCT_NAME_MAX = 120;

/** Returns the form values of a copy of a product, which gets a name of its own. */
export function copyOf(product: Product): ProductInput {
  // In two parts, because a name must not contain the signs that set it apart in a sentence.
  const mark = ` ${t('(copy)')}`;
  const name = `${product.name.slice(0, PRODUCT_NAME_MAX - mark.length)}${mark}`;
  return { ...toInput(product), name, isActive: true };
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
    edit.follow({ quantityAvailable: product.quantityAvailable });
    return edit.save(input, async (values, before, expectedVersion) => {
      const changes = changesOf(values, before);
      return (await update.mutateAsync({ ...changes, expectedVersion })).data;
    });
  };
}
