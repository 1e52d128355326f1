import { useAtomValue } from 'jotai';
import { History } from 'lucide-react';
import { formatInstant, formatTime, localToday } from '../lib/format.ts';
import { asOfAtom } from '../lib/kept-reads.ts';

/**
 * Says of when the page is while some of what it shows was read at an earlier visit and is not confirmed yet. Floats
 * below the bar, so that nothing moves when it comes and goes.
 */
export function AsOf() {
  const asOf = useAtomValue(asOfAtom);
  if (asOf === null) return null;
  return (
    <div
      role="status"
      className="pointer-events-none absolute inset-x-0 top-full flex justify-center pt-1.5"
    >
      <span className="inline-flex animate-late items-center gap-1.5 rounded-full border border-hairline bg-surface px-2.5 py-0.5 text-xs font-medium text-ink-soft shadow-sm">
        <History aria-hidden="true" className="size-3.5" />
        {`As of ${formatMoment(new Date(asOf))}`}
      </span>
    </div>
  );
}

/** Returns the time of a moment of today, and the date too of any other. */
function formatMoment(moment: Date): string {
  const isToday = localToday(moment) === localToday();
  return isToday ? formatTime(moment) : formatInstant(moment.toISOString());
}
