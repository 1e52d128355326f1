import { formatQuantity, toMilli } from '#contract/constants/quantities';
import { room } from '#contract/events';
import type { PickTick, TickProduct } from '#contract/picklist';
import type { Transaction } from '../../prisma/client.ts';
import { record } from '../events/event-log.ts';
import { actingFarm } from '../http/acting-farm.ts';
import { AppError, notFound } from '../http/errors.ts';
import { lockWorker } from '../http/lock-caller.ts';
import type { Platform } from '../http/platform.ts';
import type { SessionUser } from '../http/sessions.ts';
import { transact } from '../process/postgres.ts';
import { readLastPrint } from './list.ts';
import { OF_LIST } from './orders.ts';
import { byInclude, presentTick } from './present.ts';
import { lockScope, type Scope, scopeOf, whereScope } from './scope.ts';

/**
 * Writes how much of a product is harvested. What it is already is no change.
 * @throws 401 the account was just deleted, 404 not a place of the farm, or a product that is not on the list, 409 another
 *   tick came first; the present one is in the answer
 */
export async function tickProduct(
  platform: Platform,
  user: SessionUser,
  body: TickProduct,
): Promise<PickTick> {
  const farmId = actingFarm(user);
  return transact(platform.db, async (tx) => {
    await lockWorker(tx, user);
    const scope = await scopeOf(tx, farmId, body);
    await lockScope(tx, scope);
    const { unit, quantity, expectedVersion } = body;
    const goods = await goodsOf(tx, body);
    const before = await tx.pickTick.findFirst({
      where: { ...whereScope(scope), ...goods, unit },
      include: byInclude,
    });
    if (!before) await requireListed(tx, scope, { ...goods, unit });
    const version = before?.version ?? 0;
    if (expectedVersion !== undefined && expectedVersion !== version)
      throw tickConflict(before && presentTick(before));
    const quantityMilli = BigInt(toMilli(quantity));
    if (before?.quantityMilli === quantityMilli) return presentTick(before);
    const change = { quantityMilli, byId: user.id, at: new Date(), version: version + 1 };
    const row = before
      ? await tx.pickTick.update({ where: { id: before.id }, data: change, include: byInclude })
      : await tx.pickTick.create({
          data: { ...whereScope(scope), ...goods, unit, ...change },
          include: byInclude,
        });
    const tick = presentTick(row);
    await record(tx, {
      name: 'pick.ticked',
      data: { ...tick, farmId },
      rooms: [room.farm(farmId)],
    });
    return tick;
  });
}

const tickConflict = (present: PickTick | null): AppError =>
  new AppError(
    409,
    'VERSION_CONFLICT',
    present
      ? `${present.by.name} was first: ${formatQuantity(present.quantity, present.unit)} is ticked off now.`
      : 'Nothing is ticked off of this product yet. Try again.',
    { data: present },
  );

/** What is ticked: a product, or what goes by the name of one that was deleted. */
type Goods = { productId: string | null; name: string };

/** Returns what a tick is of. A product that is there is kept from being deleted until the transaction ends. */
async function goodsOf(tx: Transaction, { productId, name = '' }: TickProduct): Promise<Goods> {
  if (productId !== null) {
    const found = await tx.$queryRaw<unknown[]>`
      SELECT 1 FROM products WHERE id = ${productId}::uuid FOR KEY SHARE`;
    if (found.length > 0 || name === '') return { productId, name: '' };
  }
  return { productId: null, name };
}

/** Requires that a list needs a product in a unit, or did on its last print. @throws 404 */
async function requireListed(
  tx: Transaction,
  scope: Scope,
  { productId, name, unit }: Goods & Pick<TickProduct, 'unit'>,
): Promise<void> {
  const print = await readLastPrint(tx, scope);
  const found = await tx.$queryRawUnsafe<unknown[]>(
    `SELECT 1 FROM order_lines line JOIN orders o ON o.id = line.order_id
     WHERE o.farmer_id = $1::uuid AND line.unit = $6::"Unit"
       AND (line.product_id = $5::uuid OR ($5::uuid IS NULL AND line.product_id IS NULL AND line.name = $7))
       AND ((${OF_LIST} AND o.status IN ('pending', 'accepted', 'completed') AND line.quantity_milli > 0)
         OR EXISTS (SELECT FROM pick_print_lines WHERE line_id = line.id AND print_id = $4::uuid))
     LIMIT 1`,
    scope.farmId,
    scope.date,
    scope.place,
    print?.id ?? null,
    productId,
    unit,
    name,
  );
  if (found.length === 0) throw notFound('This product is not on the pick list of that day.');
}
