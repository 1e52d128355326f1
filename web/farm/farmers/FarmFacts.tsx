import { AtSign, ExternalLink, Mail, Phone } from 'lucide-react';
import type { ReactNode } from 'react';
import { WEEKDAYS, type Weekday } from '#contract/farm/farmers/constants';
import { type OpeningSpan, spansOf } from '#contract/farm/farmers/constants/hours';
import type { BusinessHours, FarmerDetail } from '#contract/farm/farmers/farmers';
import { readableEmail } from '#contract/platform/http/email';
import { listOf } from '#contract/platform/text/constants/formats';
import { t } from '#contract/platform/text/constants/texts';
import { dayIn, formatDay } from '#contract/platform/time/constants';
import {
  formatWallDates,
  formatWallTimes,
  isMidnight,
  runsOf,
} from '#contract/platform/time/constants/clock';
import { capitalized } from '../../platform/format/format.ts';
import { useHydrated } from '../../platform/hooks/hydration.ts';
import { useNow } from '../../platform/hooks/use-now.ts';
import { cn } from '../../platform/ui/cn.ts';
import { Loading, SkeletonText } from '../../platform/ui/feedback/states.tsx';
import { Badge, type Tone } from '../../platform/ui/primitives/Button.tsx';
import { Card } from '../../platform/ui/primitives/sections.tsx';
import { farmClockNote } from '../model/farm-clock.ts';
import { weekdayName } from '../model/handoff.ts';
import { openDays, SOCIAL_MEDIA } from './rules.ts';

/** All that is known of the farm. */
export function FarmFacts({ detail: { farmer, profile, handoff } }: { detail: FarmerDetail }) {
  const { socialMedia: social, farmingPractices: practices, deliveryAreas = [] } = profile;
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[1.4fr_1fr]">
      <div className="grid gap-6">
        {profile.description && (
          <Part title={t('About the farm')}>
            <p dir="auto" className="max-w-prose whitespace-pre-line">
              {profile.description}
            </p>
          </Part>
        )}
        <Badges title={t('Farming practices')} texts={practices} tone="leaf" />
        {profile.acceptsDelivery && <Badges title={t('Delivers to')} texts={deliveryAreas} />}
        {openDays(profile.businessHours).length > 0 && (
          <Part title={t('Business hours')}>
            <OpeningWeek
              hours={profile.businessHours}
              closedDays={handoff?.closedDays ?? []}
              timeZone={profile.timeZone}
            />
          </Part>
        )}
      </div>
      <div className="grid gap-6">
        <Part title={t('Contact')}>
          <ul className="grid gap-1 text-sm">
            {farmer.phone && (
              <ContactLine icon={<Phone />} href={`tel:${farmer.phone}`}>
                <bdi dir="ltr">{farmer.phone}</bdi>
              </ContactLine>
            )}
            {farmer.email && (
              <ContactLine icon={<Mail />} href={`mailto:${farmer.email}`}>
                <bdi dir="ltr">{readableEmail(farmer.email)}</bdi>
              </ContactLine>
            )}
            {SOCIAL_MEDIA.map(
              (name) =>
                social[name] && (
                  <ContactLine key={name} icon={<AtSign />} href={social[name]} outside>
                    {capitalized(name)}
                  </ContactLine>
                ),
            )}
          </ul>
        </Part>
      </div>
    </div>
  );
}

/** Stands in for {@link FarmFacts} while no more is known than what a list shows. */
export function FarmFactsSkeleton() {
  return (
    <Loading className="grid items-start gap-6 lg:grid-cols-[1.4fr_1fr]">
      {[5, 3].map((lines) => (
        <Card key={lines}>
          <SkeletonText lines={lines} />
        </Card>
      ))}
    </Loading>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Card as="section">
      <h2 className="mb-3 text-lg">{title}</h2>
      {children}
    </Card>
  );
}

type BadgesProps = { title: string; texts: readonly string[]; tone?: Tone };

function Badges({ title, texts, tone = 'neutral' }: BadgesProps) {
  if (texts.length === 0) return null;
  return (
    <Part title={title}>
      <ul className="flex flex-wrap gap-2">
        {texts.map((text) => (
          <li key={text} className="min-w-0">
            <Badge tone={tone} className="whitespace-normal text-sm">
              <bdi>{text}</bdi>
            </Badge>
          </li>
        ))}
      </ul>
    </Part>
  );
}

