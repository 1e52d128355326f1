import { z } from 'zod';
import type { AuditQuery, AuditRecord } from '#contract/admin/admin/admin';
import { DELETED_USER_NAME } from '#contract/people/users/constants';
import type { Page } from '#contract/platform/http/http';
import { theMarket } from '#contract/platform/market/constants';
import type { Database } from '../../../prisma/client.ts';
import { Prisma } from '../../../prisma/generated/client.ts';
import { type PersonRow, presentPersonWithRole } from '../../people/users/present.ts';
import { CursorTime, decodeCursor, TimeCursor, toPage } from '../../platform/http/cursor.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { withinDays } from '../../platform/stores/sql.ts';

interface AuditRow {
  id: string;
  at: Date;
  action: string;
  targetId: string;
  // Every entry is written by `audit`, whose details are objects.
  detail: Record<string, unknown>;
  admin: PersonRow;
}

const OldestPlace = z.tuple([z.literal('oldest'), CursorTime, z.uuid()]);

/** Returns the condition of entries after a cursor. */
function afterCursor(sort: AuditQuery['sort'], cursor: string): Prisma.Sql {
  if (sort === 'oldest') {
    const [, at, id] = decodeCursor(cursor, OldestPlace);
    return Prisma.sql`(e.at, e.id) > (${at}::timestamptz, ${id}::uuid)`;
  }
  const [at, id] = decodeCursor(cursor, TimeCursor);
  return Prisma.sql`(e.at, e.id) < (${at}::timestamptz, ${id}::uuid)`;
}

/**
 * Returns the condition of entries about a person: themselves, their orders, their products. An entry
 * about a product names its farmer, since the product may be gone.
 */
const about = (userId: string): Prisma.Sql => Prisma.sql`(
  e.target_id = ${userId}
  OR e.detail ->> 'farmer' = ${userId}
  OR e.detail ->> 'about' = ${userId}
  OR e.target_id IN (
    SELECT id::text FROM orders WHERE consumer_id = ${userId}::uuid OR farmer_id = ${userId}::uuid))`;

/** Returns a page of the audit entries, filtered and sorted. */
export async function listAudit(
  { db }: Platform,
  { limit, cursor, sort, admin, action, user, ...days }: AuditQuery,
): Promise<Page<AuditRecord>> {
  const conditions = [
    Prisma.sql`true`,
    ...(admin ? [Prisma.sql`e.admin_id = ${admin}::uuid`] : []),
    ...(action ? [Prisma.sql`e.action = ${action}`] : []),
    ...(user ? [about(user)] : []),
    ...withinDays(Prisma.sql`e.at`, days, theMarket().timeZone),
    ...(cursor ? [afterCursor(sort, cursor)] : []),
  ];
  const by = Prisma.raw(sort === 'oldest' ? 'e.at ASC, e.id ASC' : 'e.at DESC, e.id DESC');
  const rows = await db.$queryRaw<AuditRow[]>`
    SELECT e.id, e.at, e.action, e.target_id AS "targetId", e.detail,
           json_build_object('id', a.id, 'name', a.name, 'role', a.role,
                             'deletedAt', a.deleted_at) AS admin
    FROM audit_entries e JOIN users a ON a.id = e.admin_id
    WHERE ${Prisma.join(conditions, ' AND ')}
    ORDER BY ${by} LIMIT ${limit + 1}::int`;
  const names = await namesOf(db, rows);
  const placeOf = ({ at, id }: AuditRow) => [
    ...(sort === 'oldest' ? ['oldest'] : []),
    ...[at.toISOString(), id],
  ];
  return toPage(rows, limit, placeOf, (row) => ({
    _id: row.id,
    at: row.at.toISOString(),
    admin: presentPersonWithRole(row.admin),
    action: row.action,
    targetId: row.targetId,
    targetName: names.get(row.targetId) ?? nameIn(row.detail),
    detail: row.detail,
  }));
}

/** Returns the present names of the people and products that these entries are about, by id. */
async function namesOf(db: Database, rows: readonly AuditRow[]): Promise<Map<string, string>> {
  const idsOf = (kind: string) =>
    rows.filter(({ action }) => action.startsWith(kind)).map(({ targetId }) => targetId);
  const people = ['user.', 'queues.', 'security.'].flatMap(idsOf);
  const products = idsOf('product.');
  const found = await db.$queryRaw<{ id: string; name: string }[]>`
    SELECT id, CASE WHEN deleted_at IS NULL THEN name ELSE ${DELETED_USER_NAME} END AS name
    FROM users WHERE id = ANY (${people.filter(isUuid)}::uuid[])
    UNION ALL
    SELECT id, name FROM products WHERE id = ANY (${products.filter(isUuid)}::uuid[])`;
  return new Map(found.map(({ id, name }) => [id, name]));
}

const isUuid = (text: string): boolean => z.uuid().safeParse(text).success;

const nameIn = ({ name }: Record<string, unknown>): string =>
  typeof name === 'string' ? name : '';
