import { isCertified, mayBeOrganic } from '#contract/farm/certificate/constants';
import { theMarket } from '#contract/platform/market/constants';
import { msg } from '#contract/platform/text/constants/texts';
import { dayIn } from '#contract/platform/time/constants';
import type { Transaction } from '../../../prisma/client.ts';
import {
  endOfCertificate,
  ORGANIC_TIMER,
  organicTimer,
  presentCertificate,
} from '../../farm/certificate/policy.ts';
import { record } from '../../platform/events/event-log.ts';
import { type AppError, conflict } from '../../platform/http/errors.ts';
import { setTimer } from '../../platform/stores/timers.ts';
import { readClock } from '../../platform/time/clock.ts';
import { presentProduct, productEvents, productInclude } from '../products/present.ts';

// The mark of organic goods, which a farm's certificate stands for where it has one.

/** Products that one transaction marks, so that orders never wait long for them. */
const PRODUCTS_AT_ONCE = 50;

/**
 * Makes the marks of a farm's products follow its certificate, as a timer asks for: once that has ended they lose them,
 * and get them back while another one holds. Sets the timer of what is left to do, be it at once or at the end of the
 * certificate. A farm that has removed its certificate stays as it is.
 */
export async function alignOrganic(tx: Transaction, timerKey: string): Promise<void> {
  const farmId = timerKey.slice(ORGANIC_TIMER.length + 1);
  // The farm before its products, as every command locks them. What marks a product shares this lock.
  await tx.$queryRaw`SELECT 1 FROM farmer_profiles WHERE user_id = ${farmId}::uuid FOR NO KEY UPDATE`;
  const farm = await tx.farmerProfile.findUnique({ where: { userId: farmId } });
  const certificate = farm && presentCertificate(farm);
  if (!certificate) return;
  const now = await readClock(tx);
  const holds = isCertified(certificate, dayIn(farm.timeZone, now));
  const isLeft = await markSome(tx, farmId, holds);
  if (isLeft) await setTimer(tx, organicTimer(farmId, now));
  else if (holds) {
    const end = endOfCertificate(certificate.validUntil, farm.timeZone);
    await setTimer(tx, organicTimer(farmId, end));
  }
}

/** Marks or unmarks some products, each with its event. @returns whether there may be more */
async function markSome(tx: Transaction, farmId: string, isOrganic: boolean): Promise<boolean> {
  const locked = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM products
    WHERE farmer_id = ${farmId}::uuid
      AND CASE WHEN ${isOrganic} THEN is_organic_lapsed ELSE is_organic END
    ORDER BY id LIMIT ${PRODUCTS_AT_ONCE} FOR NO KEY UPDATE`;
  const where = { id: { in: locked.map(({ id }) => id) } };
  await tx.product.updateMany({
    where,
    data: { isOrganic, isOrganicLapsed: !isOrganic, version: { increment: 1 } },
  });
  const rows = await tx.product.findMany({
    where,
    include: productInclude,
    orderBy: { id: 'asc' },
  });
  // Who may see a product does not change with its mark.
  await record(tx, ...rows.flatMap((row) => productEvents(row, presentProduct(row))));
  return locked.length === PRODUCTS_AT_ONCE;
}

/**
 * Keeps the certificate of a farm as it is until the transaction ends, so that what is marked as organic by it is seen
 * once it has ended. Called before products are locked.
 */
export async function keepCertificate(tx: Transaction, farm: { id: string } | { of: string }) {
  await ('id' in farm
    ? tx.$queryRaw`SELECT 1 FROM farmer_profiles WHERE user_id = ${farm.id}::uuid FOR SHARE`
    : tx.$queryRaw`SELECT 1 FROM farmer_profiles
        WHERE user_id = (SELECT farmer_id FROM products WHERE id = ${farm.of}::uuid) FOR SHARE`);
}

/** Requires that products of a farm can be marked as organic. @throws 409 CERTIFICATE_REQUIRED */
export async function requireCertified(tx: Transaction, farmId: string): Promise<void> {
  const refusal = await refuseOrganic(tx, farmId);
  if (refusal) throw refusal;
}

/** Returns why products of a farm cannot be marked as organic; nothing where they can. */
export async function refuseOrganic(
  tx: Transaction,
  farmId: string,
): Promise<AppError | undefined> {
  const farm = await tx.farmerProfile.findUnique({ where: { userId: farmId } });
  const certificate = farm && presentCertificate(farm);
  const today = dayIn(farm?.timeZone, await readClock(tx));
  if (mayBeOrganic(certificate, today, theMarket())) return undefined;
  const message = certificate
    ? msg(
        "Your organic certificate has ended, so this can't be marked as organic. Enter the new one in the settings of your farm.",
      )
    : msg(
        'This market asks for an organic certificate. Enter yours in the settings of your farm to mark products as organic.',
      );
  return conflict('CERTIFICATE_REQUIRED', message, [{ path: 'isOrganic', message }]);
}
