import type { AdminPerson } from '#contract/admin';
import { farmNameOf } from '#contract/constants/farmers';
import type { ListQuery, Page } from '#contract/http';
import { fromMinor } from '#contract/http';
import { ORDER_STATUSES, type Order, type OrderStatus } from '#contract/orders';
import type { Product } from '#contract/products';
import { DELETED_USER_NAME } from '#contract/users';
import { needsSuccessor } from '../account-deletion/policy.ts';
import { hasSecondFactor } from '../auth/service.ts';
import { presentFarmProfile } from '../farmers/present.ts';
import { notFound } from '../http/errors.ts';
import type { Platform } from '../http/platform.ts';
import { listOrdersOf } from '../orders/service.ts';
import { listOwnProducts } from '../products/service.ts';
import { presentUserForAdmins } from '../users/present.ts';

interface StatusTotal {
  status: OrderStatus;
  orders: number;
  totalMinor: bigint;
}

/** Returns a person with their farm and figures; a deleted one without contact. @throws 404 */
export async function getPerson(platform: Platform, id: string): Promise<AdminPerson> {
  const { db } = platform;
  const [row, totals, productCount, closingFarm, isProtected] = await Promise.all([
    db.user.findUnique({ where: { id }, include: { farm: true } }),
    // A consumer's and a farmer's orders each have an index; one account has only one of the two.
    db.$queryRaw<StatusTotal[]>`
      SELECT status, count(*)::int AS orders, sum(total_minor)::bigint AS "totalMinor"
      FROM orders WHERE consumer_id = ${id}::uuid OR farmer_id = ${id}::uuid GROUP BY status`,
    db.product.count({ where: { farmerId: id } }),
    readClosingFarm(platform, id),
    hasSecondFactor(db, id),
  ]);
  if (!row) throw notFound('User not found');
  const isDeleted = row.deletedAt !== null;
  const ordersOf = (status: OrderStatus) =>
    totals.find((total) => total.status === status)?.orders ?? 0;
  const user = presentUserForAdmins(row);
  return {
    user: isDeleted
      ? { ...user, name: DELETED_USER_NAME, email: '', phone: '' }
      : { ...user, email: row.isFarm ? '' : user.email },
    isDeleted,
    suspension:
      row.suspendedAt && !isDeleted
        ? { at: row.suspendedAt.toISOString(), reason: row.suspendedReason }
        : null,
    hasSecondFactor: isProtected,
    isFarm: row.isFarm && !isDeleted,
    closingFarm,
    farm: row.farm && presentFarmProfile(row.farm),
    ordersByStatus: Object.fromEntries(
      ORDER_STATUSES.map((status) => [status, ordersOf(status)]),
    ) as AdminPerson['ordersByStatus'],
    completedTotal: fromMinor(
      totals.find((total) => total.status === 'completed')?.totalMinor ?? 0,
    ),
    productCount,
  };
}

/** Returns the farm that would close with this account, and who could take it over; null when none would. */
async function readClosingFarm(
  { db }: Platform,
  userId: string,
): Promise<AdminPerson['closingFarm']> {
  const own = await db.farmMember.findUnique({
    where: { userId },
    select: {
      farm: {
        select: {
          userId: true,
          farmName: true,
          user: { select: { name: true } },
          members: {
            where: { userId: { not: null } },
            select: { id: true, role: true, user: { select: { id: true, name: true } } },
            orderBy: [{ role: 'asc' }, { createdAt: 'asc' }, { id: 'asc' }],
          },
        },
      },
    },
  });
  if (!own) return null;
  const { farm } = own;
  const staff = farm.members.flatMap(({ user, ...member }) =>
    user ? [{ ...member, userId: user.id, name: user.name }] : [],
  );
  if (!needsSuccessor({ id: farm.userId, staff }, userId)) return null;
  return {
    _id: farm.userId,
    farmName: farmNameOf({ farmName: farm.farmName, name: farm.user.name }),
    successors: staff
      .filter((member) => member.userId !== userId)
      .map(({ id, name, role }) => ({ _id: id, name, role })),
  };
}

async function requirePerson({ db }: Platform, id: string): Promise<void> {
  const row = await db.user.findUnique({ where: { id }, select: { id: true } });
  if (!row) throw notFound('User not found');
}

/** Returns a page of the orders that a person placed or received. @throws 404 */
export async function listPersonOrders(
  platform: Platform,
  id: string,
  query: ListQuery,
): Promise<Page<Order>> {
  await requirePerson(platform, id);
  return listOrdersOf(platform, id, query);
}

/** Returns a page of a farmer's products, inactive and hidden ones too. @throws 404 */
export async function listPersonProducts(
  platform: Platform,
  id: string,
  query: ListQuery,
): Promise<Page<Product>> {
  await requirePerson(platform, id);
  return listOwnProducts(platform, id, query);
}
