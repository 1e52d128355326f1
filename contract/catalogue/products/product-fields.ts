import {
  isPriceInRange,
  tooHigh,
  tooManyDecimals,
} from '#contract/catalogue/products/constants/prices';
import {
  AVAILABILITIES,
  IMAGES_MAX,
  INGREDIENTS_MAX,
  ORIGIN_MAX,
  STORAGE_MAX,
} from '#contract/catalogue/products/constants/products';
import { Allergens } from '#contract/catalogue/products/product';
import {
  Day,
  ExpectedVersion,
  Id,
  idField,
  isOnceBy,
  oneLine,
  optionalLine,
  requiredText,
  text,
} from '#contract/platform/http/http';
import { z } from '#contract/platform/http/zod';
import { fitsCurrency } from '#contract/platform/money/constants';
import { SOLD_BY, type SoldBy } from '#contract/platform/quantities/constants/pieces';
import { toMilli } from '#contract/platform/quantities/constants/quantities';
import { SIZE_LABEL_MAX, SIZES_MAX, SKU_MAX } from '#contract/platform/quantities/constants/sizes';
import {
  NET_UNITS,
  QUANTITY_MAX,
  UNIT_LABEL_MAX,
  UNITS,
} from '#contract/platform/quantities/constants/units';
import {
  EnteredPieceWeight,
  fitsSteps,
  Minimum,
  OrderedQuantity,
  Step,
  Stock,
} from '#contract/platform/quantities/quantity';
import { t } from '#contract/platform/text/constants/texts';
import { ImageUrl } from '#contract/platform/uploads/uploads';

// What a farm enters of a product.

const noPrice = { error: () => t('Valid price is required') };

const Price = z
  .number(noPrice)
  .positive(noPrice)
  .refine(isPriceInRange, { error: tooHigh })
  .refine(fitsCurrency, { error: tooManyDecimals })
  .meta({ description: "At most 2,000,000,000 of the currency's smallest unit." });

/** Unique within the farm. */
const Sku = optionalLine(SKU_MAX);

const EnteredUnitLabel = z.object({
  one: oneLine(UNIT_LABEL_MAX, () => t('Enter the word for one.')),
  other: oneLine(UNIT_LABEL_MAX, () => t('Enter the word for several.')),
});

const EnteredNet = z.object({
  amount: OrderedQuantity,
  unit: z.enum(NET_UNITS, { error: () => t('Choose a unit from the list.') }),
});

/** A size as a farmer enters it; one without an id is new. */
const EnteredSize = z.object({
  _id: Id.optional(),
  label: oneLine(SIZE_LABEL_MAX, () => t('Name each size.')),
  content: OrderedQuantity,
  price: Price,
  sku: Sku.nullable().optional(),
  isActive: z.boolean().default(true),
  minimum: z
    .int({ error: () => t('Enter a whole number.') })
    .min(1, { error: () => t('Enter a number above 0.') })
    .max(QUANTITY_MAX, { error: () => t('Enter at most {max, number}.', { max: QUANTITY_MAX }) })
    .nullable()
    .optional(),
});

type EnteredSize = z.infer<typeof EnteredSize>;

/** All sizes of a product, in their order. */
const EnteredSizes = z
  .array(EnteredSize)
  .max(SIZES_MAX, {
    error: () =>
      t('A product has at most {most, plural, one {# size} other {# sizes}}.', { most: SIZES_MAX }),
  })
  .refine((sizes) => isOnceBy('_id')(sizes.flatMap(({ _id }) => (_id ? { _id } : []))), {
    error: () => t('List each size only once.'),
  })
  .refine((sizes) => sizes.length === 0 || sizes.some(({ isActive }) => isActive), {
    error: () => t('Keep at least one size on, or take the product off the market.'),
  })
  .superRefine((sizes, context) => {
    const say = (index: number, field: keyof EnteredSize, message: string) =>
      context.addIssue({ code: 'custom', path: [index, field], message });
    for (const [index, { label, sku, content, minimum }] of sizes.entries()) {
      const before = sizes.slice(0, index);
      if (before.some((other) => other.label === label)) {
        say(index, 'label', t('Give each size another name.'));
      }
      if (sku && before.some((other) => other.sku === sku)) {
        say(index, 'sku', t('Give each size another SKU.'));
      }
      if (toMilli(content) * (minimum ?? 1) > toMilli(QUANTITY_MAX)) {
        const most = t('The smallest order of a size is more than an order can have.');
        say(index, minimum ? 'minimum' : 'content', most);
      }
    }
  });

