import { type QueryClient, useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { farmNameOf } from '#contract/constants/farmers';
import type { Product } from '#contract/products';
import { itemsOf } from '../lib/pages.ts';
import { BackLink } from '../ui/primitives/BackLink.tsx';
import { EmptyState } from '../ui/primitives/EmptyState.tsx';
import { PagedList } from '../ui/primitives/PagedList.tsx';
import { SkeletonRows } from '../ui/primitives/Skeleton.tsx';
import { type Column, Table } from '../ui/primitives/Table.tsx';
import { AdminFrame } from './AdminFrame.tsx';
import { hiddenProductsQuery } from './case-queries.ts';
import { adminProductHref, adminUserHref } from './links.ts';

/** Prefetches the products when a link to them is hovered. */
export function prefetch(client: QueryClient): void {
  void client.prefetchInfiniteQuery(hiddenProductsQuery());
}

/** What admins have hidden, with the reasons. */
export default function AdminHiddenProductsPage() {
  const query = useInfiniteQuery(hiddenProductsQuery());
  return (
    <AdminFrame title="Hidden products">
      <BackLink href="/admin/dashboard" className="mb-2">
        Back to Dashboard
      </BackLink>
      <PagedList
        query={query}
        items={itemsOf(query.data)}
        skeleton={<SkeletonRows rows={6} />}
        empty={
          <EmptyState
            drawing="basket"
            title="Nothing is hidden"
            text="Products that an admin hides appear here."
          />
        }
      >
        {(products) => (
          <Table
            caption="Hidden products"
            columns={columns}
            rows={products}
            rowKey={(product) => product._id}
          />
        )}
      </PagedList>
    </AdminFrame>
  );
}

const columns: readonly Column<Product>[] = [
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
    key: 'farm',
    header: 'Farm',
    cell: ({ farmer }) => (
      <Link href={adminUserHref(farmer)} className="link inline-block py-0.5 wrap-anywhere">
        {farmNameOf(farmer)}
      </Link>
    ),
  },
  {
    key: 'reason',
    header: 'Reason',
    cell: ({ hiddenReason }) => <span className="wrap-anywhere">{hiddenReason}</span>,
  },
];
