import { z } from 'zod';
import type { FarmerCard, FarmerDetail, FarmerListQuery } from '#contract/farm/farmers/farmers';
import type { ApprovalState } from '#contract/farm/opening/constants';
import { room } from '#contract/platform/events/constants';
import type { EventRoom } from '#contract/platform/events/event';
import type { Address, Page } from '#contract/platform/http/http';
import { theMarket } from '#contract/platform/market/constants';
import { msg } from '#contract/platform/text/constants/texts';
import type { Database, Transaction } from '../../../prisma/client.ts';
import { type FarmerProfile, Prisma, type User } from '../../../prisma/generated/client.ts';
import { presentAddress } from '../../people/users/present.ts';
import { type NewEvent, record } from '../../platform/events/event-log.ts';
import { decodeCursor, toPage } from '../../platform/http/cursor.ts';
import { notFound } from '../../platform/http/errors.ts';
import type { Platform } from '../../platform/http/platform.ts';
import type { SessionUser } from '../../platform/sessions/sessions.ts';
import { hasWords, jsonFields } from '../../platform/stores/sql.ts';
import { presentPublicPlace, readOfferedPlaces } from '../places/present.ts';
import { type FarmStateRow, farmStateOf, maySeeFarm } from './policy.ts';
import {
  HANDOFF_FIELDS,
  type HandoffRow,
  type PositionRow,
  presentFarmer,
  presentHandoff,
  presentPosition,
} from './present.ts';

/** What a card shows of a farm's profile as it is. */
const CARD_FIELDS = ['farmName', 'description', 'farmingPractices', 'photo', 'cover'] as const;
const POSITION_FIELDS = ['latitude', 'longitude'] as const;
interface CardRow extends Address, Pick<User, 'id' | 'name' | 'createdAt'> {
  shown: Pick<FarmerProfile, (typeof CARD_FIELDS)[number]>;
  handoff: HandoffRow;
  position: PositionRow;
  productCount: number;
  listedName: string;
}

const NameCursor = z.tuple([z.string(), z.uuid()]);

/** Lists farms by farm name, else by farmer's name, each with its count of listed products. */
export async function listFarmers(
  { db }: Platform,
  { limit, cursor, search }: FarmerListQuery,
): Promise<Page<FarmerCard>> {
  const place = cursor === undefined ? undefined : decodeCursor(cursor, NameCursor);
  const words = search
    ? Prisma.sql`AND ${hasWords(search, Prisma.sql`search_form(farm.farm_name)`, Prisma.sql`farmer.search_name`, TOWNS)}`
    : Prisma.empty;
  const after = place
    ? Prisma.sql`AND (farm.listed_name COLLATE "by_name", farm.user_id) > (${place[0]}, ${place[1]}::uuid)`
    : Prisma.empty;
  const rows = await readCards(
    db,
    Prisma.sql`${words} ${after}
      ORDER BY farm.listed_name COLLATE "by_name", farm.user_id
      LIMIT ${limit + 1}`,
  );
  return toPage(rows, limit, (row) => [row.listedName, row.id], presentCard);
}

/** Returns the cards of those of these farms that are in the market, by name. */
export async function findFarmCards(
  { db }: { db: Database | Transaction },
  ids: readonly string[],
): Promise<FarmerCard[]> {
  const rows = await readCards(db, Prisma.sql`AND farm.user_id = ANY (${ids}::uuid[])`);
  return rows.map(presentCard);
}

/** Reads the farms in the market (`farm`, of `farmer`) that `which` selects. What a card shows is read of those alone. */
const readCards = (db: Database | Transaction, which: Prisma.Sql) =>
  db.$queryRaw<CardRow[]>`
    SELECT u.id, u.name, u.street, u.city, u.state, u.zip_code AS "zipCode",
           u.created_at AS "createdAt",
           json_build_object(${Prisma.raw(jsonFields('f', CARD_FIELDS))}) AS shown,
           json_build_object(${Prisma.raw(jsonFields('f', HANDOFF_FIELDS))}) AS handoff,
           json_build_object(${Prisma.raw(jsonFields('f', POSITION_FIELDS))}) AS position,
           f.listed_name AS "listedName",
           (SELECT count(*)::int FROM products p
            WHERE p.farmer_id = u.id AND p.is_active
              AND (p.available_until IS NULL OR p.available_until >= day_in(f.time_zone))
           ) AS "productCount"
    FROM (
      SELECT farm.* FROM farmer_profiles farm JOIN users farmer ON farmer.id = farm.user_id
      WHERE farmer.role = 'farmer' AND farmer.deleted_at IS NULL AND farmer.suspended_at IS NULL
        AND farm.approved_at IS NOT NULL ${which}
    ) f JOIN users u ON u.id = f.user_id
    ORDER BY f.listed_name COLLATE "by_name", f.user_id`;

/** The towns of a farm (`farm`, of `farmer`): its own, and those of the places where one can pick up. */
const TOWNS = Prisma.sql`search_form(concat_ws(' ', farmer.city,
  (SELECT string_agg(place->>'town', ' ') FROM jsonb_array_elements(farm.pickup_places) place
    WHERE farm.accepts_pickup)))`;

const presentCard = (row: CardRow): FarmerCard => ({
  _id: row.id,
  name: row.name,
  address: presentAddress(row),
  createdAt: row.createdAt.toISOString(),
  ...row.shown,
  position: presentPosition(row.position),
  productCount: row.productCount,
  handoff: presentHandoff(row.handoff),
});

