import { z } from 'zod';
import type { FarmerCard, FarmerDetail, FarmerListQuery } from '#contract/farm/farmers/farmers';
import type { Page } from '#contract/platform/http/http';
import type { Database, Transaction } from '../../../prisma/client.ts';
import { type FarmerProfile, Prisma } from '../../../prisma/generated/client.ts';
import { presentAddress } from '../../people/users/present.ts';
import { decodeCursor, toPage } from '../../platform/http/cursor.ts';
import { notFound } from '../../platform/http/errors.ts';
import type { Platform } from '../../platform/http/platform.ts';
import type { SessionUser } from '../../platform/sessions/sessions.ts';
import { foldedPattern } from '../../platform/stores/sql.ts';
import { farmStateOf, maySeeFarm } from './policy.ts';
import { presentFarmer, presentHandoff } from './present.ts';

interface CardRow {
  id: string;
  name: string;
  street: string;
  city: string;
  state: string;
  zipCode: string;
  createdAt: Date;
  farmName: string;
  description: string;
  farmingPractices: string[];
  acceptsPickup: boolean;
  acceptsDelivery: boolean;
  deliveryRadius: number | null;
  businessHours: unknown;
  cutoffDaysBefore: number | null;
  cutoffTime: string | null;
  closedDays: string[];
  bookableDays: number;
  pickupOpenings: unknown;
  photo: string | null;
  cover: string | null;
  timeZone: string;
  productCount: number;
  sortKey: string;
}

const NameCursor = z.tuple([z.string(), z.uuid()]);

/** Lists farms by farm name, else by farmer's name, each with its count of listed products. */
export async function listFarmers(
  { db }: Platform,
  { limit, cursor, search }: FarmerListQuery,
): Promise<Page<FarmerCard>> {
  const place = cursor === undefined ? undefined : decodeCursor(cursor, NameCursor);
  const sortKey = Prisma.sql`lower(COALESCE(NULLIF(f.farm_name, ''), u.name))`;
  const rows = await db.$queryRaw<CardRow[]>`
    SELECT u.id, u.name, u.street, u.city, u.state, u.zip_code AS "zipCode",
           u.created_at AS "createdAt", f.farm_name AS "farmName", f.description,
           f.farming_practices AS "farmingPractices", f.accepts_pickup AS "acceptsPickup",
           f.accepts_delivery AS "acceptsDelivery", f.delivery_radius AS "deliveryRadius",
           f.business_hours AS "businessHours", f.cutoff_days_before AS "cutoffDaysBefore",
           f.cutoff_time AS "cutoffTime", to_json(f.closed_days) AS "closedDays", f.bookable_days AS "bookableDays",
           f.pickup_openings AS "pickupOpenings", f.photo, f.cover, f.time_zone AS "timeZone",
           ${sortKey} AS "sortKey",
           (SELECT count(*)::int FROM products p
            WHERE p.farmer_id = u.id AND p.is_active
              AND (p.available_until IS NULL OR p.available_until >= day_in(f.time_zone))
           ) AS "productCount"
    FROM users u JOIN farmer_profiles f ON f.user_id = u.id
    WHERE u.role = 'farmer' AND u.deleted_at IS NULL AND u.suspended_at IS NULL
      AND f.approved_at IS NOT NULL
      ${
        search
          ? Prisma.sql`AND search_form(f.farm_name || ' ' || u.name)
                       LIKE ${foldedPattern(search)}`
          : Prisma.empty
      }
      ${place ? Prisma.sql`AND (${sortKey}, u.id) > (${place[0]}, ${place[1]}::uuid)` : Prisma.empty}
    ORDER BY ${sortKey}, u.id
    LIMIT ${limit + 1}`;
  const page = toPage(rows, limit, (row) => [row.sortKey, row.id]);
  return { items: page.rows.map(presentCard), nextCursor: page.nextCursor };
}

const presentCard = (row: CardRow): FarmerCard => ({
  _id: row.id,
  name: row.name,
  address: presentAddress(row),
  createdAt: row.createdAt.toISOString(),
  farmName: row.farmName,
  description: row.description,
  farmingPractices: row.farmingPractices,
  productCount: row.productCount,
  handoff: presentHandoff(row),
  photo: row.photo,
  cover: row.cover,
});

/** Returns the ids of all farms of the market, the oldest first. */
export const listFarmIds = async ({ db }: Platform): Promise<string[]> => {
  const rows = await db.user.findMany({
    where: {
      role: 'farmer',
      deletedAt: null,
      suspendedAt: null,
      farm: { approvedAt: { not: null } },
    },
    select: { id: true },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
  return rows.map(({ id }) => id);
};

/**
 * Returns a farm with its profile, to those who may see its page: see `maySeeFarm`.
 * @throws 404 for an unknown farm
 */
export async function readFarmer(
  { db }: { db: Database | Transaction },
  id: string,
  user: SessionUser | null = null,
): Promise<FarmerDetail> {
  const row = await db.user.findUnique({
    where: { id, role: 'farmer', deletedAt: null },
    include: { farm: true },
  });
  if (!row?.farm) throw notFound('Farmer not found');
  const { approvedAt } = row.farm;
  const state = farmStateOf({ approvedAt, suspendedAt: row.suspendedAt });
  // Asked only where it decides.
  const hasOrdered = state === 'suspended' && user !== null && (await hasOrderedAt(db, user, id));
  if (!maySeeFarm(user, { id, state }, 'page', { hasOrdered })) throw notFound('Farmer not found');
  return presentFarmer({ ...row, farm: row.farm });
}

const hasOrderedAt = async (
  db: Database | Transaction,
  user: SessionUser,
  farmId: string,
): Promise<boolean> =>
  (await db.order.findFirst({
    where: { farmerId: farmId, consumerId: user.id },
    select: { id: true },
  })) !== null;

/** Locks a farm's profile until the transaction ends, and reads it. @throws 404 no such farm */
export async function lockFarmProfile(tx: Transaction, farmId: string): Promise<FarmerProfile> {
  await tx.$queryRaw`SELECT 1 FROM farmer_profiles WHERE user_id = ${farmId}::uuid FOR UPDATE`;
  // A separate statement, so that it sees what was committed while waiting for the lock.
  const row = await tx.farmerProfile.findUnique({ where: { userId: farmId } });
  if (!row) throw notFound('Farmer not found');
  return row;
}
