import type { AuditAction } from '#contract/platform/audit/constants';
import { clockMs } from '#contract/platform/time/constants';
import type { Transaction } from '../../../prisma/client.ts';
import type { Prisma } from '../../../prisma/generated/client.ts';

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

/** Hours within which one admin's reading of one thing is audited once. */
const READING_HOURS = 24;

/** Writes an audit entry, unless the same admin has one of the same action and target of the past day. */
export async function auditOncePerDay(
  db: Transaction,
  admin: { id: string },
  action: AuditAction,
  targetId: string,
): Promise<void> {
  const audited = await db.auditEntry.findFirst({
    where: {
      adminId: admin.id,
      action,
      targetId,
      at: { gt: new Date(clockMs() - READING_HOURS * 3_600_000) },
    },
    select: { id: true },
  });
  if (!audited) await audit(db, admin, action, targetId);
}
