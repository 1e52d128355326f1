import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { AdminStats } from '#contract/admin/admin/admin';
import { addDays, DEFAULT_TIME_ZONE, dayIn } from '#contract/platform/time/constants';
import { marketQuery } from '../../platform/format/market.ts';
import { cn } from '../../platform/ui/cn.ts';
import { Count } from '../../platform/ui/primitives/Count.tsx';

type Figures = NonNullable<AdminStats['attention']>;

interface Line {
  key: keyof Figures;
  label: string;
  href: string;
  /** Whether it is left out while it is 0, since many markets never have any. */
  isRare?: true;
  /** Whether a number above 0 is nothing to look after. */
  isNews?: true;
}

const lines = (since: string): readonly Line[] => [
  {
    key: 'unansweredOrders',
    label: 'Orders waiting',
    href: '/admin/orders?status=pending&sort=oldest',
  },
  { key: 'waitingFarms', label: 'Farms waiting', href: '/admin/farms', isRare: true },
  { key: 'openReports', label: 'Open reports', href: '/admin/reports' },
  {
    key: 'farmsWithNothingForSale',
    label: 'Farms selling nothing',
    href: '/admin/users?role=farmer&state=nothingForSale',
  },
  { key: 'hiddenProducts', label: 'Hidden products', href: '/admin/hidden-products' },
  { key: 'suspendedPeople', label: 'Suspended', href: '/admin/users?state=suspended' },
  {
    key: 'newPeople',
    label: 'New this week',
    href: `/admin/users?from=${since}`,
    isNews: true,
  },
];

/** What wants looking after on the market: each number leads to what it counts. */
export function Attention({ figures, className }: { figures: Figures; className?: string }) {
  const { timeZone = DEFAULT_TIME_ZONE } = useQuery(marketQuery()).data ?? {};
  const since = addDays(dayIn(timeZone), -6);
  const shown = lines(since).filter(({ key, isRare }) => !isRare || (figures[key] ?? 0) > 0);
  return (
    <section
      aria-label="What needs attention"
      className={cn('rounded border border-hairline bg-surface px-2 xl:py-0 py-1', className)}
    >
      <ul className="grid grid-cols-2 sm:grid-cols-3 xl:flex xl:justify-between">
        {shown.map(({ key, label, href, isNews }) => (
          <li key={key} className="min-w-0">
            <Link
              href={href}
              className="flex min-h-9 items-baseline gap-2 rounded-xs px-1.5 py-1 text-sm xl:whitespace-nowrap text-ink-soft hover:bg-sunken pointer-coarse:min-h-11"
            >
              <Count
                value={figures[key] ?? 0}
                className={cn(
                  'shrink-0 font-display text-lg font-semibold leading-tight text-ink',
                  !isNews && (figures[key] ?? 0) > 0 && 'text-tomato',
                )}
              />
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
