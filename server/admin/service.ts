import type { Transaction } from '../../prisma/client.ts';
import type { Prisma } from '../../prisma/generated/client.ts';

/** What an admin may have done, as the audit names it. */
export type AuditAction =
  | 'category.created'
  | 'category.updated'
  | 'category.deleted'
  | 'order.statusChanged'
  | 'product.updated'
  | 'product.deleted'
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
