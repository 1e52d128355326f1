import type { Role } from '#contract/platform/http/http';

/** Why an admin may not suspend or restore somebody. */
export type SuspensionRefusal = 'ONESELF' | 'ADMIN';

/** Returns why `admin` may not suspend or restore `target`, if that is so: admins stay, themselves included. */
export function refuseSuspension(
  admin: { id: string },
  target: { id: string; role: Role },
): SuspensionRefusal | undefined {
  if (target.id === admin.id) return 'ONESELF';
  return target.role === 'admin' ? 'ADMIN' : undefined;
}

/** What a suspension changes: nothing, the reason alone, or whether the account is suspended. */
export type SuspensionChange = 'nothing' | 'reason' | 'state';

/**
 * Decides what a request changes. The same state again keeps its reason unless another one is given, so that a
 * repeat does no harm and a reason can be put right.
 */
export function decideSuspension(
  before: { suspendedAt: Date | null; suspendedReason: string },
  { suspended, reason }: { suspended: boolean; reason: string },
): SuspensionChange {
  if (suspended !== (before.suspendedAt !== null)) return 'state';
  const isCorrected = suspended && reason !== '' && reason !== before.suspendedReason;
  return isCorrected ? 'reason' : 'nothing';
}
