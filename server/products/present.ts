import { fromMinor } from '#contract/platform';
import type { Product } from '#contract/products';
import type { Prisma } from '../../prisma/generated/client.ts';

/** What a product row must bring to be presented. */
export const productInclude = {
  category: { select: { id: true, name: true } },
  farmer: {
    select: {
      id: true,
      name: true,
      street: true,
      city: true,
      state: true,
      zipCode: true,
      farm: { select: { farmName: true } },
    },
  },
} as const satisfies Prisma.ProductInclude;

export type ProductRow = Prisma.ProductGetPayload<{ include: typeof productInclude }>;

/** A date column as `YYYY-MM-DD`, or null. */
export const presentDate = (date: Date | null): string | null =>
  date?.toISOString().slice(0, 10) ?? null;

/** A product as everyone sees it. */
export function presentProduct(row: ProductRow): Product {
  const { farmer } = row;
  return {
    _id: row.id,
    name: row.name,
    description: row.description,
    category: row.category && { _id: row.category.id, name: row.category.name },
    price: fromMinor(row.priceMinor),
    unit: row.unit,
    quantityAvailable: row.quantityAvailable,
    images: row.images,
    isOrganic: row.isOrganic,
    harvestDate: presentDate(row.harvestDate),
    availableUntil: presentDate(row.availableUntil),
    isActive: row.isActive,
    farmer: {
      _id: farmer.id,
      name: farmer.name,
      farmName: farmer.farm?.farmName ?? '',
      address: {
        street: farmer.street,
        city: farmer.city,
        state: farmer.state,
        zipCode: farmer.zipCode,
      },
    },
    createdAt: row.createdAt.toISOString(),
    version: row.version,
  };
}
