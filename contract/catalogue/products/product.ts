import { ALLERGENS } from '#contract/catalogue/products/constants/allergens';
import { AVAILABILITIES } from '#contract/catalogue/products/constants/products';
import { Handoff } from '#contract/farm/farmers/farmers';
import { Address, Amount, Id, Instant, named, WallDate } from '#contract/platform/http/http';
import { z } from '#contract/platform/http/zod';
import { SOLD_BY } from '#contract/platform/quantities/constants/pieces';
import { UNITS } from '#contract/platform/quantities/constants/units';
import {
  NetContent,
  OrderedSize,
  PieceWeight,
  Quantity,
  UnitLabel,
} from '#contract/platform/quantities/quantity';
import { t } from '#contract/platform/text/constants/texts';

// A product as the wire has it.

export const Unit = z.enum(UNITS);
export type Unit = z.infer<typeof Unit>;

/** A size in which a product is sold: pieces of it, each of which takes `content` from the stock. */
export const ProductSize = OrderedSize.extend({
  /** Per piece. */
  price: Amount,
  sku: z.string().optional(),
  isActive: z.boolean(),
  /** The fewest pieces in an order; absent: one. */
  minimum: z.int().optional(),
}).meta({ id: 'ProductSize' });
export type ProductSize = z.infer<typeof ProductSize>;

/** Whether it has allergens: `unknown` where the farm does not say, which is never the same as `none`. */
export const Allergens = z.union([
  z.enum(['unknown', 'none']),
  z.array(z.enum(ALLERGENS)).min(1, { error: () => t('Choose which allergens it has.') }),
]);
export type Allergens = z.infer<typeof Allergens>;

export const Product = named('Product', {
  _id: Id,
  name: z.string(),
  description: z.string(),
  /** Null when its category was deleted: shown as 'General'. */
  category: z
    .object({
      _id: Id,
      name: z.string(),
      /** As of a category. */
      names: z.record(z.string(), z.string()).optional(),
      /** An emoji, which stands in for a missing picture; absent where the category has none. */
      icon: z.string().optional(),
    })
    .nullable(),
  /** Per unit. With `sizes` the lowest of those that are on. */
  price: Amount,
  unit: Unit,
  /** The farm's own words for what `each` counts; absent without. */
  unitLabel: UnitLabel.optional(),
  /** What one of what is counted contains; absent where the farm does not say. */
  net: NetContent.optional(),
  /** In which sizes it is sold, in the farm's order; absent: in its unit. Then it has no step and no minimum. */
  sizes: z.array(ProductSize).optional(),
  sku: z.string().optional(),
  /** With `piece_by_weight` all quantities of it count pieces, and the price is per unit of weight. */
  soldBy: z.enum(SOLD_BY),
  /** What a piece weighs; only with `piece_by_weight`. */
  pieceWeight: PieceWeight.optional(),
  /** Absent only in events that an older server recorded: counted. */
  availability: z.enum(AVAILABILITIES).optional(),
  /** Of what is always available 1,000,000, which is never shown. With `sizes` it is what all of them share. */
  quantityAvailable: Quantity,
  /** The most of it in one order, of what is always available; with `sizes` of all of them together. */
  maxPerOrder: Quantity.optional(),
  /** It is stocked and sold in multiples of this; absent: in whole units. */
  step: Quantity.optional(),
  /** The smallest quantity of it in an order, a multiple of the step; absent: one step. */
  minimum: Quantity.optional(),
  /** The first is the card's. */
  images: z.array(z.string()),
  isOrganic: z.boolean(),
  /** Absent only in events that an older server recorded: unknown. */
  allergens: Allergens.optional(),
  ingredients: z.string().optional(),
  storage: z.string().optional(),
  origin: z.string().optional(),
  harvestDate: WallDate.nullable(),
  availableUntil: WallDate.nullable(),
  isActive: z.boolean(),
  /** When it is in stock again by itself; absent where that is not so. */
  returnsAt: Instant.optional(),
  /** Why an admin has hidden it. It is inactive until an admin shows it again. */
  hiddenReason: z.string().optional(),
  farmer: z.object({
    _id: Id,
    name: z.string(),
    farmName: z.string(),
    address: Address,
    /** Absent only in events that an older server recorded. */
    handoff: Handoff.optional(),
    /** Nobody but its people and admins finds it or its products yet; absent otherwise. */
    isDraft: z.literal(true).optional(),
  }),
  createdAt: Instant,
  /** Grows with each change, stock included. */
  version: z.int(),
});
export type Product = z.infer<typeof Product>;

/** What everyone but its farmer and admins receives when a product becomes inactive. */
export const HiddenProduct = named('HiddenProduct', {
  _id: Id,
  isActive: z.literal(false),
  version: z.int(),
});
export type HiddenProduct = z.infer<typeof HiddenProduct>;

/** How a product was sold when the consumer saw its price. */
export const PriceBasis = named('PriceBasis', {
  /** What the price is per. */
  unit: Unit,
  /** What a piece weighs, of goods that are sold by the piece and priced by weight; absent for all others. */
  pieceWeight: PieceWeight.pick({ average: true }).optional(),
  /** What a piece of the size contains, in units of the stock; absent without one. */
  content: Quantity.optional(),
});

export type PriceBasis = z.infer<typeof PriceBasis>;
