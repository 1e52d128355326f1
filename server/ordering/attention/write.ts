import type { Transaction } from '../../../prisma/client.ts';
import type { NewTimer } from '../../platform/stores/timers.ts';
import type { Course } from './policy.ts';

/** Returns the key of the timer of an attention's next step. */
export const timerKeyOf = (id: string): `attention:${string}` => `attention:${id}`;

/** Returns the timer of an attention that is due at a time; none where there is none. */
export const timerOf = (id: string, dueAt: Date | null): NewTimer[] =>
  dueAt ? [{ kind: 'attention', key: timerKeyOf(id), dueAt }] : [];

/** Writes where an attention stands that this transaction has locked, and what else changes with it. */
export async function writeCourse(
  tx: Transaction,
  { id, course, ...more }: { id: string; course: Course; acknowledgedById?: string; plan?: object },
): Promise<void> {
  const { state, step, round, roundAt, nextAt, begunAt, acknowledgedAt } = course;
  const { exhaustedAt, adminsAt, resolvedAt, resolution } = course;
  await tx.attention.update({
    where: { id },
    data: {
      ...{ state, step, round, roundAt, nextAt, begunAt, acknowledgedAt },
      ...{ exhaustedAt, adminsAt, resolvedAt, resolution },
      ...more,
      version: { increment: 1 },
    },
    select: { id: true },
  });
}
