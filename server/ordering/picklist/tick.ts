import type { PickTick, TickProduct } from '#contract/ordering/picklist/picklist';
import { room } from '#contract/platform/events/constants/events';
import { STANDING_STATUSES } from '#contract/platform/orders/constants';
import { formatGoodsQuantity } from '#contract/platform/quantities/constants/pieces';
import { toMilli } from '#contract/platform/quantities/constants/quantities';
import type { Transaction } from '../../../prisma/client.ts';
import { record } from '../../platform/events/event-log.ts';
import { AppError, notFound } from '../../platform/http/errors.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { actingFarm, lockWorker } from '../../platform/sessions/lock-caller.ts';
import type { SessionUser } from '../../platform/sessions/sessions.ts';
import { transact } from '../../platform/stores/postgres.ts';
import { sqlList } from '../../platform/stores/sql.ts';
import { readClock } from '../../platform/time/clock.ts';
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
    const { quantity, expectedVersion } = body;
    const goods = await goodsOf(tx, scope, body);
    const before = await tx.pickTick.findFirst({
      where: { ...whereScope(scope), ...goods },
      include: byInclude,
    });
    if (!before) await requireListed(tx, scope, goods);
    const version = before?.version ?? 0;
    if (expectedVersion !== undefined && expectedVersion !== version)
      throw tickConflict(before && presentTick(before));
    const quantityMilli = BigInt(toMilli(quantity));
    if (before?.quantityMilli === quantityMilli) return presentTick(before);
    const change = { quantityMilli, byId: user.id, at: await readClock(tx), version: version + 1 };
    const row = before
      ? await tx.pickTick.update({ where: { id: before.id }, data: change, include: byInclude })
      : await tx.pickTick.create({
          data: { ...whereScope(scope), ...goods, ...change },
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
      ? `${present.by.name} was first: ${formatGoodsQuantity({ product: present, isByPiece: present.isByPiece }, present.quantity)} is ticked off now.`
      : 'Nothing is ticked off of this product yet. Try again.',
    { data: present },
  );

/** What is ticked: a product, or what goes by the name of one that was deleted, as one row of a list has it. */
type Goods = Pick<TickProduct, 'unit'> & {
  productId: string | null;
  name: string;
  isByPiece: boolean;
};

/** Returns what a tick is of. A product that is there is kept from being deleted until the transaction ends. */
async function goodsOf(
  tx: Transaction,
  scope: Scope,
  { productId, name = '', unit, isByPiece }: TickProduct,
): Promise<Goods> {
  const found =
    productId === null
      ? []
      : await tx.$queryRaw`SELECT 1 FROM products WHERE id = ${productId}::uuid FOR KEY SHARE`;
  const isThere = productId !== null && ((found as unknown[]).length > 0 || name === '');
  const goods = isThere ? { productId, name: '', unit } : { productId: null, name, unit };
  return { ...goods, isByPiece: isByPiece ?? (await isListedByPiece(tx, scope, goods)) };
}

/** Returns whether a list counts only pieces of a product; of one that left it, whether its tick does. */
async function isListedByPiece(
  tx: Transaction,
  scope: Scope,
  goods: Omit<Goods, 'isByPiece'>,
): Promise<boolean> {
  const listed = await readListedKinds(tx, scope, goods);
  if (listed.length > 0) return !listed.includes(false);
  const ticked = await tx.pickTick.findFirst({
    where: { ...whereScope(scope), ...goods },
    orderBy: { isByPiece: 'asc' },
  });
  return ticked?.isByPiece ?? false;
}

/** Requires that a list needs these goods, or did on its last print. @throws 404 */
async function requireListed(tx: Transaction, scope: Scope, goods: Goods): Promise<void> {
  const listed = await readListedKinds(tx, scope, goods);
  if (!listed.includes(goods.isByPiece)) {
    throw notFound('This product is not on the pick list of that day.');
  }
}

/** Reads whether a list, or its last print, counts a product by the piece; both where it counts either. */
async function readListedKinds(
  tx: Transaction,
  scope: Scope,
  { productId, name, unit }: Omit<Goods, 'isByPiece'>,
): Promise<boolean[]> {
  const print = await readLastPrint(tx, scope);
  const kinds = await tx.$queryRawUnsafe<{ isByPiece: boolean }[]>(
    `SELECT DISTINCT line.piece_milli IS NOT NULL AS "isByPiece"
     FROM order_lines line JOIN orders o ON o.id = line.order_id
     WHERE o.farmer_id = $1::uuid AND line.unit = $6::"Unit"
       AND (line.product_id = $5::uuid OR ($5::uuid IS NULL AND line.product_id IS NULL AND line.name = $7))
       AND ((${OF_LIST} AND o.status IN (${sqlList(STANDING_STATUSES)}) AND line.quantity_milli > 0)
         OR EXISTS (SELECT FROM pick_print_lines WHERE line_id = line.id AND print_id = $4::uuid))`,
    scope.farmId,
    scope.date,
    scope.place,
    print?.id ?? null,
    productId,
    unit,
    name,
  );
  return kinds.map(({ isByPiece }) => isByPiece);
}
