import { room } from '#contract/realtime';
import { DELETED_USER_NAME } from '#contract/users';
import type { Transaction } from '../../prisma/client.ts';
import { audit } from '../admin/service.ts';
import { cancelPendingOrdersOf } from '../orders/service.ts';
import { forbidden, notFound } from '../platform/errors.ts';
import { record } from '../platform/event-log.ts';
import type { Platform } from '../platform/platform.ts';
import { transact } from '../platform/postgres.ts';
import type { SessionUser } from '../platform/sessions.ts';
import { canDeleteUser } from './policy.ts';

/**
 * Deletes an account. The row stays, emptied of everything personal, so that what the other side
 * ordered and wrote stays whole; the email is free to register again. Every token ends at once.
 * @throws 403 for an admin's account, one's own included; 404 when there is no such account
 */
export async function deleteUser(
  platform: Platform,
  admin: SessionUser,
  id: string,
): Promise<void> {
  await transact(platform.db, async (tx) => {
    const target = await tx.user.findUnique({ where: { id, deletedAt: null } });
    if (!target) throw notFound('User not found');
    if (!canDeleteUser(admin, target)) {
      throw forbidden(
        target.id === admin.id
          ? 'You cannot delete your own account.'
          : 'An admin account cannot be deleted.',
      );
    }
    await emptyAccount(tx, id);
    if (target.role === 'farmer') {
      await takeOffMarket(tx, id);
      // Nobody is left to answer them: a buyer waiting for ever would be worse than a clear end.
      await cancelPendingOrdersOf(tx, id, admin, 'farmer');
    } else {
      await cancelPendingOrdersOf(tx, id, admin, 'consumer');
    }
    await audit(tx, admin, 'user.deleted', id, { name: target.name, role: target.role });
    await record(
      tx,
      { name: 'user.deleted', data: { _id: id }, rooms: [room.admins] },
      { name: 'session.changed', data: { _id: id }, rooms: [] },
    );
  });
  platform.sessions.forget(id);
}

/** Of two admins who delete the same account at once, the second finds nothing to delete. */
async function emptyAccount(tx: Transaction, id: string): Promise<void> {
  const { count } = await tx.user.updateMany({
    where: { id, deletedAt: null },
    data: {
      name: DELETED_USER_NAME,
      email: `${id}@deleted.invalid`,
      passwordHash: '',
      phone: '',
      street: '',
      city: '',
      state: '',
      zipCode: '',
      preferences: {},
      tokenVersion: { increment: 1 },
      deletedAt: new Date(),
    },
  });
  if (count === 0) throw notFound('User not found');
  await tx.farmerProfile.deleteMany({ where: { userId: id } });
  await tx.notification.deleteMany({ where: { userId: id } });
  await tx.pushSubscription.deleteMany({ where: { userId: id } });
  await tx.passwordReset.deleteMany({ where: { userId: id } });
}

/** Deletes the farm's products, locked in the order everyone locks them; orders keep their lines. */
async function takeOffMarket(tx: Transaction, farmerId: string): Promise<void> {
  const products = await tx.$queryRaw<{ id: string }[]>`
    DELETE FROM products WHERE id IN (
      SELECT id FROM products WHERE farmer_id = ${farmerId}::uuid ORDER BY id FOR UPDATE
    ) RETURNING id`;
  await record(
    tx,
    { name: 'farmer.updated', data: { _id: farmerId }, rooms: [room.everyone] },
    ...products.map(({ id }) => ({
      name: 'product.deleted' as const,
      data: { _id: id },
      rooms: [room.everyone],
    })),
  );
}
