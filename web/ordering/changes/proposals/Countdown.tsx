import { Hourglass } from 'lucide-react';
import { t } from '#contract/platform/text/constants/texts';
import { midSentence } from '#contract/platform/time/constants/clock';
import { formatTime, localToday } from '../../../platform/format/format.ts';
import { formatNearDateTime } from '../../../platform/format/near-day.ts';
import { useNow, useToday } from '../../../platform/hooks/use-now.ts';
import { cn } from '../../../platform/ui/cn.ts';

/** From here on it counts seconds. */
const SECONDS_FROM_MS = 10 * 60_000;

/** Formats what is left of a time: '1 h 05 min', '14 min', '9:05'; nothing is 'Time is up'. */
export function formatLeft(ms: number): string {
  if (ms <= 0) return t('Time is up');
  const seconds = Math.ceil(ms / 1000);
  if (ms <= SECONDS_FROM_MS) {
    return t('{time} left', {
      time: `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`,
    });
  }
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return t('{minutes} min left', { minutes });
  const hours = Math.floor(minutes / 60);
  if (hours < 48)
    return t('{hours} h {minutes} min left', {
      hours,
      minutes: String(minutes % 60).padStart(2, '0'),
    });
  return t('{days, plural, one {# day} other {# days}} left', { days: Math.floor(hours / 24) });
}

/** How long somebody has to answer. The exact time stands in the sentence beside it, so it is not read out. */
export function Countdown({ until, className }: { until: string; className?: string }) {
  const leftMs = Date.parse(until) - useNow(1000);
  return (
    <span
      title={t('Until {time}', { time: formatTime(until) })}
      className={cn(
        'tabular inline-flex items-center gap-1 whitespace-nowrap text-sm font-semibold',
        leftMs <= SECONDS_FROM_MS ? 'text-tomato' : 'text-straw-ink',
        className,
      )}
    >
      <Hourglass className="size-4" />
      {formatLeft(leftMs)}
    </span>
  );
}

/** An instant for the middle of a sentence: '4:05 PM' today, else with its day. */
export function useUntil(until: string | number): string {
  const today = useToday();
  const iso = new Date(until).toISOString();
  return localToday(new Date(iso)) === today
    ? formatTime(iso)
    : midSentence(formatNearDateTime(iso, today));
}
