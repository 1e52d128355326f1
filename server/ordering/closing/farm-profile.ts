import type { Weekday } from '#contract/farm/farmers/constants';
import {
  BusinessHours,
  type FarmProfile,
  type OpeningHours,
  type UpdateFarmProfile,
} from '#contract/farm/farmers/farmers';
import { room } from '#contract/platform/events/constants';
import { msg } from '#contract/platform/text/constants/texts';
import { moveCertificateTimers } from '../../farm/certificate/service.ts';
import { presentFarmProfile, toPositionRow } from '../../farm/farmers/present.ts';
import { lockFarmProfile } from '../../farm/farmers/service.ts';
import { moveCutoffTimers } from '../../farm/schedule/rules.ts';
import { moveSlots } from '../../farm/slots/service.ts';
import { record } from '../../platform/events/event-log.ts';
import { conflict, invalidField, notFound, requireVersion } from '../../platform/http/errors.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { actingFarm, lockWorker } from '../../platform/sessions/lock-caller.ts';
import type { SessionUser } from '../../platform/sessions/sessions.ts';
import { databaseKnowsTimeZone, defined, transact } from '../../platform/stores/postgres.ts';
import { requireOwnUploads } from '../../platform/uploads/service.ts';
import { moveOpenOrders } from '../moves/write-moves.ts';

/**
 * Updates the given fields, links and days of a farm's profile. A trigger copies a new farm name to the
 * search text of its products; open orders of the days to come keep their date and time in a new time zone,
 * and so start at another instant. A farm whose founder has left also has its contact here, and takes the farm's
 * name as its own.
 * @throws 400 a time zone that the database does not know, or a picture that this farmer did not upload;
 *   401 when the account was just deleted; 403 not within the caller's role; 404 no such farm; 409
 *   VERSION_CONFLICT, or the contact is the founder's
 */
export async function updateFarmProfile(
  platform: Platform,
  user: SessionUser,
  { socialMedia, businessHours, contact, position, expectedVersion, ...fields }: UpdateFarmProfile,
): Promise<FarmProfile> {
  const farmId = actingFarm(user);
  const { timeZone } = fields;
  // Its lists of zones may be older or newer than ours, and every list of products asks it for days.
  if (timeZone !== undefined && !(await databaseKnowsTimeZone(platform.pool, timeZone))) {
    throw invalidField('timeZone', msg('Choose another time zone of this region.'));
  }
  return transact(platform.db, async (tx) => {
    await lockWorker(tx, user);
    // People before the farm: a founder may be leaving it.
    await tx.$queryRaw`SELECT 1 FROM users WHERE id = ${farmId}::uuid FOR NO KEY UPDATE`;
    const before = await lockFarmProfile(tx, farmId);
    const carrier = await tx.user.findUnique({ where: { id: farmId } });
    if (!carrier) throw notFound(msg('Farmer not found'));
    await requireVersion(expectedVersion, before.version, () =>
      presentFarmProfile(before, carrier),
    );
    if (contact && !carrier.isFarm) throw contactOfFounder();
    await requireOwnUploads(tx, farmId, { photo: fields.photo, cover: fields.cover });
    // Orders before products, as every command locks them.
    if (timeZone !== undefined && timeZone !== before.timeZone) {
      await moveCutoffTimers(tx, farmId, timeZone);
      await moveOpenOrders(tx, farmId, { timeZone, changedBy: user.id });
    }
    if (fields.farmName !== before.farmName) {
      // The trigger updates all products of the farm: lock them by ascending id, as orders do.
      await tx.$queryRaw`
        SELECT 1 FROM products WHERE farmer_id = ${farmId}::uuid ORDER BY id FOR NO KEY UPDATE`;
    }
    const hours = hoursAfter(BusinessHours.parse(before.businessHours), businessHours);
    const updated = await tx.farmerProfile.update({
      where: { userId: farmId },
      data: {
        ...defined({ ...fields, ...socialMedia }),
        businessHours: hours,
        ...toPositionRow(position),
        version: { increment: 1 },
      },
    });
    const carrierNow = carrier.isFarm
      ? await tx.user.update({
          where: { id: farmId },
          data: defined({ name: fields.farmName, phone: contact?.phone, ...contact?.address }),
        })
      : carrier;
    // Slots after products, as every command locks them.
    if (updated.timeZone !== before.timeZone) {
      await moveSlots(tx, farmId, updated.timeZone);
      await moveCertificateTimers(tx, [farmId]);
    }
    await record(tx, { name: 'farmer.updated', data: { _id: farmId }, rooms: [room.everyone] });
    return presentFarmProfile(updated, carrierNow);
  });
}

/** Returns the hours of a week after a change. A day keeps its further hours where a client does not know of them. */
const hoursAfter = (before: BusinessHours, change: UpdateFarmProfile['businessHours'] = {}) => {
  const hours = { ...before };
  for (const [day, next] of Object.entries(change) as [Weekday, OpeningHours][]) {
    const { open, close, more } = before[day];
    const isSame = open === next.open && close === next.close;
    hours[day] = { ...next, ...(isSame && next.more === undefined && more && { more }) };
    // None is said by its absence alone.
    if (hours[day].more?.length === 0) delete hours[day].more;
  }
  return hours;
};

const contactOfFounder = () =>
  conflict(
    'CONTACT_OF_FOUNDER',
    msg(
      'Phone and address are those of the founder of the farm, who changes them in their own profile.',
    ),
  );
