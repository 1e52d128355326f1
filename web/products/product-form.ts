import { CreateProduct, type Product, type UpdateProduct } from '#contract/products';
import type { z } from '#contract/zod';

/** The schema of the form: as on the server, but a stock of 0 counts as missing. */
export const ProductInput = CreateProduct.safeExtend({
  quantityAvailable: CreateProduct.shape.quantityAvailable.refine(
    (quantity) => quantity > 0,
    'Valid quantity is required',
  ),
});
export type ProductInput = z.output<typeof ProductInput>;

/** The default values for a new product. */
export const EMPTY_PRODUCT = {
  name: '',
  description: '',
  category: '',
  unit: 'lb',
  images: [],
  isOrganic: false,
  harvestDate: null,
  availableUntil: null,
  isActive: true,
} as const;

/** Returns the form values of a product. */
export function toInput(product: Product): ProductInput {
  const { name, description, price, unit, quantityAvailable, images, isOrganic } = product;
  const { harvestDate, availableUntil, isActive } = product;
  return {
    name,
    description,
    category: product.category?._id ?? '',
    price,
    unit,
    quantityAvailable,
    images,
    isOrganic,
    harvestDate,
    availableUntil,
    isActive,
  };
}

/** Returns the form values of a copy of a product, which gets a name of its own. */
export function copyOf(product: Product): ProductInput {
  return { ...toInput(product), name: `${product.name.slice(0, 113)} (copy)`, isActive: true };
}

/**
 * Returns the fields that differ from the values with which the form was opened. Only these are sent,
 * so that stock sold meanwhile is not restored.
 */
export function changesOf(input: ProductInput, opened: ProductInput): UpdateProduct {
  const names = Object.keys(input) as (keyof ProductInput)[];
  const changed = names.filter(
    (name) => JSON.stringify(input[name]) !== JSON.stringify(opened[name]),
  );
  return Object.fromEntries(changed.map((name) => [name, input[name]]));
}
