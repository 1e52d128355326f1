import type { Product, Unit } from '#contract/catalogue/products/product';
import { fromMinor } from '#contract/platform/money/constants';
import type { PieceWeightRange } from '#contract/platform/quantities/constants/pieces';
import { fromMilli, toMilli } from '#contract/platform/quantities/constants/quantities';
import { stepsOf } from '#contract/platform/quantities/constants/steps';
import type { PieceWeight } from '#contract/platform/quantities/quantity';
import type { Prisma } from '../../../prisma/generated/client.ts';
import { type ApprovedRow, isDraftFarm } from '../../farm/farmers/policy.ts';
import { type HandoffRow, handoffFields, presentHandoff } from '../../farm/farmers/present.ts';

/** What a product read by Prisma must bring to be presented; statements read `PRODUCT_COLUMNS`. */
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
      farm: {
        select: {
          farmName: true,
          acceptsPickup: true,
          acceptsDelivery: true,
          deliveryRadius: true,
          cutoffDaysBefore: true,
          cutoffTime: true,
          closedDays: true,
          bookableDays: true,
          businessHours: true,
          pickupOpenings: true,
          timeZone: true,
          approvedAt: true,
        },
      },
    },
  },
} as const satisfies Prisma.ProductInclude;

/** A product with its category, farmer and farm, from wherever it was read: JSON has dates as texts. */
export interface ProductRow {
  id: string;
  name: string;
  description: string;
  priceMinor: number;
  unit: Unit;
  stockMilli: number | bigint;
  asideMilli: number | bigint | null;
  returnsAt: Date | string | null;
  stepMilli: number | null;
  minimumMilli: number | null;
  pieceMilli: number | null;
  pieceMinMilli: number | null;
  pieceMaxMilli: number | null;
  images: string[];
  isOrganic: boolean;
  harvestDate: Date | string | null;
  availableUntil: Date | string | null;
  isActive: boolean;
  hiddenReason: string | null;
  createdAt: Date | string;
  version: number;
  category: { id: string; name: string } | null;
  farmer: {
    id: string;
    name: string;
    street: string;
    city: string;
    state: string;
    zipCode: string;
    farm: ({ farmName: string } & HandoffRow & ApprovedRow) | null;
  };
}

/** The columns of a {@link ProductRow}, from {@link PRODUCT_SOURCE}. */
export const PRODUCT_COLUMNS = `p.id, p.name, p.description, p.price_minor AS "priceMinor", p.unit,
  p.stock_milli AS "stockMilli", p.aside_milli AS "asideMilli", p.returns_at AS "returnsAt", p.step_milli AS "stepMilli", p.minimum_milli AS "minimumMilli",
  p.piece_milli AS "pieceMilli", p.piece_min_milli AS "pieceMinMilli", p.piece_max_milli AS "pieceMaxMilli", p.images, p.is_organic AS "isOrganic",
  p.harvest_date AS "harvestDate", p.available_until AS "availableUntil",
  p.is_active AS "isActive", p.hidden_reason AS "hiddenReason", p.created_at AS "createdAt", p.version,
  CASE WHEN category.id IS NOT NULL
    THEN json_build_object('id', category.id, 'name', category.name) END AS category,
  json_build_object(
    'id', farmer.id, 'name', farmer.name, 'street', farmer.street, 'city', farmer.city,
    'state', farmer.state, 'zipCode', farmer.zip_code,
    'farm', CASE WHEN farm.user_id IS NOT NULL
      THEN json_build_object('farmName', farm.farm_name, 'approvedAt', farm.approved_at,
        ${handoffFields('farm')}) END) AS farmer`;

/** Where {@link PRODUCT_COLUMNS} are selected from. */
export const PRODUCT_SOURCE = `products p
  JOIN users farmer ON farmer.id = p.farmer_id
  LEFT JOIN farmer_profiles farm ON farm.user_id = p.farmer_id
  LEFT JOIN categories category ON category.id = p.category_id`;

/** A date column as `YYYY-MM-DD`, or null. */
export const presentDate = (date: Date | string | null): string | null =>
  date instanceof Date ? date.toISOString().slice(0, 10) : date;

/** The columns that say how much of a product can be ordered. */
export type StockedRow = Pick<ProductRow, 'stockMilli' | 'stepMilli' | 'minimumMilli'>;

/** Presents the stock of a product and the steps in which it is sold, as far as it has any. */
export const presentStocked = ({ stockMilli, stepMilli, minimumMilli }: StockedRow) => ({
  quantityAvailable: fromMilli(stockMilli),
  ...stepsOf({
    step: stepMilli === null ? null : fromMilli(stepMilli),
    minimum: minimumMilli === null ? null : fromMilli(minimumMilli),
  }),
});

/** The columns that say what one piece weighs; all null where goods are not priced by weight. */
export type PieceRow = Pick<ProductRow, 'pieceMilli' | 'pieceMinMilli' | 'pieceMaxMilli'>;

/** Presents the weight of a piece; undefined where there is none. */
export const presentPieceWeight = ({
  pieceMilli,
  pieceMinMilli,
  pieceMaxMilli,
}: PieceRow): PieceWeight | undefined =>
  pieceMilli === null
    ? undefined
    : {
        average: fromMilli(pieceMilli),
        ...(pieceMinMilli === null ? {} : { min: fromMilli(pieceMinMilli) }),
        ...(pieceMaxMilli === null ? {} : { max: fromMilli(pieceMaxMilli) }),
      };

/** Returns the weight of a piece as the database has it. */
export const toPieceRow = (weight: PieceWeightRange | null): PieceRow => ({
  pieceMilli: weight && toMilli(weight.average),
  pieceMinMilli: toMilliOrNull(weight?.min ?? null),
  pieceMaxMilli: toMilliOrNull(weight?.max ?? null),
});

/** Returns a quantity of the wire in thousandths of the unit, null for none. */
export const toMilliOrNull = (quantity: number | null): number | null =>
  quantity === null ? null : toMilli(quantity);

/** Returns what says who may see a product. */
export const visibilityOf = ({ farmer, isActive }: Pick<ProductRow, 'farmer' | 'isActive'>) => ({
  farmerId: farmer.id,
  isActive,
  isFarmDraft: isDraftFarm(farmer.farm),
});

/** A product as everyone sees it. */
export function presentProduct(row: ProductRow): Product {
  const { farmer } = row;
  const pieceWeight = presentPieceWeight(row);
  return {
    _id: row.id,
    name: row.name,
    description: row.description,
    category: row.category && { _id: row.category.id, name: row.category.name },
    price: fromMinor(row.priceMinor),
    unit: row.unit,
    soldBy: pieceWeight ? 'piece_by_weight' : 'unit',
    ...(pieceWeight ? { pieceWeight } : {}),
    ...presentStocked(row),
    images: row.images,
    isOrganic: row.isOrganic,
    harvestDate: presentDate(row.harvestDate),
    availableUntil: presentDate(row.availableUntil),
    isActive: row.isActive,
    ...(row.returnsAt === null ? {} : { returnsAt: new Date(row.returnsAt).toISOString() }),
    ...(row.hiddenReason === null ? {} : { hiddenReason: row.hiddenReason }),
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
      handoff: presentHandoff(farmer.farm),
      ...(isDraftFarm(farmer.farm) ? { isDraft: true as const } : {}),
    },
    createdAt: new Date(row.createdAt).toISOString(),
    version: row.version,
  };
}

/** Returns a date of the wire at UTC midnight, as the database has it. */
export const toDay = (date: string | null): Date | null => (date === null ? null : new Date(date));
