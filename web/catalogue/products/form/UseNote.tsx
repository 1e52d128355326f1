import { useQuery } from '@tanstack/react-query';
import { Fragment, type ReactNode } from 'react';
import { Link } from 'wouter';
import type { Product } from '#contract/catalogue/products/product';
import type { ProductUse } from '#contract/catalogue/products/products';
import { shortId } from '#contract/platform/http/constants';
import { t } from '#contract/platform/text/constants/texts';
import { rich } from '../../../platform/format/rich.tsx';
import { Alert } from '../../../platform/ui/feedback/states.tsx';
import { productUseQuery } from '../queries.ts';

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
          {t('Unit and way of sale stay as they are, because')}{' '}
          {orders.count > 0 ? (
            <Orders orders={orders} orderHref={orderHref} />
          ) : (
            t('stock is set aside until the morning. Set the stock first to change them.')
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

function Orders({
  orders: { count, ids },
  orderHref,
}: {
  orders: ProductUse;
  orderHref: (id: string) => string;
}) {
  const more = count - ids.length;
  return (
    <>
      {t('{count, plural, one {# open order} other {# open orders}}', { count })}{' '}
      {count === 1 ? 'has' : 'have'} it:{' '}
      {ids.map((id, index) => (
        <Fragment key={id}>
          {index > 0 && ', '}
          <Link href={orderHref(id)} className="link inline-block py-1.5">
            #{shortId(id)}
          </Link>
        </Fragment>
      ))}
      {more > 0 && ` and ${more} more`}.
    </>
  );
}
