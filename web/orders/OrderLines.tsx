import { isFinal } from '#contract/constants/orders';
import { formatCounted } from '#contract/constants/pieces';
import { formatQuantity } from '#contract/constants/quantities';
import type { Order, OrderLine } from '#contract/orders';
import { Money } from '../ui/primitives/Money.tsx';
import { Picture } from '../ui/primitives/Picture.tsx';
import { type Column, Table } from '../ui/primitives/Table.tsx';

const wideOnly = 'hidden rows:table-cell';

/** What a line costs: an estimate until it is weighed, and with what it weighs after. */
function LineTotal({ total, isFinal, packed, product }: OrderLine) {
  return (
    <>
      <Money amount={total} isEstimate={!isFinal} className="font-medium" />
      {packed !== undefined && (
        <span className="tabular whitespace-nowrap text-sm text-ink-soft">
          {' '}
          ({formatQuantity(packed, product.unit)})
        </span>
      )}
    </>
  );
}

const columns: readonly Column<OrderLine>[] = [
  {
    key: 'product',
    header: 'Product',
    primary: true,
    cell: ({ product, price, quantity, pieceWeight }) => (
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
            {formatCounted(quantity, { ...product, pieceWeight })} ×{' '}
            <Money amount={price} per={product.unit} />
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
    cell: ({ quantity, product, pieceWeight }) =>
      formatCounted(quantity, { ...product, pieceWeight }),
    className: wideOnly,
  },
  {
    key: 'total',
    header: 'Total',
    align: 'end',
    cell: LineTotal,
    className: '@max-xl:[&>[aria-hidden]]:hidden',
  },
];

const isOpen = ({ status }: Order): boolean => !isFinal(status);

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
        <Money
          amount={order.totalAmount}
          isEstimate={!order.isTotalFinal}
          className="text-lg font-semibold"
        />
      </p>
      {!order.isTotalFinal && isOpen(order) && (
        <p className="mt-1 text-sm text-ink-soft @xl:px-2 @3xl:px-3">
          An estimate: the exact total is known once everything is weighed.
        </p>
      )}
    </div>
  );
}
