import { type QueryClient, useInfiniteQuery } from '@tanstack/react-query';
import type { Product } from '#contract/catalogue/products/product';
import { farmNameOf } from '#contract/farm/farmers/constants';
import { t } from '#contract/platform/text/constants/texts';
import { AdminFrame, adminProductHref, adminUserHref } from '../../admin/admin/AdminFrame.tsx';
import { AdminList } from '../../admin/admin/ListTools.tsx';
import { hiddenProductsQuery } from '../../admin/admin/queries.ts';
import { CellLink } from '../../admin/model/cells.tsx';
import { type Column, Table } from '../../platform/ui/lists/Table.tsx';
import { BackLink } from '../../platform/ui/primitives/sections.tsx';

/** Prefetches the products when a link to them is hovered. */
export const prefetch = (client: QueryClient) =>
  client.prefetchInfiniteQuery(hiddenProductsQuery());

/** What admins have hidden, with the reasons. */
export default function AdminHiddenProductsPage() {
  const query = useInfiniteQuery(hiddenProductsQuery());
  return (
    <AdminFrame title={t('Hidden products')}>
      <BackLink href="/admin/dashboard" className="mb-2">
        {t('Back to Dashboard')}
      </BackLink>
      <AdminList
        query={query}
        rows={6}
        drawing="basket"
        title={t('Nothing is hidden')}
        text={t('Products that an admin hides appear here.')}
      >
        {(products) => (
          <Table
            caption={t('Hidden products')}
            columns={columns()}
            rows={products}
            rowKey={(product) => product._id}
          />
        )}
      </AdminList>
    </AdminFrame>
  );
}

const columns = (): readonly Column<Product>[] => [
  {
    key: 'name',
    header: t('Product'),
    primary: true,
    cell: (product) => <CellLink href={adminProductHref(product)}>{product.name}</CellLink>,
  },
  {
    key: 'farm',
    header: t('Farm'),
    cell: ({ farmer }) => <CellLink href={adminUserHref(farmer)}>{farmNameOf(farmer)}</CellLink>,
  },
  {
    key: 'reason',
    header: t('Reason'),
    cell: ({ hiddenReason }) => (
      <span dir="auto" className="wrap-anywhere">
        {hiddenReason}
      </span>
    ),
  },
];
