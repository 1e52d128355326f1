import { fromMinor, lineTotalMinor } from '#contract/constants/money';
import { formatQuantity } from '#contract/constants/quantities';
import type { Order, OrderLine } from '#contract/orders';
import { Money } from '../ui/primitives/Money.tsx';
import { Picture } from '../ui/primitives/Picture.tsx';
import { type Column, Table } from '../ui/primitives/Table.tsx';

const wideOnly = 'hidden rows:table-cell';

const columns: readonly Column<OrderLine>[] = [
  {
    key: 'product',
    header: 'Product',
    primary: true,
    cell: ({ product, price, quantity }) => (
      <span className="flex items-center gap-3">
        <Picture
          src={product.images[0]}
          alt=""
          sizes="48px"
          className="size-12 shrink-0 rounded-xs"
        />
        <span className="min-w-0">
          {product.name}
          {/* Small screens show quantity and price in one line. */}
          <span className="block text-sm font-normal text-ink-soft rows:hidden">
            {formatQuantity(quantity, product.unit)} × <Money amount={price} per={product.unit} />
          </span>
        </span>
      </span>
    ),
    className: 'min-w-0 grow pb-1',
  },
  {
    key: 'price',
    header: 'Price',
    align: 'end',
    cell: ({ price, product }) => <Money amount={price} per={product.unit} />,
    className: wideOnly,
  },
  {
    key: 'quantity',
    header: 'Quantity',
    align: 'end',
    cell: ({ quantity, product }) => formatQuantity(quantity, product.unit),
    className: wideOnly,
  },
  {
    key: 'total',
    header: 'Total',
    align: 'end',
    cell: (line) => <Money amount={fromMinor(lineTotalMinor(line))} className="font-medium" />,
    className: '@max-xl:[&>[aria-hidden]]:hidden',
  },
];

/** The lines of an order with their totals, and the order total. */
export function OrderLines({ order }: { order: Order }) {
  return (
    <div className="@container">
      <Table
        caption="Ordered products"
        columns={columns}
        rows={order.items}
        rowKey={(line) => line._id}
        rowClassName={() =>
          'flex items-center gap-3 rounded-none border-0 border-t px-0 py-3 first:border-t-0 first:pt-0 rows:border-t-0'
        }
      />
      <p className="mt-2 flex items-baseline justify-between gap-4 border-t border-hairline pt-4 @xl:px-2 @3xl:px-3">
        <span className="font-medium">Total</span>
        <Money amount={order.totalAmount} className="text-lg font-semibold" />
      </p>
    </div>
  );
}
