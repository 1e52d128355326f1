import { PRODUCTS_PER_FARM_MAX } from '#contract/catalogue/products/constants/products';
import type { Product } from '#contract/catalogue/products/product';
import type { CreateProduct, UpdateProduct } from '#contract/catalogue/products/product-fields';
import type { SetProductHiding } from '#contract/catalogue/products/products';
import { room } from '#contract/platform/events/constants';
import { theMarket } from '#contract/platform/market/constants';
import { type Message, msg } from '#contract/platform/text/constants/texts';
import type { Transaction } from '../../../prisma/client.ts';
import { requireVerifiedOwner } from '../../people/auth/verify-email.ts';
import { record } from '../../platform/events/event-log.ts';
import { conflict, invalidField, requireVersion, unavailable } from '../../platform/http/errors.ts';
import type { Platform } from '../../platform/http/platform.ts';
import {
  actingFarm,
  lockCaller,
  lockWorker,
  sessionEnded,
} from '../../platform/sessions/lock-caller.ts';
import type { SessionUser } from '../../platform/sessions/sessions.ts';
import { audit } from '../../platform/stores/audit.ts';
import { defined, isDuplicate, transact } from '../../platform/stores/postgres.ts';
import { requireOwnUploads } from '../../platform/uploads/service.ts';
import { keepCertificate, requireCertified } from '../organic/organic.ts';
import {
  isHiddenByAdmin,
  isWithheld,
  type ProductRow,
  presentDate,
  presentProduct,
  productDeleted,
  productEvents,
  productInclude,
  type SoldRow,
  toAllergens,
  toDay,
} from './present.ts';
import { nameTicks, requireUnused } from './product-use.ts';
import { requireChangeable } from './read.ts';
import { requireSale, type Sale, toSaleRow } from './sale.ts';

/**
 * Creates a product.
 * @throws 400 for an unknown category or picture, a unit that is not offered, or what does not fit together; 401 when the
 *   account was just deleted; 403 EMAIL_NOT_VERIFIED where the market asks for it; 409 PRODUCT_LIMIT_REACHED, SKU_TAKEN,
 *   SIZES_BY_WEIGHT, CERTIFICATE_REQUIRED
 */
export async function createProduct(
  platform: Platform,
  user: SessionUser,
  input: CreateProduct,
): Promise<Product> {
  const farmId = actingFarm(user);
  const sale = requireSale(null, input);
  return transact(platform.db, async (tx) => {
    await lockWorker(tx, user);
    await requireVerifiedOwner(tx, farmId, user);
    const { isSuspended } = await requireBelowProductLimit(tx, farmId);
    if (input.isOrganic) {
      await keepCertificate(tx, { id: farmId });
      await requireCertified(tx, farmId);
    }
    requireOfferedUnit(input.unit);
    await keepCurrency(tx);
    if (!(await lockCategory(tx, input.category))) throw unknownCategory();
    await requireImages(tx, farmId, input.images);
    const data = { ...newProductRow(input, sale, { isSuspended }), farmerId: farmId };
    const row = await tx.product.create({ data, include: productInclude }).catch(nameTakenSku);
    const product = presentProduct(row);
    await record(tx, ...productEvents(null, product));
    return product;
  });
}

/** Returns the row of a new product. */
export const newProductRow = (
  input: CreateProduct,
  sale: Sale,
  { isSuspended }: { isSuspended: boolean },
) => ({
  ...describing(input),
  sku: input.sku || null,
  ...toSaleRow(null, sale),
  categoryId: input.category,
  allergens: toAllergens(input.allergens),
  harvestDate: toDay(input.harvestDate),
  availableUntil: toDay(input.availableUntil),
  // What a suspended farm adds comes to the market with the farm.
  isFarmSuspended: isSuspended,
  isActive: input.isActive && !isSuspended,
  isActiveUnhidden: input.isActive && isSuspended,
});

/**
 * Updates the given fields of a product.
 * @throws 404 unknown or hidden from this user, 403 another farmer's or EMAIL_NOT_VERIFIED, 400 as on creation, 409
 *   PRODUCT_IN_USE for another unit or way of sale while open orders or stock set aside use it, PRODUCT_HIDDEN or
 *   FARM_SUSPENDED when it would become active although an admin has hidden it or suspended its farm, SKU_TAKEN,
 *   SIZES_BY_WEIGHT, CERTIFICATE_REQUIRED, VERSION_CONFLICT
 */
