import { z } from 'zod';
import { farmNameOf } from '#contract/farm/farmers/constants';
import {
  type FarmQueue,
  FURTHER_STEPS,
  type FurtherStep,
  OPENING_STEPS,
  type OpeningStep,
} from '#contract/farm/opening/constants';
import type {
  AdminFarm,
  AdminFarmListQuery,
  DecideApproval,
  FarmOpening,
  SetAsideSteps,
} from '#contract/farm/opening/opening';
import type { Page } from '#contract/platform/http/http';
import { type Market, theMarket } from '#contract/platform/market/constants';
import { msg } from '#contract/platform/text/constants/texts';
import type { Database, Transaction } from '../../../prisma/client.ts';
import { type FarmerProfile, Prisma, type User } from '../../../prisma/generated/client.ts';
import { claimUnsolicited } from '../../people/notifications/limited-mails.ts';
import { presentAddress } from '../../people/users/present.ts';
import { record } from '../../platform/events/event-log.ts';
import { CursorTime, decodeCursor, toPage } from '../../platform/http/cursor.ts';
import { conflict, notFound } from '../../platform/http/errors.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { actingFarm, lockCaller, lockWorker } from '../../platform/sessions/lock-caller.ts';
import type { SessionUser } from '../../platform/sessions/sessions.ts';
import { audit } from '../../platform/stores/audit.ts';
import { transact } from '../../platform/stores/postgres.ts';
import { selectFields } from '../../platform/stores/sql.ts';
import { type ApprovalRow, approvalStateOf } from '../farmers/policy.ts';
import { presentOpenings } from '../farmers/present.ts';
import { recordApproval, roomsSeeing } from '../farmers/service.ts';

/** What the steps of a farm follow from; JSON has the hours as they are. */
interface OpeningRow extends Pick<FarmerProfile, 'farmName' | 'description' | 'hasSlots'> {
  city: string;
  businessHours: unknown;
  hasProduct: boolean;
  /** Whether an owner of it has proved their email. */
  hasVerifiedOwner: boolean;
  hasPlace: boolean;
  hasPayment: boolean;
  /** Whether more than one person works for it, or somebody is invited to. */
  hasPeople: boolean;
  setAsideSteps: string[];
}

/** What a market asks for that others do not. */
type OpeningTerms = Pick<Market, 'requiresVerifiedEmail'>;

const IS_DONE: Record<OpeningStep, (farm: OpeningRow) => boolean> = {
  email: ({ hasVerifiedOwner }) => hasVerifiedOwner,
  profile: ({ farmName, description }) => farmName !== '' && description !== '',
  // A town is enough: some farms have no street to name, others do not want theirs public.
  address: ({ city }) => city !== '',
  // The hours of its pickup places are hours too.
  hours: ({ businessHours, hasSlots }) => hasSlots || presentOpenings(businessHours).length > 0,
  product: ({ hasProduct }) => hasProduct,
};

/** Returns every step of a farm's way into the market, with whether it is done. */
const openingStepsOf = (
  farm: OpeningRow,
  { requiresVerifiedEmail }: OpeningTerms,
): { step: OpeningStep; isDone: boolean }[] =>
  OPENING_STEPS.filter((step) => step !== 'email' || requiresVerifiedEmail).map((step) => ({
    step,
    isDone: IS_DONE[step](farm),
  }));

const IS_FURTHER_DONE: Record<FurtherStep, (farm: OpeningRow) => boolean> = {
  place: ({ hasPlace }) => hasPlace,
  payment: ({ hasPayment }) => hasPayment,
  people: ({ hasPeople }) => hasPeople,
};

/** Returns whether nothing is missing. */
const isReady = (farm: OpeningRow, terms: OpeningTerms): boolean =>
  openingStepsOf(farm, terms).every(({ isDone }) => isDone);

const USER_FIELDS = [
  ...(['id', 'name', 'email', 'isFarm', 'phone', 'createdAt'] as const),
  ...(['street', 'city', 'state', 'zipCode'] as const),
];
const FARM_FIELDS = [
  ...(['farmName', 'description', 'businessHours', 'hasSlots'] as const),
  ...(['approvedAt', 'askedAt', 'sentBackReason', 'setAsideSteps'] as const),
];

/** A farm as {@link readFarm} reads it. */
interface FarmRow extends OpeningRow, ApprovalRow, Pick<User, (typeof USER_FIELDS)[number]> {
  /** By what the list is sorted. */
  at: Date;
}

