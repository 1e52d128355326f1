import { formatNearSlot, slotOf, wayOf } from '#contract/farm/slots/constants';
import type { OrderStatus } from '#contract/ordering/orders/order-timeline';
import type { DayFigures, Order, StatusCounts } from '#contract/ordering/orders/orders';
import { shortId } from '#contract/platform/http/constants';
import { formatMoney, formatMoneyShort } from '#contract/platform/money/constants';
import { ORDER_STATUSES } from '#contract/platform/orders/constants';
import { formatCount } from '#contract/platform/text/constants/formats';
import { t } from '#contract/platform/text/constants/texts';
import { formatWallDate } from '#contract/platform/time/constants';
import { SeriesChart } from '../../../platform/ui/charts/SeriesChart.tsx';
import { ShareBar } from '../../../platform/ui/charts/ShareBar.tsx';
import { type Column, Table } from '../../../platform/ui/lists/Table.tsx';
import {
  LinkButton,
  StatusBadge,
  statusName,
  statusStyle,
} from '../../../platform/ui/primitives/Button.tsx';
import { Time } from '../../../platform/ui/primitives/Time.tsx';
import { useDayAtFarm } from '../../model/day-at-farm.ts';
import { OrderGoods, OrderTotal } from '../../model/order-parts.tsx';

/** Patterns distinguish what colour does not: the two greens, the two reds, and all of them in grey. */
const looks: Record<OrderStatus, string> = {
  pending: 'bg-sky dotted',
  accepted: 'bg-leaf',
  completed: 'bg-leaf-strong hatched',
  rejected: 'bg-tomato lined',
  cancelled: 'bg-tomato-strong hatched-back',
};

/** A stacked bar of the number of orders by status. */
export function StatusShares({ counts, className }: { counts: StatusCounts; className?: string }) {
  return (
    <ShareBar
      label={t('Orders by status')}
      className={className}
      shares={ORDER_STATUSES.map((status) => {
        const Icon = statusStyle[status].icon;
        return {
          key: status,
          label: (
            <>
              <Icon className="size-4 shrink-0 text-ink-soft" />
              {statusName(status)}
            </>
          ),
          value: counts[status],
          colour: looks[status],
        };
      })}
    />
  );
}

/** A table of the newest orders; `hrefOf` returns the link of each. */
export function RecentOrdersTable({
  orders,
  hrefOf,
}: {
  orders: readonly Order[];
  hrefOf: (order: Order) => string;
}) {
  const columns: readonly Column<Order>[] = [
    {
      key: 'order',
      header: t('noun|Order'),
      primary: true,
      cell: (order) => <OrderGoods order={order} />,
    },
    {
      key: 'customer',
      header: t('Customer'),
      cell: (order) => (
        <span className="grid">
          <bdi>{order.consumer.name}</bdi>
          <Time value={order.createdAt} as="relative" className="whitespace-nowrap text-ink-soft" />
        </span>
      ),
    },
    { key: 'due', header: t('Due'), cell: (order) => <Due order={order} /> },
    {
      key: 'total',
      header: t('Total'),
      align: 'end',
      cell: (order) => <OrderTotal order={order} />,
    },
    { key: 'status', header: t('Status'), cell: (order) => <StatusBadge status={order.status} /> },
    {
      key: 'action',
      header: <span className="sr-only">{t('Actions')}</span>,
      align: 'end',
      actions: true,
      cell: (order) => (
        <LinkButton
          href={hrefOf(order)}
          variant="quiet"
          size="sm"
          aria-label={t('View order {shortId}', { shortId: shortId(order._id) })}
        >
          {t('View')}
        </LinkButton>
      ),
    },
  ];
  return (
    <Table
      caption={t('Recent orders')}
      columns={columns}
      rows={orders}
      rowKey={(order) => order._id}
      rowVersion={(order) => order.status}
    />
  );
}

/** When the order is handed over, and where or how. */
function Due({ order }: { order: Order }) {
  const slot = slotOf(order);
  return (
    <span className="grid">
      <span className="whitespace-nowrap">{formatNearSlot(slot, useDayAtFarm(order))}</span>
      <span className="text-ink-soft">{slot.place ?? wayOf(slot)}</span>
    </span>
  );
}

/** The revenue and the number of orders of the last 30 days. */
export function DaysCharts({ days, height }: { days: readonly DayFigures[]; height?: number }) {
  const points = (field: 'revenue' | 'orders') =>
    days.map((day) => ({ label: formatWallDate(day.date, 'short'), value: day[field] }));
  return (
    <>
      <SeriesChart
        title={t('Revenue, last 30 days')}
        points={points('revenue')}
        format={formatMoney}
        formatAxis={formatMoneyShort}
        height={height}
      />
      <SeriesChart
        title={t('Orders, last 30 days')}
        points={points('orders')}
        format={formatCount}
        tone="sky"
        height={height}
      />
    </>
  );
}
