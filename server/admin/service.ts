import type { AuditRecord } from '#contract/admin';
import type { ListQuery, Page } from '#contract/http';
import { decodeCursor, TimeCursor, toPage } from '../http/cursor.ts';
import type { Platform } from '../http/platform.ts';
import { personSelect, presentPersonWithRole } from '../users/present.ts';

/** Lists the audit entries, newest first. */
export async function listAudit(
  { db }: Platform,
  { limit, cursor }: ListQuery,
): Promise<Page<AuditRecord>> {
  const rows = await db.auditEntry.findMany({
    where: cursor === undefined ? {} : before(decodeCursor(cursor, TimeCursor)),
    orderBy: [{ at: 'desc' }, { id: 'desc' }],
    take: limit + 1,
    include: { admin: { select: personSelect } },
  });
  const page = toPage(rows, limit, (row) => [row.at.toISOString(), row.id]);
  return {
    items: page.rows.map((row) => ({
      _id: row.id,
      at: row.at.toISOString(),
      admin: presentPersonWithRole(row.admin),
      action: row.action,
      targetId: row.targetId,
      // Every entry is written by `audit`, whose details are objects.
      detail: row.detail as Record<string, unknown>,
    })),
    nextCursor: page.nextCursor,
  };
}

const before = ([at, id]: readonly [string, string]) => ({
  OR: [{ at: { lt: new Date(at) } }, { at: new Date(at), id: { lt: id } }],
});
