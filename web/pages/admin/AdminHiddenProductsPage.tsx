import { type QueryClient, useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { Product } from '#contract/catalogue/products/product';
import { farmNameOf } from '#contract/farm/farmers/constants';
import { AdminFrame } from '../../admin/admin/AdminFrame.tsx';
import { hiddenProductsQuery } from '../../admin/admin/case-queries.ts';
import { adminProductHref, adminUserHref } from '../../admin/admin/links.ts';
import { itemsOf } from '../../platform/queries/pages.ts';
import { EmptyState } from '../../platform/ui/feedback/EmptyState.tsx';
import { SkeletonRows } from '../../platform/ui/feedback/Skeleton.tsx';
import { PagedList } from '../../platform/ui/lists/PagedList.tsx';
import { type Column, Table } from '../../platform/ui/lists/Table.tsx';
import { BackLink } from '../../platform/ui/primitives/BackLink.tsx';

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
