import type { Order, OrderLine } from '#contract/orders';
import { formatCount } from '../lib/format.ts';
import { Money } from '../ui/Money.tsx';
import { Picture } from '../ui/Picture.tsx';
import { type Column, Table } from '../ui/Table.tsx';
import { lineTotal } from './amounts.ts';

const columns: readonly Column<OrderLine>[] = [
  {
    key: 'product',
    header: 'Product',
    primary: true,
    cell: ({ product }) => (
      <span className="flex items-center gap-3">
        <Picture
          src={product.images[0]}
          alt=""
          sizes="48px"
          className="size-12 shrink-0 rounded-xs"
        />
        <span className="min-w-0">{product.name}</span>
      </span>
    ),
  },
  {
    key: 'price',
    header: 'Price',
    align: 'end',
    cell: ({ price, product }) => <Money amount={price} per={product.unit} />,
  },
  {
    key: 'quantity',
    header: 'Quantity',
    align: 'end',
    cell: ({ quantity }) => formatCount(quantity),
  },
  {
    key: 'total',
    header: 'Total',
    align: 'end',
    cell: (line) => <Money amount={lineTotal(line)} className="font-medium" />,
  },
];

/** The things of an order with what each comes to, and the grand total. */
export function OrderLines({ order }: { order: Order }) {
  return (
    <>
      <Table
        caption="Ordered products"
        columns={columns}
        rows={order.items}
        rowKey={(line) => line._id}
      />
      <p className="mt-2 flex items-baseline justify-between gap-4 border-t border-hairline px-3 pt-4">
        <span className="font-medium">Total</span>
        <Money amount={order.totalAmount} className="text-lg font-semibold" />
      </p>
    </>
  );
}
