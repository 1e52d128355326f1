import { ALLERGENS, type Allergen } from '#contract/catalogue/products/constants/allergens';
import { isListed } from '#contract/catalogue/products/constants/products';
import type { Allergens, Product } from '#contract/catalogue/products/product';
import type { UpdateProduct } from '#contract/catalogue/products/product-fields';
import { room } from '#contract/platform/events/constants';
import type { EventRoom } from '#contract/platform/events/event';
import { fromMinor } from '#contract/platform/money/constants';
import type { PieceWeightRange } from '#contract/platform/quantities/constants/pieces';
import { fromMilli, toMilli } from '#contract/platform/quantities/constants/quantities';
import { stepsOf } from '#contract/platform/quantities/constants/steps';
import type { PieceWeight } from '#contract/platform/quantities/quantity';
import { canActFor } from '#contract/platform/session/constants';
import { DEFAULT_TIME_ZONE, dayIn } from '#contract/platform/time/constants';
import type { Prisma, Product as ProductRecord, User } from '../../../prisma/generated/client.ts';
import { type ApprovedRow, isDraftFarm } from '../../farm/farmers/policy.ts';
import { HANDOFF_FIELDS, type HandoffRow, presentHandoff } from '../../farm/farmers/present.ts';
import { presentAddress } from '../../people/users/present.ts';
import type { NewEvent } from '../../platform/events/event-log.ts';
import type { SessionUser } from '../../platform/sessions/sessions.ts';
import { jsonFields, selectFields, selectOf } from '../../platform/stores/sql.ts';
import { presentNet, presentSize, presentUnitLabel, sizesOf } from './sizes.ts';

/** The columns of a product that everyone sees, by their fields: all that reads products is made of these. */
export const PRODUCT_FIELDS = [
  ...(['id', 'name', 'description', 'priceMinor', 'unit', 'images', 'isOrganic'] as const),
  ...(['stockMilli', 'asideMilli', 'returnsAt', 'stepMilli', 'minimumMilli'] as const),
  ...(['pieceMilli', 'pieceMinMilli', 'pieceMaxMilli', 'harvestDate', 'availableUntil'] as const),
  ...(['unitLabel', 'netMilli', 'netUnit', 'sizes', 'sku', 'isAlways', 'maxOrderMilli'] as const),
  ...(['allergens', 'ingredients', 'storage', 'origin'] as const),
  ...(['isActive', 'hiddenReason', 'createdAt', 'version'] as const),
];
const FARMER_FIELDS = ['id', 'name', 'street', 'city', 'state', 'zipCode'] as const;
const FARM_FIELDS = ['farmName', 'approvedAt', ...HANDOFF_FIELDS] as const;

/** What a product read by Prisma must bring to be presented; statements read `PRODUCT_COLUMNS`. */
export const productInclude = {
  category: { select: { id: true, name: true, names: true, icon: true } },
  farmer: { select: { ...selectOf(FARMER_FIELDS), farm: { select: selectOf(FARM_FIELDS) } } },
} as const satisfies Prisma.ProductInclude;

/** A value from wherever it was read: JSON has instants as texts, and statements big numbers as they come. */
type Read<Value> =
  | Value
  | (Date extends Value ? string : never)
  | (bigint extends Value ? number : never);
type ProductColumns = {
  [Field in (typeof PRODUCT_FIELDS)[number]]: Read<ProductRecord[Field]>;
};

/** A product with its category, farmer and farm. */
export interface ProductRow extends ProductColumns {
  category: { id: string; name: string; names: unknown; icon: string } | null;
  farmer: Pick<User, (typeof FARMER_FIELDS)[number]> & {
    farm: ({ farmName: string } & HandoffRow & ApprovedRow) | null;
  };
}

/** The farmer of a product as JSON, from `farmer`, with the farm that `farm` selects from {@link FARM_JSON}. */
export const farmerJson = (farm: string): string =>
  `json_build_object(${jsonFields('farmer', FARMER_FIELDS)}, 'farm', ${farm})`;
export const FARM_JSON = `json_build_object(${jsonFields('farm', FARM_FIELDS)})`;

/** The columns of a {@link ProductRow}, from {@link PRODUCT_SOURCE}. */
export const PRODUCT_COLUMNS = `${selectFields('p', PRODUCT_FIELDS)},
  CASE WHEN category.id IS NOT NULL
    THEN json_build_object('id', category.id, 'name', category.name, 'names', category.names,
      'icon', category.icon) END AS category,
  ${farmerJson(`CASE WHEN farm.user_id IS NOT NULL THEN ${FARM_JSON} END`)} AS farmer`;

