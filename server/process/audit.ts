import type { AuditAction } from '#contract/constants/admin';
import type { Transaction } from '../../prisma/client.ts';
import type { Prisma } from '../../prisma/generated/client.ts';

/** Writes an audit entry inside the transaction that performs the action. */
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