const fields = {
  name: oneLine(120, () => t('Product name is required')),
  description: requiredText(5000, () => t('Description is required')),
  category: idField(() => t('Category is required')),
  price: Price,
  unit: z.enum(UNITS, { error: () => t('Unit is required') }),
  /** Absent: by what `pieceWeight` says. */
  soldBy: z.enum(SOLD_BY).optional(),
  /** What a piece weighs; null for what is not sold by the piece and priced by weight. */
  pieceWeight: EnteredPieceWeight.nullable(),
  quantityAvailable: Stock,
  step: Step,
  minimum: Minimum,
  /** Null or nothing for what is sold in its unit. */
  sizes: EnteredSizes.nullable(),
  availability: z.enum(AVAILABILITIES, { error: () => t('Choose how much of it there is.') }),
  /** Only of what is always available. */
  maxPerOrder: OrderedQuantity.nullable(),
  unitLabel: EnteredUnitLabel.nullable(),
  net: EnteredNet.nullable(),
  sku: Sku.nullable(),
  allergens: Allergens,
  ingredients: text(INGREDIENTS_MAX),
  storage: text(STORAGE_MAX),
  origin: text(ORIGIN_MAX),
  images: z.array(ImageUrl).max(IMAGES_MAX, {
    error: () =>
      t('Upload up to {most, plural, one {# image} other {# images}}', { most: IMAGES_MAX }),
  }),
  isOrganic: z.boolean(),
  harvestDate: Day.nullable(),
  availableUntil: Day.nullable(),
  isActive: z.boolean(),
};

const inOrder = (input: {
  harvestDate?: string | null | undefined;
  availableUntil?: string | null | undefined;
}) => !input.harvestDate || !input.availableUntil || input.harvestDate <= input.availableUntil;
const outOfOrder = {
  path: ['availableUntil'],
  error: () => t("The last day can't be before the harvest."),
};

/** Adds what is contradictory in how a product is sold: pieces without a weight, or a weight without pieces. */
function hasOnePrice(
  { soldBy, pieceWeight }: { soldBy?: SoldBy | undefined; pieceWeight?: unknown },
  context: z.RefinementCtx,
): void {
  if (soldBy === 'piece_by_weight' && pieceWeight === null) {
    context.addIssue({
      code: 'custom',
      path: ['pieceWeight', 'average'],
      message: t('Enter what a piece weighs on average.'),
    });
  }
  if (soldBy === 'unit' && pieceWeight) {
    context.addIssue({
      code: 'custom',
      path: ['soldBy'],
      message: t('Only what is sold by the piece and priced by weight has a weight of a piece.'),
    });
  }
}

/** Adds that a product has no price: that of its sizes, where it has some, else one of its own. */
function isPriced(
  { price, sizes }: { price?: number | undefined; sizes?: readonly unknown[] | null | undefined },
  context: z.RefinementCtx,
): void {
  if (price === undefined && !sizes?.length) {
    context.addIssue({ code: 'custom', path: ['price'], message: t('Valid price is required') });
  }
}

/** The fields of a new product, without what {@link CreateProduct} checks of steps and stock. */
export const ProductFields = z
  .object({
    ...fields,
    step: Step.default(null),
    minimum: Minimum.default(null),
    pieceWeight: fields.pieceWeight.default(null),
    /** With sizes absent, or the lowest of those that are on. */
    price: Price.optional(),
    sizes: fields.sizes.default(null),
    availability: fields.availability.default('counted'),
    /** Absent only of what is always available. */
    quantityAvailable: Stock.optional(),
    maxPerOrder: fields.maxPerOrder.default(null),
    unitLabel: fields.unitLabel.default(null),
    net: fields.net.default(null),
    sku: fields.sku.default(null),
    allergens: Allergens.default('unknown'),
    ingredients: fields.ingredients.default(''),
    storage: fields.storage.default(''),
    origin: fields.origin.default(''),
    images: fields.images.default([]),
    isOrganic: fields.isOrganic.default(false),
    harvestDate: fields.harvestDate.default(null),
    availableUntil: fields.availableUntil.default(null),
    isActive: fields.isActive.default(true),
  })
  .refine(inOrder, outOfOrder)
  .superRefine(hasOnePrice)
  .superRefine(isPriced);

export const CreateProduct = ProductFields.superRefine(fitsSteps());
export type CreateProduct = z.infer<typeof CreateProduct>;

/** Fields left out keep what they were; steps and stock are checked together with these. */
export const UpdateProduct = z
  .object(fields)
  .partial()
  .extend({ expectedVersion: ExpectedVersion })
  .refine(inOrder, outOfOrder)
  .superRefine(hasOnePrice);
export type UpdateProduct = z.infer<typeof UpdateProduct>;
