import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { Product } from '#contract/catalogue/products/product';
import { farmNameOf } from '#contract/farm/farmers/constants';
import type { Order } from '#contract/ordering/orders/orders';
import type { User } from '#contract/people/users/users';
import { OrderGoods } from '../../../ordering/model/OrderId.tsx';
import { useWatchProducts } from '../../../platform/realtime/watch.ts';
import { type Column, Table } from '../../../platform/ui/lists/Table.tsx';
import { Badge } from '../../../platform/ui/primitives/Badge.tsx';
import { Count } from '../../../platform/ui/primitives/Count.tsx';
import { Money } from '../../../platform/ui/primitives/Money.tsx';
import { StatusBadge } from '../../../platform/ui/primitives/StatusBadge.tsx';
import { Time } from '../../../platform/ui/primitives/Time.tsx';
import { personOrdersQuery, personProductsQuery } from '../case-queries.ts';
import { adminOrderHref, adminProductHref } from '../links.ts';
import { PagedPart } from '../PagedPart.tsx';

/** The orders that a person placed or received. */
export function PersonOrders({ person }: { person: User }) {
  const query = useInfiniteQuery(personOrdersQuery(person._id));
  return (
    <PagedPart id="person-orders" title="Orders" query={query} empty="No orders yet.">
      {(orders) => (
        <Table
          caption={`Orders of ${person.name}`}
          columns={orderColumns(person.role === 'farmer')}
          rows={orders}
          rowKey={(order) => order._id}
          rowVersion={(order) => order.status}
        />
      )}
    </PagedPart>
  );
}

const orderColumns = (isFarmer: boolean): readonly Column<Order>[] => [
  {
    key: 'order',
    header: 'Order',
    primary: true,
    cell: (order) => (
      <Link href={adminOrderHref(order)} className="link inline-block py-0.5">
        <OrderGoods order={order} />
      </Link>
    ),
  },
  {
    key: 'date',
    header: 'Date',
    cell: (order) => <Time value={order.createdAt} as="date" className="whitespace-nowrap" />,
  },
  isFarmer
    ? { key: 'other', header: 'Customer', cell: (order) => order.consumer.name }
    : {
        key: 'other',
        header: 'Farm',
        cell: (order) => farmNameOf(order.farmer),
      },
  {
    key: 'total',
    header: 'Total',
    align: 'end',
    cell: (order) => <Money amount={order.totalAmount} isEstimate={!order.isTotalFinal} />,
  },
  { key: 'status', header: 'Status', cell: (order) => <StatusBadge status={order.status} /> },
];

/** The products of a farmer, inactive and hidden ones too. */
export function PersonProducts({ person }: { person: User }) {
  const query = useInfiniteQuery(personProductsQuery(person._id));
  const shown = query.data?.pages.flatMap((page) => page.data.map(({ _id }) => _id)) ?? [];
  useWatchProducts(shown);
  return (
    <PagedPart id="person-products" title="Products" query={query} empty="No products yet.">
      {(products) => (
        <Table
          caption={`Products of ${person.name}`}
          columns={productColumns}
          rows={products}
          rowKey={(product) => product._id}
          rowVersion={(product) => product.version}
        />
      )}
    </PagedPart>
  );
}

const productColumns: readonly Column<Product>[] = [
  {
    key: 'name',
    header: 'Product',
    primary: true,
    cell: (product) => (
      <Link href={adminProductHref(product)} className="link inline-block py-0.5 wrap-anywhere">
        {product.name}
      </Link>
    ),
  },
  {
    key: 'price',
    header: 'Price',
    align: 'end',
    cell: (product) => <Money amount={product.price} per={product.unit} />,
  },
  {
    key: 'quantity',
    header: 'Quantity',
    align: 'end',
    cell: (product) => <Count value={product.quantityAvailable} />,
  },
  {
    key: 'status',
    header: 'Status',
    cell: ({ isActive, hiddenReason }) =>
      hiddenReason !== undefined ? (
        <Badge tone="tomato">Hidden</Badge>
      ) : isActive ? (
        <Badge tone="leaf">Active</Badge>
      ) : (
        <Badge>Inactive</Badge>
      ),
  },
];
