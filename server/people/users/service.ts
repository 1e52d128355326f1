import { z } from 'zod';
import type { UserSort, UserState } from '#contract/people/users/constants';
import type { UpdateProfile, User, UserListQuery } from '#contract/people/users/users';
import type { Page } from '#contract/platform/http/http';
import { theMarket } from '#contract/platform/market/constants';
import { msg } from '#contract/platform/text/constants/texts';
import { Prisma } from '../../../prisma/generated/client.ts';
import { CursorTime, decodeCursor, TimeCursor, toPage } from '../../platform/http/cursor.ts';
import { invalidField, requireVersion } from '../../platform/http/errors.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { offeredLanguages } from '../../platform/market/readers.ts';
import { afterCommit } from '../../platform/process/request-context.ts';
import { lockCaller, lockCallerAlone } from '../../platform/sessions/lock-caller.ts';
import type { SessionUser } from '../../platform/sessions/sessions.ts';
import { defined, transact } from '../../platform/stores/postgres.ts';
import { hasWords, orHasPhone, withinDays } from '../../platform/stores/sql.ts';
import { phoneOfProfile } from '../phone/service.ts';
import { followProfile, recordProfileChange } from './addresses.ts';
import { membershipInclude, presentUser, presentUserForAdmins } from './present.ts';

/**
 * Updates the given fields of the user's own name, phone, address, language and wish for shortages.
 * @throws 400 a language that the market is not offered in, 401 when the account was just deleted, 409 VERSION_CONFLICT
 */
export async function updateProfile(
  platform: Platform,
  user: SessionUser,
  { address, phone, expectedVersion, ...fields }: UpdateProfile,
): Promise<User> {
  if (fields.language && !offeredLanguages().includes(fields.language))
    throw invalidField('language', msg('The market is not offered in this language.'));
  const row = await transact(platform.db, async (tx) => {
    await (phone === undefined ? lockCaller : lockCallerAlone)(tx, user.id);
    if (expectedVersion !== undefined) {
      await tx.$queryRaw`SELECT 1 FROM users WHERE id = ${user.id}::uuid FOR NO KEY UPDATE`;
      // A separate statement, so that it sees what was committed while waiting for the lock.
      const before = await tx.user.findUniqueOrThrow({
        where: { id: user.id },
        include: membershipInclude,
      });
      await requireVersion(expectedVersion, before.version, () => presentUser(before));
    }
    const updated = await tx.user.update({
      where: { id: user.id },
      data: {
        ...defined({ ...fields, ...address }),
        ...(phone === undefined ? {} : await phoneOfProfile(tx, user.id, phone)),
        version: { increment: 1 },
      },
      include: membershipInclude,
    });
    if (address) {
      await followProfile(tx, updated);
    }
    await recordProfileChange(tx, user);
    return updated;
  });
  afterCommit(() => platform.sessions.invalidate(user.id));
  return presentUser(row);
}

type UserRow = Parameters<typeof presentUserForAdmins>[0];

/** How the list is sorted, and where a page of it ends. */
interface Sorting {
  by: Prisma.Sql;
  placeOf: (user: UserRow) => string[];
  after: (cursor: string) => Prisma.Sql;
}

const SORTINGS: Record<UserSort, Sorting> = {
  newest: {
    by: Prisma.sql`created_at DESC, id DESC`,
    placeOf: (user) => [user.createdAt.toISOString(), user.id],
    after: (cursor) => {
      const [at, id] = decodeCursor(cursor, TimeCursor);
      return Prisma.sql`(created_at, id) < (${at}::timestamptz, ${id}::uuid)`;
    },
  },
  oldest: {
    by: Prisma.sql`created_at ASC, id ASC`,
    placeOf: (user) => ['oldest', user.createdAt.toISOString(), user.id],
    after: (cursor) => {
      const place = z.tuple([z.literal('oldest'), CursorTime, z.uuid()]);
      const [, at, id] = decodeCursor(cursor, place);
      return Prisma.sql`(created_at, id) > (${at}::timestamptz, ${id}::uuid)`;
    },
  },
  name: {
    by: Prisma.sql`name COLLATE "by_name" ASC, id ASC`,
    placeOf: (user) => ['name', user.name, user.id],
    after: (cursor) => {
      const [, name, id] = decodeCursor(cursor, NamePlace);
      return Prisma.sql`(name COLLATE "by_name", id) > (${name}, ${id}::uuid)`;
    },
  },
};

// Postgres holds neither NUL nor half a character.
const NamePlace = z.tuple([
  z.literal('name'),
  z.string().refine((name) => !name.includes('\u0000') && !/\p{Surrogate}/u.test(name)),
  z.uuid(),
]);

/**
 * The condition of an account (`u`) whose farm everybody finds and that has nothing for sale. A farm whose founder has
 * left is nobody's account, and not in the list.
 */
export const NOTHING_FOR_SALE = `(u.role = 'farmer' AND u.suspended_at IS NULL AND NOT u.is_farm
  AND (SELECT farm.approved_at FROM farmer_profiles farm WHERE farm.user_id = u.id) IS NOT NULL
  AND EXISTS (SELECT FROM farm_goods goods WHERE goods.farmer_id = u.id
    AND goods.last_day < market_day()))`;

const STATES: Record<UserState, Prisma.Sql> = {
  suspended: Prisma.sql`suspended_at IS NOT NULL`,
  unreachable: Prisma.sql`unreachable_at IS NOT NULL`,
  nothingForSale: Prisma.raw(NOTHING_FOR_SALE),
};

/** Returns what makes an account one that is searched for. */
function foundBy(search: string): Prisma.Sql {
  const words = hasWords(search, Prisma.sql`search_name`, Prisma.sql`search_form(email)`);
  return Prisma.sql`(${words} ${orHasPhone(search)})`;
}

/**
 * Returns a page of the accounts that were not deleted: by role, by part of a name, email or phone number,
 * by the day they were opened; sorted.
 */
export async function listUsers(
  { db }: Platform,
  { limit, cursor, search, role, state, sort, ...days }: UserListQuery,
): Promise<Page<User>> {
  const sorting = SORTINGS[sort];
  const conditions = [
    Prisma.sql`deleted_at IS NULL AND NOT is_farm`,
    ...(role ? [Prisma.sql`role = ${role}::"Role"`] : []),
    ...(state ? [STATES[state]] : []),
    ...(search ? [foundBy(search)] : []),
    ...withinDays(Prisma.sql`created_at`, days, theMarket().timeZone),
    ...(cursor ? [sorting.after(cursor)] : []),
  ];
  const rows = await db.$queryRaw<UserRow[]>`
    SELECT id, name, email, role, phone, street, city, state, zip_code AS "zipCode",
           created_at AS "createdAt", version, suspended_at AS "suspendedAt",
           email_verified_at AS "emailVerifiedAt"
    FROM users u WHERE ${Prisma.join(conditions, ' AND ')}
    ORDER BY ${sorting.by} LIMIT ${limit + 1}::int`;
  return toPage(rows, limit, sorting.placeOf, presentUserForAdmins);
}
