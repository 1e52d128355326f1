import type { AuditRecord } from '#contract/admin';
import type { ListQuery, Page } from '#contract/platform';
import type { Transaction } from '../../prisma/client.ts';
import type { Prisma } from '../../prisma/generated/client.ts';
import { decodeCursor, TimeCursor, toPage } from '../platform/cursor.ts';
import type { Platform } from '../platform/platform.ts';
import { personSelect, presentPersonWithRole } from '../users/present.ts';

/** What an admin may have done, as the audit names it. */
export type AuditAction =
  | 'category.created'
  | 'category.updated'
  | 'category.deleted'
  | 'order.statusChanged'
  | 'product.updated'
  | 'product.deleted'
  | 'queues.opened'
  | 'user.deleted';

/** Notes what an admin did, inside the transaction that does it. */
export async function audit(
  tx: Transaction,
  admin: { id: string },
  action: AuditAction,
  targetId: string,
  detail: Prisma.InputJsonObject = {},
): Promise<void> {
  await tx.auditEntry.create({
    data: { adminId: admin.id, action, targetId, detail },
    select: { id: true },
  });
}

/** What admins did, newest first. */
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
