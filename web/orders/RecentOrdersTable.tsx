import type { Order } from '#contract/orders';
import { shortId } from '../lib/format.ts';
import { LinkButton } from '../ui/Button.tsx';
import { Money } from '../ui/Money.tsx';
import { StatusBadge } from '../ui/StatusBadge.tsx';
import { type Column, Table } from '../ui/Table.tsx';
import { Time } from '../ui/Time.tsx';

/** The newest orders in a small table; `hrefOf` is where each leads. */
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
      cell: (order) => <span className="tabular">#{shortId(order._id)}</span>,
    },
    { key: 'customer', header: 'Customer', cell: (order) => order.consumer.name },
    {
      key: 'date',
      header: 'Placed',
      cell: (order) => <Time value={order.createdAt} as="relative" className="whitespace-nowrap" />,
    },
    {
      key: 'total',
      header: 'Total',
      align: 'end',
      cell: (order) => <Money amount={order.totalAmount} />,
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
