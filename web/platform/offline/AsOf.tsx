import { useAtomValue } from 'jotai';
import { History } from 'lucide-react';
import { formatInstant, formatTime, localToday } from '../format/format.ts';
import { cn } from '../ui/cn.ts';
import { asOfAtom } from './kept-reads.ts';

/**
 * Says of when the page is while some of what it shows was read at an earlier visit and is not confirmed yet. Shows
 * nothing otherwise.
 */
export function AsOf({ className }: { className?: string }) {
  const asOf = useAtomValue(asOfAtom);
  if (asOf === null) return null;
  return (
    <span role="status" className={cn('inline-flex', className)}>
      <span className="inline-flex animate-late items-center gap-1.5 whitespace-nowrap rounded-full border border-hairline bg-surface px-2.5 py-px text-xs font-medium text-ink-soft">
        <History aria-hidden="true" className="size-3.5" />
        {`As of ${formatMoment(new Date(asOf))}`}
      </span>
    </span>
  );
}

/** Returns the time of a moment of today, and the date too of any other. */
function formatMoment(moment: Date): string {
  const isToday = localToday(moment) === localToday();
  return isToday ? formatTime(moment) : formatInstant(moment.toISOString());
}
