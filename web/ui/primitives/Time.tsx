import { formatDate, formatDateTime, formatRelative, formatTime } from '../../lib/format.ts';
import { useNow } from '../../lib/use-now.ts';

const absolute = { date: formatDate, time: formatTime, datetime: formatDateTime };

/**
 * Shows an instant (ISO 8601) as `date`, `time`, `datetime`, or `relative`, which updates itself. The
 * exact time is the tooltip.
 */
export function Time({
  value,
  as = 'datetime',
  className,
}: {
  value: string;
  as?: keyof typeof absolute | 'relative';
  className?: string | undefined;
}) {
  if (as === 'relative') return <Relative value={value} className={className} />;
  return (
    <time dateTime={value} title={formatDateTime(value)} className={className}>
      {absolute[as](value)}
    </time>
  );
}

function Relative({ value, className }: { value: string; className: string | undefined }) {
  const now = useNow(15_000);
  return (
    <time dateTime={value} title={formatDateTime(value)} className={className}>
      {formatRelative(value, now)}
    </time>
  );
}
