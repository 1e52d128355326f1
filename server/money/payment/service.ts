import {
  type FarmPayment,
  paymentApi,
  type UpdateFarmPayment,
} from '#contract/money/payment/payment';
import { partyTo } from '#contract/ordering/orders/constants';
import { room } from '#contract/platform/events/constants';
import { canActFor } from '#contract/platform/session/constants';
import { msg } from '#contract/platform/text/constants/texts';
import type { FarmerProfile } from '../../../prisma/generated/client.ts';
import { lockFarmProfile } from '../../farm/farmers/service.ts';
import { canReadOrder } from '../../ordering/model/policy.ts';
import { record } from '../../platform/events/event-log.ts';
import { notFound, requireVersion } from '../../platform/http/errors.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { type Route, route } from '../../platform/http/route.ts';
import { actingFarm, lockWorker, withoutPermission } from '../../platform/sessions/lock-caller.ts';
import type { SessionUser } from '../../platform/sessions/sessions.ts';
import { transact } from '../../platform/stores/postgres.ts';

type PaymentRow = Pick<FarmerProfile, 'paymentDetails' | 'paymentVersion'>;

const presentPayment = (row: PaymentRow): FarmPayment => ({
  details: row.paymentDetails,
  version: row.paymentVersion,
});

const noFarm = () => notFound(msg('Farmer not found'));

/** Returns how to pay the caller's farm. @throws 403 who works for no farm, 404 no such farm */
export async function readPayment({ db }: Platform, user: SessionUser): Promise<FarmPayment> {
  const row = await db.farmerProfile.findUnique({ where: { userId: actingFarm(user) } });
  if (!row) throw noFarm();
  return presentPayment(row);
}

/**
 * Changes how to pay the caller's farm. Its consumers are notified as of any change of the farm.
 * @throws 401 the account was just deleted; 403 not within the caller's role; 404 no such farm;
 *   409 VERSION_CONFLICT
 */
async function updatePayment(
  platform: Platform,
  user: SessionUser,
  { details, expectedVersion }: UpdateFarmPayment,
): Promise<FarmPayment> {
  const farmId = actingFarm(user);
  return transact(platform.db, async (tx) => {
    await lockWorker(tx, user);
    const before = await lockFarmProfile(tx, farmId);
    await requireVersion(expectedVersion, before.paymentVersion, () => presentPayment(before));
    const updated = await tx.farmerProfile.update({
      where: { userId: farmId },
      data: { paymentDetails: details, paymentVersion: { increment: 1 } },
    });
    await record(tx, { name: 'farmer.updated', data: { _id: farmId }, rooms: [room.everyone] });
    return presentPayment(updated);
  });
}

/**
 * Returns how to pay the farm of an order.
 * @throws 403 not within the caller's role on the farm; 404 no such order, or not this user's to read
 */
async function readPaymentOfOrder(
  { db }: Platform,
  orderId: string,
  user: SessionUser,
): Promise<Pick<FarmPayment, 'details'>> {
  const order = await db.order.findUnique({
    where: { id: orderId },
    select: {
      consumerId: true,
      farmerId: true,
      farmer: { select: { farm: { select: { paymentDetails: true } } } },
    },
  });
  if (!order || !canReadOrder(user, order)) throw notFound(msg('Order not found'));
  if (partyTo(order, user) === 'farmer' && !canActFor(user, order.farmerId, 'seeSales')) {
    throw withoutPermission();
  }
  return { details: order.farmer.farm?.paymentDetails ?? '' };
}

/** Routes of how to pay a farm. */
export const paymentRoutes = (platform: Platform): Route[] => [
  route(paymentApi.own, async ({ user }) => ({ data: await readPayment(platform, user) })),
  route(paymentApi.update, async ({ user, body }) => ({
    data: await updatePayment(platform, user, body),
  })),
  route(paymentApi.ofOrder, async ({ params, user }) => ({
    data: await readPaymentOfOrder(platform, params.id, user),
  })),
];
