import { toMinor } from '#contract/platform';
import type { CreateProduct, Product, UpdateProduct } from '#contract/products';
import { room } from '#contract/realtime';
import type { Transaction } from '../../prisma/client.ts';
import { audit } from '../admin/service.ts';
import { defined } from '../platform/defined.ts';
import { forbidden, invalidField, notFound } from '../platform/errors.ts';
import { type NewEvent, record } from '../platform/event-log.ts';
import type { Platform } from '../platform/platform.ts';
import { transact } from '../platform/postgres.ts';
import type { SessionUser } from '../platform/sessions.ts';
import { canChangeProduct, canSeeProduct, isListed } from './policy.ts';
import { presentProduct, productInclude } from './present.ts';

const UPLOADED = /^\/uploads\/(.+)\.webp$/;

const toDate = (day: string | null): Date | null =>
  day === null ? null : new Date(`${day}T00:00:00Z`);

/**
 * Puts a product on the market. One that is not listed yet is told to its farmer alone.
 * @throws 400 when its category or one of its pictures is not there
 */
export async function createProduct(
  platform: Platform,
  user: SessionUser,
  input: CreateProduct,
): Promise<Product> {
  const product = await transact(platform.db, async (tx) => {
    await requireCategory(tx, input.category);
    await requireImages(tx, user.id, input.images);
    const row = await tx.product.create({
      data: {
        farmerId: user.id,
        categoryId: input.category,
        name: input.name,
        description: input.description,
        priceMinor: toMinor(input.price),
        unit: input.unit,
        quantityAvailable: input.quantityAvailable,
        images: input.images,
        isOrganic: input.isOrganic,
        harvestDate: toDate(input.harvestDate),
        availableUntil: toDate(input.availableUntil),
        isActive: input.isActive,
      },
      include: productInclude,
    });
    const data = presentProduct(row);
    await record(tx, {
      name: 'product.created',
      data,
      rooms: isListed(row) ? [room.everyone] : [room.user(user.id)],
    });
    return data;
  });
  return product;
}

/**
 * Changes what is given of a product. Whoever watches it learns that it became inactive; when it
 * comes (back) to the catalogue, everyone is told as of a new one.
 * @throws 404 unknown or not this user's to know of, 403 another farmer's, 400 as on creation
 */
export async function updateProduct(
  platform: Platform,
  user: SessionUser,
  id: string,
  input: UpdateProduct,
): Promise<Product> {
  const product = await transact(platform.db, async (tx) => {
    const before = await lockProduct(tx, user, id);
    if (input.category && input.category !== before.categoryId) {
      await requireCategory(tx, input.category);
    }
    if (input.images) {
      const added = input.images.filter((image) => !before.images.includes(image));
      await requireImages(tx, before.farmerId, added);
    }
    const { category, price, harvestDate, availableUntil, ...rest } = input;
    const harvested = harvestDate === undefined ? before.harvestDate : toDate(harvestDate);
    const lastDay = availableUntil === undefined ? before.availableUntil : toDate(availableUntil);
    if (harvested && lastDay && harvested > lastDay) {
      throw invalidField('availableUntil', 'The last day cannot be before the harvest.');
    }
    const row = await tx.product.update({
      where: { id },
      data: {
        ...defined(rest),
        ...(category === undefined ? {} : { categoryId: category }),
        ...(price === undefined ? {} : { priceMinor: toMinor(price) }),
        harvestDate: harvested,
        availableUntil: lastDay,
        version: { increment: 1 },
      },
      include: productInclude,
    });
    const data = presentProduct(row);
    const wasPublic = before.isActive || row.isActive;
    const events: NewEvent[] = [
      {
        name: 'product.updated',
        data,
        rooms: [...(wasPublic ? [room.product(id)] : []), room.user(row.farmerId)],
      },
    ];
    if (!isListed(before) && isListed(row)) {
      events.push({ name: 'product.created', data, rooms: [room.everyone] });
    }
    await record(tx, ...events);
    if (user.role === 'admin') await audit(tx, user, 'product.updated', id);
    return data;
  });
  return product;
}

/**
 * Takes a product off the market for good; orders keep their lines.
 * @throws 404 unknown or not this user's to know of, 403 another farmer's
 */
export async function deleteProduct(
  platform: Platform,
  user: SessionUser,
  id: string,
): Promise<void> {
  await transact(platform.db, async (tx) => {
    const { name } = await lockProduct(tx, user, id);
    await tx.product.delete({ where: { id }, select: { id: true } });
    await record(tx, { name: 'product.deleted', data: { _id: id }, rooms: [room.everyone] });
    if (user.role === 'admin') await audit(tx, user, 'product.deleted', id, { name });
  });
}

/** The product, held until the transaction ends so that what was checked stays true. */
async function lockProduct(tx: Transaction, user: SessionUser, id: string) {
  await tx.$queryRaw`SELECT 1 FROM products WHERE id = ${id}::uuid FOR UPDATE`;
  const row = await tx.product.findFirst({ where: { id, farmer: { deletedAt: null } } });
  if (!row || !canSeeProduct(user, row)) throw notFound('Product not found');
  if (!canChangeProduct(user, row)) throw forbidden('This product belongs to another farm.');
  return row;
}

/** Holds the category too: one deleted in the same moment would break the reference. */
async function requireCategory(tx: Transaction, id: string): Promise<void> {
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM categories WHERE id = ${id}::uuid FOR KEY SHARE`;
  if (rows.length === 0) throw invalidField('category', 'This category does not exist.');
}

/** Our own addresses must be pictures the farmer uploaded; other https ones are taken as they are. */
async function requireImages(tx: Transaction, ownerId: string, images: string[]): Promise<void> {
  const ids = images.flatMap((image) => UPLOADED.exec(image)?.[1] ?? []);
  if (ids.length === 0) return;
  const known = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM uploads WHERE id::text = ANY (${ids}) AND owner_id = ${ownerId}::uuid`;
  const missing = images.findIndex((image) => {
    const id = UPLOADED.exec(image)?.[1];
    return id !== undefined && !known.some((upload) => upload.id === id);
  });
  if (missing !== -1) {
    throw invalidField(`images.${missing}`, 'This picture was not uploaded. Please add it again.');
  }
}