function ContactLine({
  icon,
  href,
  outside = false,
  children,
}: {
  icon: ReactNode;
  href: string;
  /** Opens another site in a new tab. */
  outside?: boolean;
  children: ReactNode;
}) {
  return (
    <li>
      <a
        href={href}
        {...(outside ? { target: '_blank', rel: 'noreferrer' } : {})}
        className="inline-flex min-h-8 max-w-full items-center gap-2.5 rounded hover:underline pointer-coarse:min-h-11"
      >
        <span aria-hidden="true" className="text-ink-soft [&>svg]:size-4">
          {icon}
        </span>
        <span className="min-w-0 break-words">{children}</span>
        {outside && (
          <>
            <ExternalLink className="size-3.5 text-ink-faint" />
            <span className="sr-only">{t('(opens in a new tab)')}</span>
          </>
        )}
      </a>
    </li>
  );
}

/** The hours of the day that the scale always contains. */
const SCALE_START_HOUR = 8;
const SCALE_END_HOUR = 18;

const hour = (time: string) => Number(time.slice(0, 2)) + Number(time.slice(3, 5)) / 60;

/** Returns the open hours within the day; hours past midnight wrap to its start. */
function openIntervals({ open, close }: OpeningSpan): { from: number; to: number }[] {
  const [from, to] = [hour(open), hour(close)];
  return from < to || isMidnight(close)
    ? [{ from, to: to || 24 }]
    : [
        { from: 0, to },
        { from, to: 24 },
      ];
}

const timesOf = ({ open, close }: OpeningSpan): string =>
  open === close ? t('all day') : formatWallTimes(open, close);

/**
 * The business hours of a week: each open day with its times and a bar on a common scale. A closed day counts: today's
 * hours give way to it, and those to come are listed.
 */
function OpeningWeek({
  hours,
  closedDays,
  timeZone,
}: {
  hours: BusinessHours;
  /** In order; some may be over. */
  closedDays: readonly string[];
  timeZone: string;
}) {
  const days = openDays(hours);
  const all = days.flatMap(openIntervals);
  const start = Math.floor(Math.min(SCALE_START_HOUR, ...all.map(({ from }) => from)));
  const end = Math.ceil(Math.max(SCALE_END_HOUR, ...all.map(({ to }) => to)));
  const x = (at: number) => ((at - start) / (end - start)) * 100;
  // `getUTCDay` starts with Sunday, WEEKDAYS with Monday.
  const now = new Date(useNow(60_000));
  const date = dayIn(timeZone, now);
  const today = WEEKDAYS[(new Date(date).getUTCDay() + 6) % 7];
  const closed = runsOf(closedDays.filter((day) => day > date)).map(({ from, to }) =>
    from === to ? formatDay(from, date) : formatWallDates(from, to),
  );
  const isClosed = (day: Weekday) => day === today && closedDays.includes(date);
  // The server does not know the reader's clock.
  const note = useHydrated() ? farmClockNote(timeZone, now) : undefined;
  return (
    <>
      <dl className="grid gap-2 text-sm">
        {[...new Set(days.map(({ day }) => day))].map((day) => (
          <div
            key={day}
            className={cn(
              'grid grid-cols-[6.5rem_1fr] items-center gap-x-3 gap-y-1 sm:grid-cols-[6.5rem_1fr_10.5rem]',
              day === today && 'font-semibold',
            )}
          >
            <dt>
              {weekdayName(day)}
              {day === today && <span className="sr-only"> {t('(today)')}</span>}
            </dt>
            <dd className="contents">
              <span className="tabular grid text-end sm:order-last">
                {isClosed(day) ? (
                  <bdi>{t('Closed today')}</bdi>
                ) : (
                  spansOf(hours[day]).map((span) => <bdi key={span.open}>{timesOf(span)}</bdi>)
                )}
              </span>
              <svg
                viewBox="0 0 100 4"
                preserveAspectRatio="none"
                aria-hidden="true"
                className="col-span-2 block h-2 w-full rounded-full sm:col-span-1"
              >
                <rect width="100" height="4" className="fill-hairline" />
                {(isClosed(day) ? [] : spansOf(hours[day]))
                  .flatMap(openIntervals)
                  .map(({ from, to }) => (
                    <rect
                      key={from}
                      x={x(from)}
                      width={x(to) - x(from)}
                      height="4"
                      className={day === today ? 'fill-leaf' : 'fill-straw'}
                    />
                  ))}
              </svg>
            </dd>
          </div>
        ))}
      </dl>
      {closed.length > 0 && (
        <p className="mt-3 text-sm">{t('Closed on {days}.', { days: listOf(closed) })}</p>
      )}
      {note && <p className="mt-3 text-sm text-ink-soft">{note}</p>}
    </>
  );
}
