import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { formatCount } from '#contract/platform/text/constants/formats';
import { useChangeCount } from '../../queries/use-changes.ts';
import { cn } from '../cn.ts';

/** A number that is animated when it changes, formatted by `format`. */
export function Count({
  value,
  format = formatCount,
  className,
}: {
  value: number;
  format?: ((value: number) => string) | undefined;
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

/** One figure of a dashboard: label, animated number, and an optional link. */
export function FigureCard({
  label,
  value,
  format,
  icon,
  href,
  attention = false,
  className,
}: {
  label: string;
  value: number;
  format?: (value: number) => string;
  /** A lucide icon. */
  icon?: ReactNode;
  href?: string;
  /** Highlights a value above 0. */
  attention?: boolean;
  className?: string;
}) {
  const body = (
    <>
      <span className="flex items-center justify-between gap-2 text-sm text-ink-soft max-sm:[&>svg]:hidden [&>svg]:size-4 [&>svg]:shrink-0">
        <span className="min-w-0 hyphens-auto wrap-anywhere">{label}</span>
        {icon}
      </span>
      <Count
        value={value}
        format={format}
        className={cn(
          'font-display text-xl font-semibold leading-tight',
          attention && value > 0 && 'text-tomato',
        )}
      />
    </>
  );
  const look = cn(
    'grid min-w-0 content-between gap-1 rounded border border-hairline bg-surface p-3 sm:p-4',
    className,
  );
  if (!href) return <div className={look}>{body}</div>;
  return (
    <Link href={href} className={cn(look, 'transition-colors hover:border-outline')}>
      {body}
    </Link>
  );
}
