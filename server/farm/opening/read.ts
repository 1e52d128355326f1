import { z } from 'zod';
import { type FarmQueue, OPENING_STEPS, type OpeningStep } from '#contract/farm/opening/constants';
import type { AdminFarm, AdminFarmListQuery, FarmOpening } from '#contract/farm/opening/opening';
import type { Page } from '#contract/platform/http/http';
import { theMarket } from '#contract/platform/market/constants/market';
import type { Database, Transaction } from '../../../prisma/client.ts';
import { Prisma } from '../../../prisma/generated/client.ts';
import { presentAddress } from '../../people/users/present.ts';
import { CursorTime, decodeCursor, toPage } from '../../platform/http/cursor.ts';
import { notFound } from '../../platform/http/errors.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { type ApprovalRow, approvalStateOf } from '../farmers/policy.ts';
import { presentOpenings } from '../farmers/present.ts';

/** What the steps of a farm follow from. */
export interface OpeningRow {
  farmName: string;
  description: string;
  city: string;
  /** JSON, as it is. */
  businessHours: unknown;
  hasSlots: boolean;
  hasProduct: boolean;
  /** Whether an owner of it has proved their email. */
  hasVerifiedOwner: boolean;
}

/** What a market asks for that others do not. */
export interface OpeningTerms {
  requiresVerifiedEmail: boolean;
}

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
export const openingStepsOf = (
  farm: OpeningRow,
  { requiresVerifiedEmail }: OpeningTerms,
): { step: OpeningStep; isDone: boolean }[] =>
  OPENING_STEPS.filter((step) => step !== 'email' || requiresVerifiedEmail).map((step) => ({
    step,
    isDone: IS_DONE[step](farm),
  }));

/** Returns whether nothing is missing. */
export const isReady = (farm: OpeningRow, terms: OpeningTerms): boolean =>
  openingStepsOf(farm, terms).every(({ isDone }) => isDone);

/** A farm as {@link readFarm} reads it. */
export interface FarmRow extends OpeningRow, ApprovalRow {
  id: string;
  name: string;
  email: string;
  isFarm: boolean;
  phone: string;
  street: string;
  city: string;
  state: string;
  zipCode: string;
  createdAt: Date;
  /** By what the list is sorted. */
  at: Date;
}

const SELECT_FARMS = Prisma.sql`
  SELECT u.id, u.name, u.email, u.is_farm AS "isFarm", u.phone, u.street, u.city, u.state,
         u.zip_code AS "zipCode", u.created_at AS "createdAt",
         COALESCE(f.asked_at, u.created_at) AS at, f.farm_name AS "farmName", f.description,
         f.business_hours AS "businessHours", f.has_slots AS "hasSlots",
         f.approved_at AS "approvedAt", f.asked_at AS "askedAt",
         f.sent_back_reason AS "sentBackReason",
         EXISTS (SELECT FROM products p WHERE p.farmer_id = u.id AND p.is_active) AS "hasProduct",
         EXISTS (
           SELECT FROM farm_members m JOIN users owner ON owner.id = m.user_id
           WHERE m.farm_id = u.id AND m.role = 'owner' AND owner.email_verified_at IS NOT NULL
         ) AS "hasVerifiedOwner"
  FROM users u JOIN farmer_profiles f ON f.user_id = u.id
  WHERE u.role = 'farmer' AND u.deleted_at IS NULL`;

const QUEUES: Record<FarmQueue, Prisma.Sql> = {
  waiting: Prisma.sql`f.approved_at IS NULL AND f.asked_at IS NOT NULL`,
  preparing: Prisma.sql`f.approved_at IS NULL AND f.asked_at IS NULL`,
  approved: Prisma.sql`f.approved_at IS NOT NULL`,
};

const Position = z.tuple([CursorTime, z.uuid()]);

/** Lists farms by where they stand: of those that wait whoever asked first, of others the newest. */
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
  const page = toPage(rows, limit, (row) => [row.at.toISOString(), row.id]);
  return { items: page.rows.map(presentFarm), nextCursor: page.nextCursor };
}

/** Reads a farm with what its approval follows from. @throws 404 */
export async function readFarm(db: Database | Transaction, id: string): Promise<FarmRow> {
  const [row] = await db.$queryRaw<FarmRow[]>`${SELECT_FARMS} AND u.id = ${id}::uuid`;
  if (!row) throw notFound('Farmer not found');
  return row;
}

/** Presents how far a farm is on its way into the market. */
export const presentOpening = (row: FarmRow): FarmOpening => {
  const state = approvalStateOf(row);
  return {
    state,
    reason: state === 'sent_back' ? row.sentBackReason : null,
    steps: openingStepsOf(row, theMarket()),
  };
};

/** Presents a farm for admins. */
export const presentFarm = (row: FarmRow): AdminFarm => ({
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
