import { formatCount } from '../lib/format.ts';
import { useChanges } from '../lib/use-changes.ts';
import { cn } from './cn.ts';

/** A number that ticks over when it changes. `format` writes it another way, as money perhaps. */
export function Count({
  value,
  format = formatCount,
  className,
}: {
  value: number;
  format?: (value: number) => string;
  className?: string | undefined;
}) {
  const changes = useChanges(value);
  return (
    <span className={cn('tabular inline-block overflow-hidden align-bottom', className)}>
      <span key={changes} className={cn('inline-block', changes > 0 && 'animate-tick')}>
        {format(value)}
      </span>
    </span>
  );
}
