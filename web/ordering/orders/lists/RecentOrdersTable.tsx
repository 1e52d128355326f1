import { formatNearSlot, slotOf, wayOf } from '#contract/farm/slots/constants';
import type { Order } from '#contract/ordering/orders/orders';
import { shortId } from '#contract/platform/http/constants';
import { useToday } from '../../../platform/hooks/use-now.ts';
import { type Column, Table } from '../../../platform/ui/lists/Table.tsx';
import { LinkButton } from '../../../platform/ui/primitives/Button.tsx';
import { Money } from '../../../platform/ui/primitives/Money.tsx';
import { StatusBadge } from '../../../platform/ui/primitives/StatusBadge.tsx';
import { Time } from '../../../platform/ui/primitives/Time.tsx';
import { OrderGoods } from '../../model/OrderId.tsx';

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
      header: 'Order',
      primary: true,
      cell: (order) => <OrderGoods order={order} />,
    },
    {
      key: 'customer',
      header: 'Customer',
      cell: (order) => (
        <span className="grid">
          <span>{order.consumer.name}</span>
          <Time value={order.createdAt} as="relative" className="whitespace-nowrap text-ink-soft" />
        </span>
      ),
    },
    { key: 'due', header: 'Due', cell: (order) => <Due order={order} /> },
    {
      key: 'total',
      header: 'Total',
      align: 'end',
      cell: (order) => <Money amount={order.totalAmount} isEstimate={!order.isTotalFinal} />,
    },
    { key: 'status', header: 'Status', cell: (order) => <StatusBadge status={order.status} /> },
    {
      key: 'action',
      header: <span className="sr-only">Actions</span>,
      align: 'end',
      actions: true,
      cell: (order) => (
        <LinkButton
          href={hrefOf(order)}
          variant="quiet"
          size="sm"
          aria-label={`View order ${shortId(order._id)}`}
        >
          View
        </LinkButton>
      ),
    },
  ];
  return (
    <Table
      caption="Recent orders"
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
      <span className="whitespace-nowrap">{formatNearSlot(slot, useToday())}</span>
      <span className="text-ink-soft">{slot.place ?? wayOf(slot)}</span>
    </span>
  );
}