const SELECT_FARMS = Prisma.sql`
  SELECT ${Prisma.raw(`${selectFields('u', USER_FIELDS)}, ${selectFields('f', FARM_FIELDS)}`)},
         COALESCE(f.asked_at, u.created_at) AS at,
         EXISTS (SELECT FROM products p WHERE p.farmer_id = u.id AND p.is_active) AS "hasProduct",
         EXISTS (
           SELECT FROM farm_members m JOIN users owner ON owner.id = m.user_id
           WHERE m.farm_id = u.id AND m.role = 'owner' AND owner.email_verified_at IS NOT NULL
         ) AS "hasVerifiedOwner",
         EXISTS (
           SELECT FROM places WHERE farm_id = u.id AND is_active AND removed_at IS NULL
         ) AS "hasPlace",
         f.payment_details <> '' AS "hasPayment",
         (SELECT count(*) > 1 FROM farm_members WHERE farm_id = u.id) AS "hasPeople"
  FROM users u JOIN farmer_profiles f ON f.user_id = u.id
  WHERE u.role = 'farmer' AND u.deleted_at IS NULL`;

const QUEUES: Record<FarmQueue, Prisma.Sql> = {
  waiting: Prisma.sql`f.approved_at IS NULL AND f.asked_at IS NOT NULL`,
  preparing: Prisma.sql`f.approved_at IS NULL AND f.asked_at IS NULL`,
  approved: Prisma.sql`f.approved_at IS NOT NULL`,
};

const Position = z.tuple([CursorTime, z.uuid()]);

/** Lists farms by where they stand: of those that wait the person who asked first, of others the newest. */
export async function listFarms(
  { db }: Platform,
  { state, limit, cursor }: AdminFarmListQuery,
): Promise<Page<AdminFarm>> {
  const isOldestFirst = state === 'waiting';
  const position = cursor === undefined ? undefined : decodeCursor(cursor, Position);
  const key = Prisma.sql`(COALESCE(f.asked_at, u.created_at), u.id)`;
  const rows = await db.$queryRaw<FarmRow[]>`
    ${SELECT_FARMS} AND ${QUEUES[state]}
      ${
        position
          ? Prisma.sql`AND ${key} ${isOldestFirst ? Prisma.sql`>` : Prisma.sql`<`}
              (${position[0]}::timestamptz, ${position[1]}::uuid)`
          : Prisma.empty
      }
    ORDER BY ${isOldestFirst ? Prisma.sql`at, u.id` : Prisma.sql`at DESC, u.id DESC`}
    LIMIT ${limit + 1}`;
  return toPage(rows, limit, (row) => [row.at.toISOString(), row.id], presentFarm);
}

/** Reads a farm with what its approval follows from. @throws 404 */
export async function readFarm(db: Database | Transaction, id: string): Promise<FarmRow> {
  const [row] = await db.$queryRaw<FarmRow[]>`${SELECT_FARMS} AND u.id = ${id}::uuid`;
  if (!row) throw notFound(msg('Farmer not found'));
  return row;
}

/** Presents how far a farm is on its way into the market. */
export const presentOpening = (row: FarmRow): FarmOpening => {
  const state = approvalStateOf(row);
  return {
    state,
    reason: state === 'sent_back' ? row.sentBackReason : null,
    steps: openingStepsOf(row, theMarket()),
    further: FURTHER_STEPS.map((step) => ({
      step,
      isDone: IS_FURTHER_DONE[step](row),
      isSetAside: row.setAsideSteps.includes(step),
    })),
  };
};

/** Presents a farm for admins. */
const presentFarm = (row: FarmRow): AdminFarm => ({
  ...presentOpening(row),
  _id: row.id,
  name: row.name,
  farmName: row.farmName,
  description: row.description,
  email: row.isFarm ? '' : row.email,
  phone: row.phone,
  address: presentAddress(row),
  createdAt: row.createdAt.toISOString(),
  askedAt: row.askedAt?.toISOString() ?? null,
});

/**
 * Asks admins to approve the farm. Asking again, or for a farm that is approved, changes nothing.
 * @throws 409 NOT_READY when a step is missing
 */
