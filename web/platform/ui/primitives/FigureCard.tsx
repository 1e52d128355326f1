import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { cn } from '../cn.ts';
import { Count } from './Count.tsx';

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
        {label}
        {icon}
      </span>
      <Count
        value={value}
        {...(format ? { format } : {})}
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