/** Returns the ids of all farms of the market, the oldest first. */
export const listFarmIds = async ({ db }: Platform): Promise<string[]> => {
  const rows = await db.user.findMany({
    where: {
      role: 'farmer',
      ...{ deletedAt: null, suspendedAt: null },
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
  if (!row?.farm) throw notFound(msg('Farmer not found'));
  const { approvedAt } = row.farm;
  const state = farmStateOf({ approvedAt, suspendedAt: row.suspendedAt });
  // Asked only where it decides.
  const hasOrdered = state === 'suspended' && user !== null && (await hasOrderedAt(db, user, id));
  if (!maySeeFarm(user, { id, state }, 'page', { hasOrdered }))
    throw notFound(msg('Farmer not found'));
  const isOffered =
    row.farm.acceptsPickup && maySeeFarm(user, { id, state }, 'offer', { hasOrdered });
  const places = isOffered ? await readOfferedPlaces(db, id) : [];
  return presentFarmer({ ...row, farm: row.farm }, places.map(presentPublicPlace));
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
  if (!row) throw notFound(msg('Farmer not found'));
  return row;
}

/** Returns when a farm that registers now is approved: at once, or not until an admin has seen it. */
async function approvalOfNewFarm(tx: Transaction): Promise<Date | null> {
  // Shared, so that the setting does not change before this farm is there.
  const [market] = await tx.$queryRaw<{ approvesFarms: boolean }[]>`
    SELECT approves_farms AS "approvesFarms" FROM market_settings WHERE id = 1 FOR SHARE`;
  return market?.approvesFarms ? null : new Date();
}

/**
 * Approves all drafts, for a market that no longer approves farms. Its caller has locked the market's row, so
 * that no farm becomes a draft meanwhile.
 */
export async function approveAllFarms(tx: Transaction): Promise<void> {
  const farms = await tx.$queryRaw<{ _id: string; name: string }[]>`
    WITH draft AS MATERIALIZED (
      SELECT user_id FROM farmer_profiles WHERE approved_at IS NULL ORDER BY user_id FOR UPDATE
    ), shelf AS MATERIALIZED (
      SELECT p.id FROM products p JOIN draft ON draft.user_id = p.farmer_id
      ORDER BY p.id FOR NO KEY UPDATE OF p
    )
    UPDATE farmer_profiles farm
    SET approved_at = now(), asked_at = NULL, sent_back_reason = NULL
    FROM draft, users u, (SELECT count(*) FROM shelf) AS locked
    WHERE farm.user_id = draft.user_id AND u.id = farm.user_id
    RETURNING farm.user_id AS _id, COALESCE(NULLIF(farm.farm_name, ''), u.name) AS name`;
  const approved = { state: 'approved', reason: null } as const;
  const decided: Parameters<typeof recordApproval>[1][number][] = [];
  for (const farm of farms) {
    decided.push({ ...farm, ...approved, seers: await roomsSeeing(tx, farm._id) });
  }
  await recordApproval(tx, decided);
}

/** Opens the farm of a farmer who registers, with them as its owner. */
export async function openFarm(tx: Transaction, farmerId: string): Promise<void> {
  await tx.farmerProfile.create({
    data: {
      userId: farmerId,
      timeZone: theMarket().timeZone,
      approvedAt: await approvalOfNewFarm(tx),
    },
    select: { userId: true },
  });
  await tx.farmMember.create({
    data: { farmId: farmerId, userId: farmerId, role: 'owner' },
    select: { id: true },
  });
}

type FarmRooms = EventRoom<'farmer.listingChanged'>[];

/**
 * Returns the rooms of those who may see a farm's page as it is now, as `maySeeFarm` says. Whatever takes the farm away
 * from them asks before it does: afterwards nobody knows who they were.
 */
export async function roomsSeeing(tx: Transaction, farmId: string): Promise<FarmRooms> {
  const [farm] = await tx.$queryRaw<FarmStateRow[]>`
    SELECT farm.approved_at AS "approvedAt", carrier.suspended_at AS "suspendedAt"
    FROM farmer_profiles farm JOIN users carrier ON carrier.id = farm.user_id
    WHERE farm.user_id = ${farmId}::uuid`;
  const state = farm ? farmStateOf(farm) : 'open';
  if (state === 'open') return [room.everyone];
  const insiders = [room.farm(farmId), room.admins];
  if (state === 'draft') return insiders;
  const customers = await tx.$queryRaw<{ id: string }[]>`
    SELECT DISTINCT consumer_id AS id FROM orders WHERE farmer_id = ${farmId}::uuid`;
  return [...insiders, ...customers.map(({ id }) => room.user(id))];
}

/** A farm that came to another state. */
interface Decided {
  _id: string;
  name: string;
  state: ApprovalState;
  reason: string | null;
  /** Whom it is shown to from now on, or no longer; undefined where that stays. */
  seers?: FarmRooms | undefined;
}

/** Records that farms came to another state, and that they can be seen now, or no longer. */
export const recordApproval = (tx: Transaction, farms: readonly Decided[]): Promise<void> =>
  record(
    tx,
    ...farms.flatMap(({ seers, ...data }): NewEvent[] => {
      const { _id } = data;
      const changed: NewEvent = {
        name: 'farm.approvalChanged',
        data,
        rooms: [room.farm(_id), room.admins],
      };
      if (!seers) return [changed];
      const isListed = data.state === 'approved' && seers.includes(room.everyone);
      return [
        changed,
        { name: 'farmer.listingChanged', data: { _id, isListed }, rooms: seers },
        { name: 'farmer.updated', data: { _id }, rooms: [room.everyone] },
      ];
    }),
  );
