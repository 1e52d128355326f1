import { queryOptions, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { productsApi } from '#contract/catalogue/products/constants/products';
import type { Product } from '#contract/catalogue/products/product';
import type { ProductUse } from '#contract/catalogue/products/products';
import { shortId } from '#contract/platform/http/constants';
import { theReader } from '#contract/platform/text/constants/reader';
import { t } from '#contract/platform/text/constants/texts';
import { dataOf } from '../../../platform/api/api.ts';
import { rich } from '../../../platform/format/rich.tsx';
import { Alert } from '../../../platform/ui/feedback/states.tsx';
import { productsKeys } from '../queries.ts';

/** The open orders that keep the unit of a product as it is. */
const productUseQuery = (id: string) =>
  queryOptions({
    queryKey: productsKeys.use(id),
    queryFn: dataOf(productsApi.use, { params: { id } }),
    // What was known before the form was opened says nothing of now.
    refetchOnMount: 'always',
  });

const UNUSED: ProductUse = { count: 0, ids: [] };

/** Returns whether a product's unit and way of sale stay as they are, and the note that says why, for its form. */
export function useFixedUnit(
  { _id, returnsAt }: Product,
  { orderHref, copyHref }: { orderHref: (id: string) => string; copyHref?: string },
): { isInUse: boolean; note: ReactNode } {
  const { data: orders = UNUSED } = useQuery(productUseQuery(_id));
  const isAside = returnsAt !== undefined;
  if (orders.count === 0 && !isAside) return { isInUse: false, note: null };
  return {
    isInUse: true,
    note: (
      <Alert kind="info">
        <p>
          {orders.count > 0
            ? inUse(orders, orderHref)
            : t(
                'Unit and way of sale stay as they are, because stock is set aside until the morning. Set the stock first to change them.',
              )}
        </p>
        {copyHref && (
          <p>
            {rich('<a>Make a copy</a> to sell it another way.', {
              a: (inner) => (
                <Link href={copyHref} className="link inline-block py-1.5">
                  {inner}
                </Link>
              ),
            })}
          </p>
        )}
      </Alert>
    ),
  };
}

function inUse({ count, ids }: ProductUse, orderHref: (id: string) => string): ReactNode {
  const more = count - ids.length;
  const list = new Intl.ListFormat(theReader().language, { type: 'unit' });
  const orders = list.formatToParts(ids).map(({ type, value }, at) =>
    type === 'element' ? (
      <Link key={value} href={orderHref(value)} className="link inline-block py-1.5">
        <bdi>#{shortId(value)}</bdi>
      </Link>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: what stands between two orders is the same at each place.
      <span key={at}>{value}</span>
    ),
  );
  return more > 0
    ? rich(
        'Unit and way of sale stay as they are, because {count, plural, one {# open order has it} other {# open orders have it}}: {orders} and {more, number} more.',
        { count, orders, more },
      )
    : rich(
        'Unit and way of sale stay as they are, because {count, plural, one {# open order has it} other {# open orders have it}}: {orders}.',
        { count, orders },
      );
}