export function askForApproval({ db, env }: Platform, user: SessionUser): Promise<FarmOpening> {
  const farmId = actingFarm(user);
  return transact(db, async (tx) => {
    await lockWorker(tx, user);
    const before = await lockFarm(tx, farmId);
    if (before.approvedAt !== null || before.askedAt !== null) return presentOpening(before);
    if (!isReady(before, theMarket())) {
      throw conflict(
        'NOT_READY',
        msg('Something is still missing. Take the steps on your dashboard first.'),
      );
    }
    await tx.farmerProfile.update({
      where: { userId: farmId },
      data: { askedAt: new Date(), sentBackReason: null },
      select: { userId: true },
    });
    const after = await recordChange(tx, before);
    const isMailed = await claimUnsolicited(tx, env, { senderId: user.id, farmId, to: 'admins' });
    const data = { _id: farmId, name: farmNameOf(after), isMailed };
    await record(tx, { name: 'farm.waiting', data, rooms: [] });
    return presentOpening(after);
  });
}

/** Says which further steps the caller's farm does not need; they are asked for no longer. */
export function setAsideSteps(
  { db }: Platform,
  user: SessionUser,
  { steps }: SetAsideSteps,
): Promise<FarmOpening> {
  const farmId = actingFarm(user);
  return transact(db, async (tx) => {
    await lockWorker(tx, user);
    await lockFarm(tx, farmId);
    await tx.farmerProfile.update({
      where: { userId: farmId },
      data: { setAsideSteps: [...new Set(steps)] },
      select: { userId: true },
    });
    return presentOpening(await readFarm(tx, farmId));
  });
}

/**
 * Approves a farm, or sends it back with a reason: one that is in the market leaves it. The same again changes
 * nothing and is still audited.
 * @throws 404 no such farm, 409 APPROVAL_NOT_NEEDED the market approves no farms
 */
export function decideApproval(
  { db }: Platform,
  admin: SessionUser,
  farmId: string,
  { approved, reason }: DecideApproval,
): Promise<AdminFarm> {
  return transact(db, async (tx) => {
    await lockCaller(tx, admin.id);
    // People before the market and the farm. New products wait for it, and others for their locks, so that no
    // event of a product is addressed by what the farm was before.
    await tx.$queryRaw`SELECT 1 FROM users WHERE id = ${farmId}::uuid FOR NO KEY UPDATE`;
    // Shared: where the market stops approving farms, none may be sent back afterwards.
    const [market] = await tx.$queryRaw<{ approvesFarms: boolean }[]>`
      SELECT approves_farms AS "approvesFarms" FROM market_settings WHERE id = 1 FOR SHARE`;
    const before = await lockFarm(tx, farmId);
    await tx.$queryRaw`
      SELECT 1 FROM products WHERE farmer_id = ${farmId}::uuid ORDER BY id FOR NO KEY UPDATE`;
    if (!approved && !market?.approvesFarms) {
      throw conflict(
        'APPROVAL_NOT_NEEDED',
        msg('This market does not approve farms, so none can be sent back.'),
      );
    }
    await audit(tx, admin, approved ? 'farm.approved' : 'farm.sentBack', farmId, {
      name: farmNameOf(before),
      ...(approved ? {} : { reason }),
    });
    const isSame = approved
      ? before.approvedAt !== null
      : before.approvedAt === null && before.askedAt === null && before.sentBackReason === reason;
    if (isSame) return presentFarm(before);
    const seersBefore = await roomsSeeing(tx, farmId);
    await tx.farmerProfile.update({
      where: { userId: farmId },
      data: {
        approvedAt: approved ? new Date() : null,
        askedAt: null,
        sentBackReason: approved ? null : reason,
      },
      select: { userId: true },
    });
    return presentFarm(await recordChange(tx, before, seersBefore));
  });
}

/** Locks the farm's profile until the transaction ends, and reads the farm. @throws 404 */
async function lockFarm(tx: Transaction, farmId: string): Promise<FarmRow> {
  await tx.$queryRaw`SELECT 1 FROM farmer_profiles WHERE user_id = ${farmId}::uuid FOR UPDATE`;
  return readFarm(tx, farmId);
}

/**
 * Records what a change has made of a farm.
 * @param seersBefore the rooms of those who saw it before, where it may have left the market
 * @returns the farm as it is now
 */
async function recordChange(
  tx: Transaction,
  before: FarmRow,
  seersBefore: Awaited<ReturnType<typeof roomsSeeing>> = [],
): Promise<FarmRow> {
  const after = await readFarm(tx, before.id);
  const { state, reason } = presentOpening(after);
  const isApproved = after.approvedAt !== null;
  const isChanged = (before.approvedAt !== null) !== isApproved;
  const seers = isApproved ? await roomsSeeing(tx, before.id) : seersBefore;
  await recordApproval(tx, [
    { _id: after.id, name: farmNameOf(after), state, reason, seers: isChanged ? seers : undefined },
  ]);
  return after;
}
