import type { EscalationPlan } from '#contract/ordering/attention/constants';
import type { ProposalStatus } from '#contract/ordering/changes/constants';
import type { OrderStatus } from '#contract/ordering/orders/order-timeline';
import { OPEN_STATUSES, STANDING_STATUSES } from '#contract/platform/orders/constants';
import type { Transaction } from '../../../prisma/client.ts';
import { quietHoursOf, quietUntil } from '../../farm/escalation/quiet.ts';
import { cutoffInstant } from '../../farm/schedule/rules.ts';
import { sqlList } from '../../platform/stores/sql.ts';
import { daysAfter, instantOf } from '../../platform/time/clock.ts';
import type { StoredEscalation } from './escalation.ts';
import { type Circumstances, planOf, silenceAt, WITHOUT_STEPS } from './policy.ts';
import { type AttentionRow, readAttentions } from './read.ts';

/** An attention that is locked, and what its next turn is decided on. */
export interface LockedAttention {
  row: AttentionRow & { plan: EscalationPlan };
  around: Circumstances;
}

interface SubjectRow {
  now: Date;
  timeZone: string;
  escalation: StoredEscalation;
  cutoffDaysBefore: number | null;
  cutoffTime: string | null;
  status: OrderStatus | null;
  date: string | null;
  startsAt: Date | null;
  endsAt: Date | null;
  answerBy: Date | null;
  proposal: ProposalStatus | null;
  printDate: string | null;
  firstHandover: Date | null;
}

const SUBJECT_FIELDS = `clock_timestamp() AS now, f.time_zone AS "timeZone", f.escalation,
    f.cutoff_days_before AS "cutoffDaysBefore", f.cutoff_time AS "cutoffTime",
    o.status, o.date::text, o.starts_at AS "startsAt", o.ends_at AS "endsAt",
    (SELECT answer_by FROM order_proposals WHERE order_id = o.id AND status = 'open') AS "answerBy",
    (SELECT status FROM order_proposals WHERE id = a.subject_id) AS proposal,
    print.date::text AS "printDate",
    (SELECT min(starts_at) FROM orders
      WHERE farmer_id = print.farm_id AND date = print.date AND starts_at > now()
        AND (print.place_id IS NULL OR place_id = print.place_id)
        AND status IN (${sqlList(STANDING_STATUSES)})) AS "firstHandover"`;

const SUBJECT = `SELECT ${SUBJECT_FIELDS}
  FROM attentions a JOIN farmer_profiles f ON f.user_id = a.farm_id
  LEFT JOIN orders o ON o.id = a.order_id
  LEFT JOIN pick_prints print ON print.id = a.subject_id
  WHERE a.id = $1::uuid`;

const SUBJECT_OF_ORDER = `SELECT ${SUBJECT_FIELDS}
  FROM orders o JOIN farmer_profiles f ON f.user_id = o.farmer_id
  LEFT JOIN attentions a ON false LEFT JOIN pick_prints print ON false
  WHERE o.id = $1::uuid`;

/**
 * Locks an attention after its order, so that a command which is just answering that is waited for, and reads it.
 * @returns nothing where there is none
 */
export async function lockAttention(
  tx: Transaction,
  id: string,
): Promise<LockedAttention | undefined> {
  await tx.$queryRaw`
    SELECT 1 FROM orders WHERE id = (SELECT order_id FROM attentions WHERE id = ${id}::uuid) FOR SHARE`;
  await tx.$queryRaw`SELECT 1 FROM attentions WHERE id = ${id}::uuid FOR UPDATE`;
  // Statements of their own, which see what was committed while the locks were waited for.
  const [row] = await readAttentions(tx, 'a.id = $1::uuid', id);
  const [subject] = await tx.$queryRawUnsafe<SubjectRow[]>(SUBJECT, id);
  if (!row || !subject) return undefined;
  const plan = row.plan ?? planAtBegin(row, subject.escalation);
  return { row: { ...row, plan }, around: circumstancesOf(row, plan.quietHours, subject) };
}

/** Returns the plan that an attention keeps, whose rounds are counted with those before. */
function planAtBegin(
  { kind, userId, round }: AttentionRow,
  escalation: StoredEscalation,
): EscalationPlan {
  if (userId !== null) return WITHOUT_STEPS;
  const plan = planOf(kind, escalation);
  return { ...plan, rounds: plan.rounds + round - 1 };
}

function circumstancesOf(
  row: AttentionRow,
  quietHours: Parameters<typeof quietUntil>[0],
  subject: SubjectRow,
): Circumstances {
  return {
    now: subject.now,
    overBy: overBy(row, subject),
    endsAt: endsAtOf(row, subject),
    silentUntil: silencesOf(quietHours, subject),
  };
}

function silencesOf(
  quietHours: Parameters<typeof quietUntil>[0],
  subject: SubjectRow,
): Circumstances['silentUntil'] {
  const { silentUntil } = subject.escalation;
  const deadlines = deadlinesOf(subject);
  return (at) =>
    silenceAt(at, {
      holidayUntil: silentUntil ? new Date(silentUntil) : null,
      quietUntil: (from) => quietUntil(quietHours, subject.timeZone, from),
      deadlines,
    });
}

/** Returns until when the farm of an order is told of nothing; null where it is, or the order cannot wait so long. */
export async function silentForOrder(tx: Transaction, orderId: string): Promise<Date | null> {
  const [subject] = await tx.$queryRawUnsafe<SubjectRow[]>(SUBJECT_OF_ORDER, orderId);
  if (!subject) return null;
  return silencesOf(quietHoursOf(subject.escalation), subject)(subject.now);
}

/** Returns by what a subject is done that still has an attention. */
function overBy(
  { kind }: Pick<AttentionRow, 'kind'>,
  { status, proposal, printDate }: SubjectRow,
): string | null {
  switch (kind) {
    case 'order.placed':
      return status === 'pending' ? null : status;
    case 'order.slotMoved':
      return OPEN_STATUSES.some((each) => each === status) ? null : status;
    case 'order.changeProposed':
      return proposal === 'open' ? null : (proposal ?? 'gone');
    case 'picklist.changed':
      return printDate === null ? 'gone' : null;
  }
}

/** Returns when nothing is asked any more, by itself: the end of an order's handover, or of the day of a pick list. */
function endsAtOf(
  { kind }: Pick<AttentionRow, 'kind'>,
  { startsAt, endsAt, printDate, timeZone }: SubjectRow,
): Date | null {
  if (kind === 'order.placed' || kind === 'order.slotMoved') return endsAt ?? startsAt;
  return printDate === null ? null : instantOf({ date: daysAfter(printDate, 1) }, timeZone);
}

/** Returns the times before which people have to know, whatever their quiet hours. */
function deadlinesOf(subject: SubjectRow): Date[] {
  const { cutoffDaysBefore: daysBefore, cutoffTime: time, date, timeZone } = subject;
  const cutoff =
    daysBefore === null || time === null || date === null
      ? null
      : cutoffInstant({ daysBefore, time }, date, timeZone);
  return [cutoff, subject.answerBy, subject.startsAt, subject.firstHandover].filter(
    (each) => each !== null,
  );
}
