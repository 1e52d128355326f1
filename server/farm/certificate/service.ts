import type { FarmCertificate, SaveCertificate } from '#contract/farm/certificate/certificate';
import { room } from '#contract/platform/events/constants';
import { msg } from '#contract/platform/text/constants/texts';
import { dayIn } from '#contract/platform/time/constants';
import type { Database, Transaction } from '../../../prisma/client.ts';
import { record } from '../../platform/events/event-log.ts';
import { invalidField, notFound } from '../../platform/http/errors.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { actingFarm, lockWorker } from '../../platform/sessions/lock-caller.ts';
import type { SessionUser } from '../../platform/sessions/sessions.ts';
import { transact } from '../../platform/stores/postgres.ts';
import { setTimers } from '../../platform/stores/timers.ts';
import { readClock } from '../../platform/time/clock.ts';
import { requireOwnUploads } from '../../platform/uploads/service.ts';
import { lockFarmProfile } from '../farmers/service.ts';
import { type CertificateRow, certificateTimers, presentCertificate } from './policy.ts';

/** Returns the certificate of the caller's farm. @throws 403 who works for no farm, 404 no such farm */
export const readCertificate = ({ db }: Platform, user: SessionUser): Promise<FarmCertificate> =>
  readCertificateOf(db, actingFarm(user));

/**
 * Gives the caller's farm a certificate in place of the one it had. Its timers follow, and the worker gives products
 * back the mark that they lost with the end of an earlier one. The same again changes nothing.
 * @throws 400 a day that is over by the farm's clock, or a picture that this farm did not upload; 401 the account was
 *   just deleted; 403 not within the caller's role; 404 no such farm
 */
export async function saveCertificate(
  platform: Platform,
  user: SessionUser,
  { image, code, validUntil }: SaveCertificate,
): Promise<FarmCertificate> {
  const farmId = actingFarm(user);
  return transact(platform.db, async (tx) => {
    await lockWorker(tx, user);
    const before = await lockFarmProfile(tx, farmId);
    if (validUntil < dayIn(before.timeZone, await readClock(tx))) {
      throw invalidField(
        'validUntil',
        msg('This day is over. Enter the last day of a certificate that holds.'),
      );
    }
    const known = presentCertificate(before);
    const isSame = known?.code === code && known.image === image && known.validUntil === validUntil;
    if (!isSame) {
      await requireOwnUploads(tx, farmId, { image });
      await writeCertificate(tx, farmId, {
        certificateCode: code,
        certificateImage: image,
        certificateUntil: new Date(validUntil),
      });
      await moveCertificateTimers(tx, [farmId]);
    }
    return readCertificateOf(tx, farmId);
  });
}

/**
 * Removes the certificate of the caller's farm. Its products keep their marks as they are: none gets back what it lost,
 * and none loses what it has. A farm without one stays as it is.
 * @throws 401 the account was just deleted, 403 not within the caller's role, 404 no such farm
 */
export async function removeCertificate(
  platform: Platform,
  user: SessionUser,
): Promise<FarmCertificate> {
  const farmId = actingFarm(user);
  return transact(platform.db, async (tx) => {
    await lockWorker(tx, user);
    const before = await lockFarmProfile(tx, farmId);
    if (presentCertificate(before)) {
      await writeCertificate(tx, farmId, {
        certificateCode: null,
        certificateImage: null,
        certificateUntil: null,
      });
    }
    return readCertificateOf(tx, farmId);
  });
}

async function writeCertificate(
  tx: Transaction,
  farmId: string,
  row: CertificateRow,
): Promise<void> {
  await tx.farmerProfile.update({
    where: { userId: farmId },
    data: { ...row, version: { increment: 1 } },
  });
  await record(tx, { name: 'farmer.updated', data: { _id: farmId }, rooms: [room.everyone] });
}

async function readCertificateOf(
  db: Database | Transaction,
  farmId: string,
): Promise<FarmCertificate> {
  const farm = await db.farmerProfile.findUnique({ where: { userId: farmId } });
  if (!farm) throw notFound(msg('Farmer not found'));
  const where = { farmerId: farmId, isOrganicLapsed: true };
  return {
    certificate: presentCertificate(farm),
    lapsedProducts: await db.product.count({ where }),
  };
}

/** Sets the timers of farms' certificates anew, which the caller's change has moved. Farms without one have none. */
export async function moveCertificateTimers(
  tx: Transaction,
  farmIds: readonly string[],
): Promise<void> {
  const farms = await tx.farmerProfile.findMany({
    where: { userId: { in: [...farmIds] }, certificateUntil: { not: null } },
    select: {
      ...{ userId: true, timeZone: true },
      ...{ certificateCode: true, certificateImage: true, certificateUntil: true },
    },
  });
  const now = await readClock(tx);
  const timers = farms.flatMap(({ userId: farmId, timeZone, ...row }) => {
    const validUntil = presentCertificate(row)?.validUntil;
    return validUntil ? certificateTimers({ farmId, validUntil, timeZone }, now) : [];
  });
  if (timers.length > 0) await setTimers(tx, timers);
}
