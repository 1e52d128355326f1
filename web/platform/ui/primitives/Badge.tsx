import { Ban, CircleCheck, CircleX, Clock, PackageCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { capitalized } from '../../format/format.ts';
import { useChangeCount } from '../../queries/use-changes.ts';
import { cn } from '../cn.ts';

/** The background and text classes of each tone. */
export const toneClass = {
  neutral: 'bg-sunken text-ink-soft',
  leaf: 'bg-leaf-soft text-leaf-ink',
  tomato: 'bg-tomato-soft text-tomato-ink',
  straw: 'bg-straw-soft text-straw-ink',
  orange: 'bg-orange-soft text-orange-ink',
  sky: 'bg-sky-soft text-sky-ink',
};
/** The colour of a badge. Its text must convey the same meaning. */
export type Tone = keyof typeof toneClass;

/** A short label. */
export function Badge({
  tone = 'neutral',
  icon,
  className,
  children,
}: {
  tone?: Tone;
  /** A lucide icon, so that the meaning does not depend on colour alone. */
  icon?: ReactNode;
  className?: string | undefined;
  children: ReactNode;
}) {
  return (
    <span
      className={cn(
        // The baseline of the text, not of the icon, aligns with the text beside the badge.
        'inline-flex items-baseline gap-1 whitespace-nowrap rounded-full border border-transparent px-2.5 py-px text-xs font-medium',
        '[&>svg]:size-[1.15em] [&>svg]:shrink-0 [&>svg]:self-center',
        toneClass[tone],
        className,
      )}
    >
      {icon}
      {children}
    </span>
  );
}

/** The count on an icon, at most '99+'. Renders nothing for 0. */
export function CountBadge({ value, className }: { value: number; className?: string }) {
  if (value <= 0) return null;
  return (
    <span
      className={cn(
        'tabular inline-grid h-5 min-w-5 place-items-center rounded-full border border-transparent bg-tomato px-[3px] text-xs font-semibold text-on-tomato',
        className,
      )}
    >
      <span key={value} className="animate-tick">
        {value > 99 ? '99+' : value}
      </span>
    </span>
  );
}

/** The tone and icon of each order status. */
export const statusStyle = {
  pending: { tone: 'sky', icon: Clock },
  accepted: { tone: 'leaf', icon: CircleCheck },
  completed: { tone: 'leaf', icon: PackageCheck },
  rejected: { tone: 'tomato', icon: CircleX },
  cancelled: { tone: 'tomato', icon: Ban },
} as const;

/** The statuses an order can have. */
export type OrderStatus = keyof typeof statusStyle;

/** An order's status as colour, icon and word, animated when it changes. */
export function StatusBadge({ status, className }: { status: OrderStatus; className?: string }) {
  const changes = useChangeCount(status);
  const { tone, icon: Icon } = statusStyle[status];
  return (
    <span key={changes} className={cn('inline-block', changes > 0 && 'animate-turn')}>
      <Badge tone={tone} icon={<Icon aria-hidden="true" />} className={className}>
        {capitalized(status)}
      </Badge>
    </span>
  );
}
