import type { ReactNode } from 'react';
import { slotOf, wayOf } from '#contract/farm/slots/constants';
import type { Party } from '#contract/ordering/orders/constants';
import type { Order } from '#contract/ordering/orders/orders';
import { shortId } from '#contract/platform/http/constants';
import { t } from '#contract/platform/text/constants/texts';
import { formatNearDay } from '#contract/platform/time/constants';
import { formatFarmTime } from '../../../farm/model/farm-clock.ts';
import { useHighlight } from '../../../platform/queries/use-changes.ts';
import { cn } from '../../../platform/ui/cn.ts';
import { LinkButton, StatusBadge } from '../../../platform/ui/primitives/Button.tsx';
import { Picture } from '../../../platform/ui/primitives/Picture.tsx';
import { Time } from '../../../platform/ui/primitives/Time.tsx';
import { useDayAtFarm } from '../../model/day-at-farm.ts';
import { formatItems, presentLines, withWhom } from '../../model/order-items.ts';
import { liveRowClass, OrderId, OrderTotal } from '../../model/order-parts.tsx';
import { useIsUnanswered } from '../waiting.ts';

/** An order in the user's own list, highlighted when its status changes. */
export function OrderCard({
  order,
  reader,
  isNew,
  isLeaving,
  action,
}: {
  order: Order;
  /** Names the other side in its title. */
  reader: Party;
  isNew: boolean;
  isLeaving: boolean;
  /** A button beside View Details. */
  action?: ReactNode;
}) {
  const isHighlighted = useHighlight(order.status, order._id);
  const today = useDayAtFarm(order);
  const slot = slotOf(order);
  const pictures = presentLines(order.items).slice(0, 3);
  return (
    <li
      className={cn(
        'flex flex-col gap-3 rounded border border-hairline p-4',
        liveRowClass({ isNew, isLeaving }),
        isHighlighted && 'animate-highlight',
      )}
    >
      <div className="flex items-start justify-between gap-3">
        <h2 className="grid font-sans text-base font-semibold tracking-normal">
          <span className="wrap-anywhere">{withWhom(order, reader)}</span>{' '}
          <OrderId order={order} className="text-sm" />
        </h2>
        <StatusBadge status={order.status} />
      </div>
      <div className="flex items-center gap-3">
        <span className="flex shrink-0 -space-x-3">
          {pictures.map(({ _id, product }) => (
            <Picture
              key={_id}
              src={product.images[0]}
              alt=""
              sizes="48px"
              className="size-11 rounded-full border-2 border-surface"
            />
          ))}
        </span>
        <p className="min-w-0 text-sm text-ink-soft">
          <span dir="auto" className="line-clamp-3">
            {formatItems(order.items)}
          </span>
        </p>
      </div>
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-sm">
        <Row name={t('Date')}>
          <Time value={order.createdAt} as="date" />
        </Row>
        <Row name={wayOf(slot)} wraps>
          {t('{day}, {time}', {
            day: formatNearDay(slot.date, today),
            time: formatFarmTime(slot, order.startsAt, order.endsAt),
          })}
        </Row>
        {slot.place && (
          <Row name={t('Place')}>
            <bdi>{slot.place}</bdi>
          </Row>
        )}
        <Row name={t('Customer')}>
          <bdi>{order.consumer.name}</bdi>
        </Row>
        <Row name={t('Items')}>
          {t('{count, plural, one {# item} other {# items}}', {
            count: presentLines(order.items).length,
          })}
        </Row>
        <Row name={t('Total')}>
          <OrderTotal order={order} className="font-semibold" />
        </Row>
      </dl>
      {reader === 'consumer' && <Unanswered order={order} />}
      <div className="mt-auto flex flex-wrap gap-2 *:grow">
        <LinkButton
          href={`/orders/${order._id}`}
          variant="secondary"
          aria-label={t('View Details of order {shortId}', { shortId: shortId(order._id) })}
        >
          {t('View Details')}
        </LinkButton>
        {action}
      </div>
    </li>
  );
}

/** Says that a farm lets its customer wait. */
function Unanswered({ order }: { order: Order }) {
  if (!useIsUnanswered(order)) return null;
  return (
    <p className="text-sm text-straw-ink">
      {t('Not answered yet. You can cancel free of charge.')}
    </p>
  );
}

function Row({
  name,
  wraps = false,
  children,
}: {
  name: string;
  wraps?: boolean;
  children: ReactNode;
}) {
  return (
    <>
      <dt className="text-ink-soft">{name}</dt>
      <dd className={cn('min-w-0 text-end', !wraps && 'truncate')}>{children}</dd>
    </>
  );
}
