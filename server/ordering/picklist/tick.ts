import type { MarkSeen, PickTick, TickProduct } from '#contract/ordering/picklist/picklist';
import { room } from '#contract/platform/events/constants';
import { STANDING_STATUSES } from '#contract/platform/orders/constants';
import { formatGoodsQuantity } from '#contract/platform/quantities/constants/pieces';
import { toMilli } from '#contract/platform/quantities/constants/quantities';
import { msg } from '#contract/platform/text/constants/texts';
import type { Transaction } from '../../../prisma/client.ts';
import { presentPerson } from '../../people/users/present.ts';
import { record } from '../../platform/events/event-log.ts';
import { AppError, notFound } from '../../platform/http/errors.ts';
import type { Platform } from '../../platform/http/platform.ts';
import type { SessionUser } from '../../platform/sessions/sessions.ts';
import { transact } from '../../platform/stores/postgres.ts';
import { sqlList } from '../../platform/stores/sql.ts';
import { readClock } from '../../platform/time/clock.ts';
import { resolveListAttentions } from '../attention/resolve.ts';
import { readActor } from '../model/open-orders.ts';
import { readLastPrint } from './list.ts';
import { listValues, lockList, OF_LIST, type Scope, scopeFields, whereScope } from './orders.ts';
import { byInclude, presentTick } from './present.ts';

/**
 * Writes how much of a product is harvested. What it is already is no change.
 * @throws 401 the account was just deleted, 404 not a place of the farm, or a product that is not on the list, 409
 * another
 *   tick came first; the present one is in the answer
 */
export async function tickProduct(
  platform: Platform,
  user: SessionUser,
  body: TickProduct,
): Promise<PickTick> {
  return transact(platform.db, async (tx) => {
    const scope = await lockList(tx, user, body);
    const { farmId } = scope;
    const { quantity, expectedVersion } = body;
    const goods = await goodsOf(tx, scope, body);
    const own = { ...whereScope(scope), ...goods };
    const before = await tx.pickTick.findFirst({ where: own, include: byInclude });
    if (!before) await requireListed(tx, scope, goods);
    const version = before?.version ?? 0;
    if (expectedVersion !== undefined && expectedVersion !== version)
      throw tickConflict(before && presentTick(before));
    const quantityMilli = BigInt(toMilli(quantity));
    if (before?.quantityMilli === quantityMilli) return presentTick(before);
    const change = { quantityMilli, byId: user.id, at: await readClock(tx), version: version + 1 };
    const row = before
      ? await tx.pickTick.update({ where: { id: before.id }, data: change, include: byInclude })
      : await tx.pickTick.create({ data: { ...own, ...change }, include: byInclude });
    const tick = presentTick(row);
    const data = { ...tick, farmId };
    await record(tx, { name: 'pick.ticked', data, rooms: [room.farm(farmId)] });
    return tick;
  });
}

const tickConflict = (present: PickTick | null): AppError =>
  new AppError(
    409,
    'VERSION_CONFLICT',
    present
      ? msg('{person} was first: {quantity} is ticked off now.', {
          person: present.by.name,
          quantity: formatGoodsQuantity(
            { product: present, isByPiece: present.isByPiece },
            present.quantity,
          ),
        })
      : msg('Nothing is ticked off of this product yet. Try again.'),
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
    throw notFound(msg('This product is not on the pick list of that day.'));
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
    ...listValues(scope, print),
    productId,
    unit,
    name,
  );
  return kinds.map(({ isByPiece }) => isByPiece);
}

// A mark never goes back to an earlier entry, and never before what the order has. $1 the farm, $2 the day, $3 the
// place or null, $4 who, $5 when, $6 the orders, $7 their entries.
const WRITE_SEEN = `INSERT INTO pick_seen AS known (order_id, date, place_id, sequence, by_id, at)
  SELECT o.id, $2::date, $3::uuid, mark.sequence, $4::uuid, $5::timestamptz
  FROM unnest($6::uuid[], $7::int[]) AS mark (id, sequence) JOIN orders o ON o.id = mark.id
  WHERE o.farmer_id = $1::uuid AND mark.sequence <= (
    SELECT max(sequence) FROM order_timeline WHERE order_id = o.id)
  ON CONFLICT (order_id, date, COALESCE(place_id, order_id)) DO UPDATE
    SET sequence = EXCLUDED.sequence, by_id = EXCLUDED.by_id, at = EXCLUDED.at
    WHERE known.sequence < EXCLUDED.sequence
  RETURNING order_id AS "orderId", sequence`;

/**
 * Marks changes of a list as seen, each by its order and the last entry of that order's timeline that the caller knows.
 * What somebody has seen already stays theirs.
 * @returns how many orders are newly marked
 * @throws 401 the account was just deleted, 404 not a place of the farm
 */
export async function markSeen(
  platform: Platform,
  user: SessionUser,
  body: MarkSeen,
): Promise<{ seen: number }> {
  return transact(platform.db, async (tx) => {
    const scope = await lockList(tx, user, body);
    const { farmId } = scope;
    const at = await readClock(tx);
    const marks = new Map<string, number>();
    for (const { orderId, sequence } of body.changes) {
      marks.set(orderId, Math.max(sequence, marks.get(orderId) ?? 0));
    }
    const changes = await tx.$queryRawUnsafe<{ orderId: string; sequence: number }[]>(
      WRITE_SEEN,
      farmId,
      scope.date,
      scope.place,
      user.id,
      at,
      [...marks.keys()],
      [...marks.values()],
    );
    if (changes.length === 0) return { seen: 0 };
    const by = presentPerson(await readActor(tx, user.id));
    await resolveListAttentions(tx, 'seen', scope);
    await record(tx, {
      name: 'picklist.seen',
      data: { farmId, ...scopeFields(scope), changes, by, at: at.toISOString() },
      rooms: [room.farm(farmId)],
    });
    return { seen: changes.length };
  });
}
