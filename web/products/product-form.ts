import type { z } from 'zod';
import { CreateProduct, type Product, type UpdateProduct } from '#contract/products';

/** What the form takes: as the server does, but none in stock counts as missing. */
export const ProductInput = CreateProduct.safeExtend({
  quantityAvailable: CreateProduct.shape.quantityAvailable.refine(
    (quantity) => quantity > 0,
    'Valid quantity is required',
  ),
});
export type ProductInput = z.output<typeof ProductInput>;

/** A form for a new product: as a farmer finds it. */
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

/** A product as the form's fields hold it. */
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

/**
 * What of the input differs from the product as the form was opened with it. Nothing else is sent:
 * stock that was sold meanwhile must not come back.
 */
export function changesOf(input: ProductInput, opened: ProductInput): UpdateProduct {
  const names = Object.keys(input) as (keyof ProductInput)[];
  const changed = names.filter(
    (name) => JSON.stringify(input[name]) !== JSON.stringify(opened[name]),
  );
  return Object.fromEntries(changed.map((name) => [name, input[name]]));
}
