import { formatCount } from '../../format/format.ts';
import { useChangeCount } from '../../queries/use-changes.ts';
import { cn } from '../cn.ts';

/** A number that is animated when it changes, formatted by `format`. */
export function Count({
  value,
  format = formatCount,
  className,
}: {
  value: number;
  format?: (value: number) => string;
  className?: string | undefined;
}) {
  const changes = useChangeCount(value);
  return (
    <span className={cn('tabular inline-block overflow-hidden align-bottom', className)}>
      <span key={changes} className={cn('inline-block', changes > 0 && 'animate-tick')}>
        {format(value)}
      </span>
    </span>
  );
}