/** Where {@link PRODUCT_COLUMNS} are selected from. */
export const PRODUCT_SOURCE = `products p
  JOIN users farmer ON farmer.id = p.farmer_id
  LEFT JOIN farmer_profiles farm ON farm.user_id = p.farmer_id
  LEFT JOIN categories category ON category.id = p.category_id`;

/** Returns the names of a category in other languages, if it has any. */
export const presentNames = (names: unknown): { names?: Record<string, string> } =>
  Object.keys(names ?? {}).length > 0 ? { names: names as Record<string, string> } : {};

/** A date column as `YYYY-MM-DD`, or null. */
export const presentDate = (date: Date | string | null): string | null =>
  date instanceof Date ? date.toISOString().slice(0, 10) : date;

/** The columns that say how much of a product can be ordered. */
export type StockedRow = Pick<ProductRow, 'stockMilli' | 'stepMilli' | 'minimumMilli'>;

/** Presents the stock of a product and the steps in which it is sold, as far as it has any; with sizes, their least. */
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

/** Returns what a piece weighs after a change; null of what is not sold by the piece and priced by weight. */
export function pieceWeightAfter(
  before: PieceRow,
  { soldBy, pieceWeight }: Pick<UpdateProduct, 'soldBy' | 'pieceWeight'>,
): PieceWeightRange | null {
  if (soldBy === 'unit') return null;
  return pieceWeight === undefined ? (presentPieceWeight(before) ?? null) : pieceWeight;
}

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

/** The columns that say how a product is sold. */
export type SoldRow = StockedRow &
  PieceRow &
  Pick<
    ProductRow,
    | ('priceMinor' | 'unit' | 'sizes' | 'isAlways' | 'maxOrderMilli')
    | ('unitLabel' | 'netMilli' | 'netUnit')
  >;

/** Presents how a product is sold. */
export function presentSold(
  row: SoldRow,
): Pick<
  Product,
  | (
      | 'price'
      | 'unit'
      | 'unitLabel'
      | 'net'
      | 'soldBy'
      | 'pieceWeight'
      | 'sizes'
      | 'step'
      | 'minimum'
    )
  | ('availability' | 'quantityAvailable' | 'maxPerOrder')
> {
  const pieceWeight = presentPieceWeight(row);
  const sizes = sizesOf(row).map(presentSize);
  const { quantityAvailable, ...steps } = presentStocked(row);
  return {
    price: fromMinor(row.priceMinor),
    unit: row.unit,
    ...presentUnitLabel(row),
    ...presentNet(row),
    soldBy: pieceWeight ? 'piece_by_weight' : 'unit',
    ...(pieceWeight ? { pieceWeight } : {}),
    availability: row.isAlways ? 'always' : 'counted',
    quantityAvailable,
    ...(sizes.length > 0 ? { sizes } : steps),
    ...(row.maxOrderMilli === null ? {} : { maxPerOrder: fromMilli(row.maxOrderMilli) }),
  };
}

/** How the database has that nobody says which allergens there are. */
export const UNKNOWN_ALLERGENS = 'unknown';

const presentAllergens = (allergens: readonly string[]): Allergens => {
  if (allergens.includes(UNKNOWN_ALLERGENS)) return 'unknown';
  return allergens.length === 0 ? 'none' : (allergens as Allergen[]);
};

/** Returns allergens as the database has them. */
export const toAllergens = (allergens: Allergens): string[] => {
  if (typeof allergens !== 'string') return ALLERGENS.filter((each) => allergens.includes(each));
  return allergens === 'none' ? [] : [UNKNOWN_ALLERGENS];
};

/** A product as everyone sees it. */
export function presentProduct(row: ProductRow): Product {
  const { farmer } = row;
  return {
    _id: row.id,
    name: row.name,
    description: row.description,
    category: row.category && {
      _id: row.category.id,
      name: row.category.name,
      ...presentNames(row.category.names),
      ...(row.category.icon && { icon: row.category.icon }),
    },
    ...presentSold(row),
    ...(row.sku === null ? {} : { sku: row.sku }),
    images: row.images,
    isOrganic: row.isOrganic,
    allergens: presentAllergens(row.allergens),
    ...(row.ingredients && { ingredients: row.ingredients }),
    ...(row.storage && { storage: row.storage }),
    ...(row.origin && { origin: row.origin }),
    harvestDate: presentDate(row.harvestDate),
    availableUntil: presentDate(row.availableUntil),
    isActive: row.isActive,
    ...(row.returnsAt === null ? {} : { returnsAt: new Date(row.returnsAt).toISOString() }),
    ...(row.hiddenReason === null ? {} : { hiddenReason: row.hiddenReason }),
    farmer: {
      _id: farmer.id,
      name: farmer.name,
      farmName: farmer.farm?.farmName ?? '',
      address: presentAddress(farmer),
      handoff: presentHandoff(farmer.farm),
      ...(isDraftFarm(farmer.farm) ? { isDraft: true as const } : {}),
    },
    createdAt: new Date(row.createdAt).toISOString(),
    version: row.version,
  };
}

