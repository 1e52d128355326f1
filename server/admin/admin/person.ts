import type { AdminPerson } from '#contract/admin/admin/admin';
import type { Product } from '#contract/catalogue/products/product';
import { farmNameOf } from '#contract/farm/farmers/constants';
import type { OrderStatus } from '#contract/ordering/orders/order-timeline';
import type { Order } from '#contract/ordering/orders/orders';
import { DELETED_USER_NAME } from '#contract/people/users/constants';
import type { OpenOrders } from '#contract/people/users/users';
import type { ListQuery, Page } from '#contract/platform/http/http';
import { fromMinor } from '#contract/platform/money/constants';
import { ORDER_STATUSES } from '#contract/platform/orders/constants';
import { msg } from '#contract/platform/text/constants/texts';
import { listOwnProducts } from '../../catalogue/products/read.ts';
import { presentFarmProfile } from '../../farm/farmers/present.ts';
import { readOpenOrders } from '../../ordering/model/open-orders.ts';
import { listOrdersOf } from '../../ordering/model/read.ts';
import { hasSecondFactor } from '../../people/second-factor/two-factor.ts';
import { presentUnreachable, presentUserForAdmins } from '../../people/users/present.ts';
import { notFound } from '../../platform/http/errors.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { isOwner, needsSuccessor } from '../account-deletion/policy.ts';

interface StatusTotal {
  status: OrderStatus;
  orders: number;
  totalMinor: bigint;
}

/** Returns a person with their farm and figures; a deleted one without contact. @throws 404 */
export async function getPerson(platform: Platform, id: string): Promise<AdminPerson> {
  const { db } = platform;
  const [row, totals, productCount, farms, isProtected, orders] = await Promise.all([
    db.user.findUnique({ where: { id }, include: { farm: true } }),
    // A consumer's and a farmer's orders each have an index; one account has only one of the two.
    db.$queryRaw<StatusTotal[]>`
      SELECT status, count(*)::int AS orders, sum(total_minor)::bigint AS "totalMinor"
      FROM orders WHERE consumer_id = ${id}::uuid OR farmer_id = ${id}::uuid GROUP BY status`,
    db.product.count({ where: { farmerId: id } }),
    readFarms(platform, id),
    hasSecondFactor(db, id),
    readOpenOrders(db, id, 'consumer'),
  ]);
  if (!row) throw notFound(msg('User not found'));
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
    unreachable: isDeleted ? null : presentUnreachable(row),
    hasSecondFactor: isProtected,
    isFarm: row.isFarm && !isDeleted,
    closingFarm: farms.closingFarm,
    sharedFarm: farms.sharedFarm,
    openOrders: { orders, farmOrders: await readFarmOrders(platform, row, farms.farmId) },
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

/** Returns the open orders of the farm that somebody works for, or that this is; null for none. */
const readFarmOrders = async (
  { db }: Platform,
  row: { id: string; farm: unknown },
  farmId: string | null,
): Promise<OpenOrders | null> => {
  const id = farmId ?? (row.farm ? row.id : null);
  return id === null ? null : readOpenOrders(db, id, 'farmer');
};

interface Farms extends Required<Pick<AdminPerson, 'closingFarm' | 'sharedFarm'>> {
  farmId: string | null;
}

/**
 * Returns the farm that would close with this account, and who could take it over, or the one that would go on under
 * its other owners.
 */
async function readFarms({ db }: Platform, userId: string): Promise<Farms> {
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
  if (!own) return { farmId: null, closingFarm: null, sharedFarm: null };
  const { farm } = own;
  const staff = farm.members.flatMap(({ user, ...member }) =>
    user ? [{ ...member, userId: user.id, name: user.name }] : [],
  );
  const staffed = { id: farm.userId, staff };
  const shown = {
    _id: farm.userId,
    farmName: farmNameOf({ farmName: farm.farmName, name: farm.user.name }),
  };
  const successors = staff
    .filter((member) => member.userId !== userId)
    .map(({ id, name, role }) => ({ _id: id, name, role }));
  const isClosing = needsSuccessor(staffed, userId);
  return {
    farmId: farm.userId,
    closingFarm: isClosing ? { ...shown, successors } : null,
    sharedFarm: !isClosing && isOwner(staffed, userId) ? shown : null,
  };
}

async function requirePerson({ db }: Platform, id: string): Promise<void> {
  const row = await db.user.findUnique({ where: { id }, select: { id: true } });
  if (!row) throw notFound(msg('User not found'));
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
