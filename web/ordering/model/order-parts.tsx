import { useQuery } from '@tanstack/react-query';
import { Hourglass } from 'lucide-react';
import type { Order } from '#contract/ordering/orders/orders';
import { shortId } from '#contract/platform/http/constants';
import { formatMoney, fromMinor, toMinor } from '#contract/platform/money/constants';
import { t } from '#contract/platform/text/constants/texts';
import { marketQuery } from '../../platform/format/market.ts';
import { formatWait } from '../../platform/format/near-day.ts';
import { useNow } from '../../platform/hooks/use-now.ts';
import { cn } from '../../platform/ui/cn.ts';
import { Badge } from '../../platform/ui/primitives/Button.tsx';
import { Money } from '../../platform/ui/primitives/Money.tsx';
import { Picture } from '../../platform/ui/primitives/Picture.tsx';
import { formatItems, type Total } from './order-items.ts';

/** The shortened id of an order, beside what people call it by. */
export function OrderId({ order, className }: { order: Pick<Order, '_id'>; className?: string }) {
  return (
    <bdi dir="ltr" className={cn('tabular whitespace-nowrap font-normal text-ink-soft', className)}>
      #{shortId(order._id)}
    </bdi>
  );
}

/** An order in a table: its goods in one line, and its shortened id below. */
export function OrderGoods({ order }: { order: Pick<Order, '_id' | 'items'> }) {
  return (
    <>
      <span dir="auto" className="line-clamp-1">
        {formatItems(order.items)}
      </span>
      <OrderId order={order} />
    </>
  );
}

/** What an order comes to. */
export const OrderTotal = ({ order, className }: { order: Total; className?: string }) => (
  <Money amount={order.totalAmount} isEstimate={!order.isTotalFinal} className={className} />
);

/**
 * The live waiting time of an order, red once the market's limit is exceeded. `isShort` leaves minutes out of hours.
 */
export function Waiting({ since, isShort = false }: { since: string; isShort?: boolean }) {
  const waited = useNow(15_000) - new Date(since).getTime();
  const { data: market } = useQuery(marketQuery());
  // The server defines the limit; until it is loaded, no wait is too long.
  const tooLong = market !== undefined && waited >= market.unansweredMinutes * 60_000;
  return (
    <Badge tone={tooLong ? 'tomato' : 'straw'} icon={<Hourglass />}>
      <span className="sr-only">{t('Waiting for')} </span>
      {formatWait(waited, { isShort })}
    </Badge>
  );
}

/** The small picture of a product in a list; grey of what is gone. */
export function Thumbnail({
  name,
  image,
  isGone = false,
}: {
  name?: string;
  image: string | undefined;
  isGone?: boolean;
}) {
  return (
    <Picture
      src={image}
      alt=""
      ground={name}
      sizes="48px"
      className={cn('size-12 shrink-0 rounded-xs', isGone && 'opacity-50 grayscale')}
    />
  );
}

/** Returns the classes of an order in a live list: it slides in, and is darker while it is about to leave. */
export const liveRowClass = ({ isNew, isLeaving }: { isNew: boolean; isLeaving: boolean }) =>
  cn(
    'transition-colors duration-500',
    // Not paler, because what it says must still be read.
    isLeaving ? 'bg-sunken' : 'bg-surface',
    isNew && 'animate-slide-in',
  );

/** A total before and after a change, and the difference: always in view where one changes an order. */
export function TotalChange({ before, after }: { before: Total; after: Total }) {
  const differenceMinor = toMinor(after.totalAmount) - toMinor(before.totalAmount);
  return (
    <p className="flex flex-wrap items-baseline gap-x-3 text-sm" aria-live="polite">
      <span className="font-medium">{differenceMinor === 0 ? t('Total') : t('New total')}</span>
      <OrderTotal
        key={after.totalAmount}
        order={after}
        className="animate-tick text-lg font-semibold"
      />
      {differenceMinor !== 0 && (
        <span className="text-ink-soft">
          <span className="sr-only">{t('instead of')} </span>
          <s>
            <OrderTotal order={before} />
          </s>{' '}
          <span className="whitespace-nowrap">
            ({differenceMinor > 0 ? '+' : '−'}
            {formatMoney(Math.abs(fromMinor(differenceMinor)))})
          </span>
        </span>
      )}
    </p>
  );
}