export async function updateProduct(
  platform: Platform,
  user: SessionUser,
  id: string,
  { expectedVersion, ...input }: UpdateProduct,
): Promise<Product> {
  return transact(platform.db, async (tx) => {
    await lockWorker(tx, user);
    if (input.isOrganic) await keepCertificate(tx, { of: id });
    // Lock the category before the product, as the deletion of a category does.
    const isCategoryKnown = !input.category || (await lockCategory(tx, input.category));
    const before = await lockProduct(tx, user, id);
    await requireVersion(expectedVersion, before.version, () => readProduct(tx, id));
    if (!isCategoryKnown && input.category !== before.categoryId) throw unknownCategory();
    if (input.images) {
      const added = input.images.filter((image) => !before.images.includes(image));
      await requireImages(tx, before.farmerId, added);
    }
    if (input.unit !== undefined && input.unit !== before.unit) requireOfferedUnit(input.unit);
    if (input.isOrganic ?? before.isOrganic) await requireCertified(tx, before.farmerId);
    await requireUnused(tx, before, input);
    const changed = changedProductRow(before, input);
    if (input.isActive && !before.isActive) await requireVerifiedOwner(tx, before.farmerId, user);
    const data = { ...changed, version: { increment: 1 } };
    const row = await tx.product
      .update({ where: { id }, data, include: productInclude })
      .catch(nameTakenSku);
    const product = presentProduct(row);
    await record(tx, ...productEvents(before, product));
    if (user.role === 'admin') {
      const detail = { name: row.name, farmer: row.farmerId, fields: Object.keys(input) };
      await audit(tx, user, 'product.updated', id, detail);
    }
    return product;
  });
}

/**
 * Returns what a change sets in the row of a product that {@link requireUnused nothing uses otherwise}.
 * @throws 400 where its fields would not fit together, 409 where it would become active and is withheld
 */
export function changedProductRow(
  before: SoldRow &
    Pick<ProductRow, 'harvestDate' | 'availableUntil' | 'hiddenReason'> & {
      isFarmSuspended: boolean;
    },
  input: Omit<UpdateProduct, 'expectedVersion'>,
) {
  const sale = requireSale(before, input);
  const { category, allergens, isActive, harvestDate, availableUntil } = input;
  const harvested =
    harvestDate === undefined ? toDay(presentDate(before.harvestDate)) : toDay(harvestDate);
  const lastDay =
    availableUntil === undefined
      ? toDay(presentDate(before.availableUntil))
      : toDay(availableUntil);
  if (harvested && lastDay && harvested > lastDay) {
    throw invalidField('availableUntil', msg("The last day can't be before the harvest."));
  }
  if (isActive && isWithheld(before)) throw conflict(...withheldRefusal(before));
  return {
    ...defined(describing(input)),
    ...(input.sku === undefined ? {} : { sku: input.sku || null }),
    ...toSaleRow(before, sale),
    ...(isActive === undefined ? {} : { isActive }),
    // Anyone who takes a hidden product off the market does not find it there when it is shown again. While the
    // whole farm is off the market every form says inactive, which nobody chose.
    ...(isHiddenByAdmin(before) && isActive === false ? { isActiveUnhidden: false } : {}),
    // Who says so decides it, whatever becomes of the certificate.
    ...(input.isOrganic === undefined ? {} : { isOrganicLapsed: false }),
    ...(category === undefined ? {} : { categoryId: category }),
    ...(allergens === undefined ? {} : { allergens: toAllergens(allergens) }),
    harvestDate: harvested,
    availableUntil: lastDay,
  };
}

/** What describes a product, and is in its row as on the wire. */
const DESCRIBING = [
  ...(['name', 'description', 'images', 'isOrganic'] as const),
  ...(['ingredients', 'storage', 'origin'] as const),
];
const describing = <Input extends UpdateProduct>(input: Input) =>
  Object.fromEntries(DESCRIBING.map((field) => [field, input[field]])) as Pick<
    Input,
    (typeof DESCRIBING)[number]
  >;

/** @throws 409 SKU_TAKEN where that is what is wrong */
function nameTakenSku(error: unknown): never {
  if (!isDuplicate(error)) throw error;
  const message = msg('Another product or size of your farm has this SKU.');
  throw conflict('SKU_TAKEN', message, [{ path: 'sku', message }]);
}

/**
 * Deletes a product; orders keep their lines.
 * @throws 404 unknown or hidden from this user, 403 another farmer's
 */
export async function deleteProduct(
  platform: Platform,
  user: SessionUser,
  id: string,
): Promise<void> {
  await transact(platform.db, async (tx) => {
    await lockWorker(tx, user);
    const product = await lockProduct(tx, user, id);
    await nameTicks(tx, product);
    await tx.product.delete({ where: { id }, select: { id: true } });
    await record(tx, productDeleted(product));
    if (user.role === 'admin') {
      const { name, farmerId: farmer } = product;
      await audit(tx, user, 'product.deleted', id, { name, farmer });
    }
  });
}

/** Returns the code and the sentence that say why a product that is kept off the market cannot be active. */
export const withheldRefusal = ({
  hiddenReason,
}: Pick<ProductRow, 'hiddenReason'>): ['PRODUCT_HIDDEN' | 'FARM_SUSPENDED', Message] =>
  hiddenReason === null
    ? [
        'FARM_SUSPENDED',
        msg("Your farm is off the market for now, so its products can't be active."),
      ]
    : [
        'PRODUCT_HIDDEN',
        msg("An admin has hidden this product, so it can't be active. Reason: {reason}", {
          reason: hiddenReason,
        }),
      ];

