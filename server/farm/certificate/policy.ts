import type { OrganicCertificate } from '#contract/farm/certificate/certificate';
import { CERTIFICATE_REMINDER_DAYS } from '#contract/farm/certificate/constants';
import type { FarmerProfile } from '../../../prisma/generated/client.ts';
import type { NewTimer } from '../../platform/stores/timers.ts';
import { daysAfter, instantOf } from '../../platform/time/clock.ts';

/** The columns of a farm's organic certificate; all or none are null. */
export type CertificateRow = Pick<
  FarmerProfile,
  'certificateCode' | 'certificateImage' | 'certificateUntil'
>;

/** Presents a farm's organic certificate; null without one. */
export const presentCertificate = ({
  certificateCode: code,
  certificateImage: image,
  certificateUntil: until,
}: CertificateRow): OrganicCertificate | null =>
  code === null || image === null || until === null
    ? null
    : { image, code, validUntil: until.toISOString().slice(0, 10) };

/** When a farm is notified: so many days before the end of its certificate, or that it has ended. */
export const REMINDERS = [...CERTIFICATE_REMINDER_DAYS, 'ended'] as const;
export type Reminder = (typeof REMINDERS)[number];

/**
 * Returns which reminder is due on a day: null where the end is still far. The one before it is due no more, so that a
 * timer which comes late says nothing that its successor says too.
 */
export function reminderOn(today: string, validUntil: string): Reminder | null {
  if (today > validUntil) return 'ended';
  const isNear = (days: number) => daysAfter(today, days) >= validUntil;
  return [...CERTIFICATE_REMINDER_DAYS].reverse().find(isNear) ?? null;
}

/** Wall clock: reminders come in the morning. */
const MORNING = '09:00';

/** Returns when a reminder is due by the farm's clock. */
export const reminderAt = (reminder: Reminder, validUntil: string, timeZone: string): Date =>
  instantOf(
    { date: daysAfter(validUntil, reminder === 'ended' ? 1 : -reminder), time: MORNING },
    timeZone,
  );

/** Returns when a certificate holds no more: after its last day by the farm's clock. */
export const endOfCertificate = (validUntil: string, timeZone: string): Date =>
  instantOf({ date: daysAfter(validUntil, 1) }, timeZone);

/** The kind of the timers that notify farms of the end of their certificate. */
export const REMINDER_TIMER = 'farm.certificate';
/** The kind of the timers that make the marks of a farm's products follow its certificate. */
export const ORGANIC_TIMER = 'farm.organic';

/** Returns the timer at which a farm's products follow its certificate. */
export const organicTimer = (farmId: string, dueAt: Date): NewTimer => ({
  kind: ORGANIC_TIMER,
  key: `${ORGANIC_TIMER}:${farmId}`,
  dueAt,
});

/** Returns the timers of a farm's certificate: its products follow it now, and each reminder is set that is to come. */
export const certificateTimers = (
  { farmId, validUntil, timeZone }: { farmId: string; validUntil: string; timeZone: string },
  now: Date,
): NewTimer[] => [
  organicTimer(farmId, now),
  ...REMINDERS.map(
    (reminder): NewTimer => ({
      kind: REMINDER_TIMER,
      key: `${REMINDER_TIMER}:${farmId}:${reminder}`,
      dueAt: reminderAt(reminder, validUntil, timeZone),
    }),
  ).filter(({ dueAt }) => dueAt > now),
];
