import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Product } from '#contract/catalogue/products/product';
import { farmNameOf } from '#contract/farm/farmers/constants/farmers';
import type { Order } from '#contract/ordering/orders/orders';
import type { User } from '#contract/people/users/users';
import { OrderGoods } from '../../../ordering/model/OrderId.tsx';
import { itemsOf } from '../../../platform/queries/pages.ts';
import { useWatchProducts } from '../../../platform/realtime/watch.ts';
import { SkeletonRows } from '../../../platform/ui/feedback/Skeleton.tsx';
import { PagedList } from '../../../platform/ui/lists/PagedList.tsx';
import { type Column, Table } from '../../../platform/ui/lists/Table.tsx';
import { Badge } from '../../../platform/ui/primitives/Badge.tsx';
import { Button } from '../../../platform/ui/primitives/Button.tsx';
import { Card, CardHeader } from '../../../platform/ui/primitives/Card.tsx';
import { Count } from '../../../platform/ui/primitives/Count.tsx';
import { Money } from '../../../platform/ui/primitives/Money.tsx';
import { StatusBadge } from '../../../platform/ui/primitives/StatusBadge.tsx';
import { CellLink, orderDate, orderTotal } from '../../model/cells.tsx';
import { adminOrderHref, adminProductHref } from '../AdminFrame.tsx';
import type { ItemsQuery } from '../ListTools.tsx';
import { personOrdersQuery, personProductsQuery } from '../queries.ts';

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
      <CellLink href={adminOrderHref(order)}>
        <OrderGoods order={order} />
      </CellLink>
    ),
  },
  orderDate,
  isFarmer
    ? { key: 'other', header: 'Customer', cell: (order) => order.consumer.name }
    : { key: 'other', header: 'Farm', cell: (order) => farmNameOf(order.farmer) },
  orderTotal,
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
    cell: (product) => <CellLink href={adminProductHref(product)}>{product.name}</CellLink>,
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

/**
 * A titled part of a page that shows a list page by page. The next page is loaded by a button, because
 * further parts follow below.
 */
export const PagedPart = <Item extends { _id: string }>({
  id,
  title,
  query,
  empty,
  children,
}: {
  /** The id of its heading. */
  id: string;
  title: string;
  query: ItemsQuery<Item>;
  /** Replaces an empty list. */
  empty: string;
  children: (items: readonly Item[]) => ReactNode;
}) => (
  <Card as="section" aria-labelledby={id}>
    <CardHeader id={id} title={title} />
    <PagedList
      query={query}
      items={itemsOf(query.data)}
      skeleton={<SkeletonRows rows={3} />}
      empty={<p className="text-sm text-ink-soft">{empty}</p>}
      more={
        query.hasNextPage && (
          <Button
            variant="secondary"
            size="sm"
            pending={query.isFetchingNextPage}
            onClick={() => query.fetchNextPage()}
            className="mt-3"
          >
            {query.isFetchNextPageError ? 'Try again' : 'Show more'}
          </Button>
        )
      }
    >
      {children}
    </PagedList>
  </Card>
);
