import type { ReactNode } from 'react';
import { formatCount } from '#contract/platform/text/constants/formats';
import { cn } from '../cn.ts';

/** One part of a total: its label, value, and the classes of its colour and pattern. */
export type Share = { key: string; label: ReactNode; value: number; colour: string };

/** A stacked bar with a legend of its parts. */
export function ShareBar({
  label,
  shares,
  className,
}: {
  /** The accessible name. */
  label: string;
  shares: readonly Share[];
  className?: string | undefined;
}) {
  const total = shares.reduce((sum, share) => sum + share.value, 0);
  const percent = (value: number) => 100 * (value / (total || 1));
  return (
    <div className={cn('grid gap-3', className)}>
      <div
        aria-hidden="true"
        data-keeps-colours=""
        className="flex h-3 gap-0.5 overflow-hidden rounded-full bg-sunken"
      >
        {shares.map(
          (share) =>
            share.value > 0 && (
              <span
                key={share.key}
                className={cn('h-full min-w-1 transition-[width] duration-500', share.colour)}
                style={{ width: `${percent(share.value)}%` }}
              />
            ),
        )}
      </div>
      <dl aria-label={label} className="grid gap-1.5 text-sm">
        {shares.map((share) => (
          <div key={share.key} className="flex items-center justify-between gap-3">
            <dt data-keeps-marks="" className="flex min-w-0 items-center gap-2">
              <span aria-hidden="true" className={cn('size-3 shrink-0 rounded-xs', share.colour)} />
              {share.label}
            </dt>
            <dd className="tabular flex items-baseline gap-2">
              <span className="font-medium">{formatCount(share.value)}</span>
              <span className="w-10 text-end text-xs text-ink-soft">
                {total === 0 ? '–' : `${Math.round(percent(share.value))}%`}
              </span>
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