/** Returns a date of the wire at UTC midnight, as the database has it. */
export const toDay = (date: string | null): Date | null => (date === null ? null : new Date(date));

type Viewer = Pick<SessionUser, 'role' | 'membership'>;

/** What the rules below decide on. */
interface Visibility {
  farmerId: string;
  isActive: boolean;
  /** Whether its farm is not in the market yet. */
  isFarmDraft: boolean;
}

/** Returns whether the user may change the product: admins may, and of its farm those whose role says so. */
export const canChangeProduct = (user: Viewer, product: Pick<Visibility, 'farmerId'>): boolean =>
  user.role === 'admin' || canActFor(user, product.farmerId, 'changeProducts');

/** Returns whether the user may see the product: an inactive one, or a draft's, only its farm and admins. */
export const canSeeProduct = (user: Viewer | null, product: Visibility): boolean =>
  (product.isActive && !product.isFarmDraft) ||
  user?.role === 'admin' ||
  (user !== null && canActFor(user, product.farmerId, 'read'));

/**
 * Returns whether an admin has hidden the product. It is inactive then, so that everything that lists or
 * sells active products leaves it out, and only an admin shows it again.
 */
export const isHiddenByAdmin = (product: { hiddenReason: string | null }): boolean =>
  product.hiddenReason !== null;

/** Returns whether the product is kept off the market: an admin has hidden it, or suspended its farm. */
export const isWithheld = (product: {
  hiddenReason: string | null;
  isFarmSuspended: boolean;
}): boolean => product.isFarmSuspended || isHiddenByAdmin(product);

/** The fields of a product that decide who may see it, as a row or in wire form. */
type ListingFields = Pick<ProductRow, 'isActive' | 'availableUntil'>;

/** Returns whether everyone may see the product, listed or not. */
const isPublic = ({ isActive, farmer }: Pick<Product, 'isActive' | 'farmer'>): boolean =>
  isActive && !farmer.isDraft;

/** Returns the rooms that see a product; an inactive one, or a draft's, only its farmer and admins. */
export const productRooms = (
  product: Pick<Product, '_id' | 'isActive' | 'farmer'>,
): EventRoom<'product.updated'>[] => {
  const farm = room.farm(product.farmer._id);
  return isPublic(product) ? [room.product(product._id), farm] : [farm, room.admins];
};

/**
 * Returns the events of a product that was created (`before` is null) or changed. Every write to the
 * products table records these events.
 *
 * A change is sent to the product's watchers and its farmer, and to everyone when the product becomes
 * listed or unlisted. Changes of an inactive product are sent only to its farmer and admins; the gateway
 * sends everyone else only that it became hidden. Nobody else receives events of a draft farm's products.
 */
export function productEvents(before: ListingFields | null, after: Product): NewEvent[] {
  const today = dayIn(after.farmer.handoff?.timeZone ?? DEFAULT_TIME_ZONE);
  // Whether the farm is a draft does not change with one of its products.
  const isOnMarket = ({ isActive, availableUntil }: ListingFields) =>
    !after.farmer.isDraft &&
    isListed({ isActive, availableUntil: presentDate(availableUntil) }, today);
  const cameToMarket = isOnMarket(after) && (before === null || !isOnMarket(before));
  const created: NewEvent = { name: 'product.created', data: after, rooms: [room.everyone] };
  if (before === null) {
    return cameToMarket
      ? [created]
      : [{ ...created, rooms: [room.farm(after.farmer._id), room.admins] }];
  }
  const left =
    !after.farmer.isDraft &&
    ((before.isActive && !after.isActive) || (isOnMarket(before) && !isOnMarket(after)));
  const updated: NewEvent = {
    name: 'product.updated',
    data: after,
    rooms: [...productRooms(after), ...(left ? [room.everyone] : [])],
  };
  return cameToMarket ? [updated, created] : [updated];
}

/** Returns the event of a product's deletion; of a hidden one, or a draft's, only for its farmer and admins. */
export const productDeleted = (
  product: Pick<Product, 'isActive'> & { id: string; farmerId: string; isFarmDraft: boolean },
): NewEvent => ({
  name: 'product.deleted',
  data: { _id: product.id },
  rooms:
    product.isActive && !product.isFarmDraft
      ? [room.everyone]
      : [room.farm(product.farmerId), room.admins],
});

declare module '../../platform/events/event.ts' {
  interface FullData {
    'product.updated': Product;
  }
}
