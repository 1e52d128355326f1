import type { AdminPerson } from '#contract/admin';
import type { ListQuery, Page } from '#contract/http';
import { fromMinor } from '#contract/http';
import { ORDER_STATUSES, type Order, type OrderStatus } from '#contract/orders';
import type { Product } from '#contract/products';
import { DELETED_USER_NAME } from '#contract/users';
import { presentFarmProfile } from '../farmers/present.ts';
import { notFound } from '../http/errors.ts';
import type { Platform } from '../http/platform.ts';
import { listOrdersOf } from '../orders/service.ts';
import { listOwnProducts } from '../products/service.ts';
import { presentUser } from '../users/present.ts';

interface StatusTotal {
  status: OrderStatus;
  orders: number;
  totalMinor: bigint;
}

/** Returns a person with their farm and figures; a deleted one without contact. @throws 404 */
export async function getPerson(platform: Platform, id: string): Promise<AdminPerson> {
  const { db } = platform;
  const [row, totals, productCount] = await Promise.all([
    db.user.findUnique({ where: { id }, include: { farm: true } }),
    // A consumer's and a farmer's orders each have an index; one account has only one of the two.
    db.$queryRaw<StatusTotal[]>`
      SELECT status, count(*)::int AS orders, sum(total_minor)::bigint AS "totalMinor"
      FROM orders WHERE consumer_id = ${id}::uuid OR farmer_id = ${id}::uuid GROUP BY status`,
    db.product.count({ where: { farmerId: id } }),
  ]);
  if (!row) throw notFound('User not found');
  const isDeleted = row.deletedAt !== null;
  const ordersOf = (status: OrderStatus) =>
    totals.find((total) => total.status === status)?.orders ?? 0;
  const user = presentUser(row);
  return {
    user: isDeleted ? { ...user, name: DELETED_USER_NAME, email: '', phone: '' } : user,
    isDeleted,
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
