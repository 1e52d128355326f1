import type { TimelineEntry } from '#contract/orders';
import { capitalized } from '../lib/format.ts';
import { cn } from '../ui/cn.ts';
import { toneClass } from '../ui/primitives/Badge.tsx';
import { statusStyle } from '../ui/primitives/StatusBadge.tsx';
import { Time } from '../ui/primitives/Time.tsx';

/** The status history of an order: who set each status, when, and why. */
export function OrderTimeline({ entries }: { entries: readonly TimelineEntry[] }) {
  return (
    <ol className="grid">
      {entries.map((entry) => {
        if (entry.kind !== 'status') return null;
        const { icon: Icon, tone } = statusStyle[entry.status];
        return (
          <li
            key={entry.sequence}
            className="group relative flex gap-3 pb-5 last:pb-0 animate-fade-in"
          >
            <span
              aria-hidden="true"
              className="absolute bottom-0 left-4 top-8 w-px bg-hairline group-last:hidden"
            />
            <span
              className={cn(
                'grid size-8 shrink-0 place-items-center rounded-full',
                toneClass[tone],
              )}
            >
              <Icon aria-hidden="true" className="size-4" />
            </span>
            <div className="min-w-0 pt-1 text-sm">
              <p>
                <span className="font-medium">
                  {entry.status === 'pending' ? 'Placed' : capitalized(entry.status)}
                </span>{' '}
                by {entry.by.name}
                {entry.by.role === 'admin' && ' (admin)'}
              </p>
              <Time value={entry.at} className="text-ink-soft" />
              {entry.reason && (
                <p className="mt-1.5 border-l-2 border-hairline pl-3 text-ink-soft">
                  <span className="sr-only">Reason: </span>
                  {entry.reason}
                </p>
              )}
            </div>
          </li>
        );
      })}
    </ol>
  );
}