/** Returns a product that exists, in wire form. */
const readProduct = async (tx: Transaction, id: string): Promise<Product> =>
  presentProduct(await tx.product.findUniqueOrThrow({ where: { id }, include: productInclude }));

/** Locks the product until the transaction ends. @throws 404, 403 */
async function lockProduct(tx: Transaction, user: SessionUser, id: string) {
  await tx.$queryRaw`SELECT 1 FROM products WHERE id = ${id}::uuid FOR UPDATE`;
  return requireChangeable(tx, user, id);
}

/**
 * Checks the limit of products; locks the farm's account, so that its products are added serially and not while the
 * farm is suspended or comes back.
 * @returns whether the farm is suspended
 */
async function requireBelowProductLimit(
  tx: Transaction,
  farmerId: string,
): Promise<{ isSuspended: boolean }> {
  const [farmer] = await tx.$queryRaw<{ isSuspended: boolean }[]>`
    SELECT suspended_at IS NOT NULL AS "isSuspended" FROM users WHERE id = ${farmerId}::uuid AND deleted_at IS NULL FOR NO KEY UPDATE`;
  if (!farmer) throw sessionEnded();
  // A separate statement, so that it sees products committed while waiting for the lock.
  const count = await tx.product.count({ where: { farmerId } });
  if (count < PRODUCTS_PER_FARM_MAX) return farmer;
  throw conflict(
    'PRODUCT_LIMIT_REACHED',
    msg(
      'A farm can have at most {most, plural, one {# product} other {# products}}. Delete one you no longer sell to add another.',
      { most: PRODUCTS_PER_FARM_MAX },
    ),
  );
}

/** Requires a unit in which this market offers products. Products keep one that is no longer offered. @throws 400 */
export function requireOfferedUnit(unit: CreateProduct['unit']): void {
  if (!theMarket().units.includes(unit)) {
    throw invalidField(
      'unit',
      msg('This market offers no products in this unit. Choose another one.'),
    );
  }
}

const unknownCategory = () => invalidField('category', msg('This category does not exist.'));

/** Locks the category against a concurrent deletion. Returns whether it exists. */
async function lockCategory(tx: Transaction, id: string): Promise<boolean> {
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM categories WHERE id = ${id}::uuid FOR KEY SHARE`;
  return rows.length > 0;
}

/** Requires that images under /uploads were uploaded by the farmer; other https URLs are accepted. */
const requireImages = (tx: Transaction, ownerId: string, images: string[]): Promise<void> =>
  requireOwnUploads(
    tx,
    ownerId,
    Object.fromEntries(images.map((image, index) => [`images.${index}`, image])),
  );

/**
 * Keeps the currency as it is until the transaction ends. New products do not wait for each other, nor for a change of
 * other settings.
 * @throws 503 while this process does not know yet of a currency with other decimals, by which prices would be wrong
 */
export async function keepCurrency(tx: Transaction): Promise<void> {
  const [market] = await tx.$queryRaw<{ decimals: number }[]>`
    SELECT currency_decimals AS decimals FROM market_settings WHERE id = 1 FOR KEY SHARE`;
  if (market?.decimals !== theMarket().currency.decimals) throw unavailable();
}

/**
 * Hides a product from the market, or shows it again as it was: active only if it was active before and
 * its farmer did not take it off meanwhile. The same again changes nothing and is still audited.
 * @throws 404 for an unknown product, 409 VERSION_CONFLICT
 */
export async function setProductHiding(
  platform: Platform,
  admin: SessionUser,
  id: string,
  input: SetProductHiding,
): Promise<Product> {
  const reason = input.hidden ? input.reason : null;
  return transact(platform.db, async (tx) => {
    await lockCaller(tx, admin.id);
    const before = await lockProduct(tx, admin, id);
    await requireVersion(input.expectedVersion, before.version, () => readProduct(tx, id));
    const isActiveUnhidden = isWithheld(before) ? before.isActiveUnhidden : before.isActive;
    const isStillWithheld = isWithheld({ ...before, hiddenReason: reason });
    const action = reason === null ? 'product.unhidden' : 'product.hidden';
    await audit(tx, admin, action, id, {
      name: before.name,
      farmer: before.farmerId,
      ...(reason === null ? {} : { reason }),
    });
    if (reason === before.hiddenReason) return readProduct(tx, id);
    const row = await tx.product.update({
      where: { id },
      data: {
        hiddenReason: reason,
        isActive: !isStillWithheld && isActiveUnhidden,
        isActiveUnhidden: isStillWithheld && isActiveUnhidden,
        version: { increment: 1 },
      },
      include: productInclude,
    });
    const product = presentProduct(row);
    await record(tx, ...productEvents(before, product), {
      name: 'product.hidingChanged',
      data: { _id: id, name: row.name, farmer: row.farmerId, reason, version: row.version },
      rooms: [room.farm(row.farmerId), room.admins],
    });
    return product;
  });
}
