import { useQuery } from '@tanstack/react-query';
import { ArrowRight, Heart } from 'lucide-react';
import { useEffect, useId, useState } from 'react';
import { Link } from 'wouter';
import { farmNameOf } from '#contract/farm/farmers/constants';
import { t } from '#contract/platform/text/constants/texts';
import {
  type FollowedFarm,
  type FollowedProduct,
  farmsIn,
  followsQuery,
  productsIn,
} from '../../catalogue/follows/queries.ts';
import { ProductCard } from '../../catalogue/products/ProductCard.tsx';
import { QuickAdd } from '../../ordering/cart/QuickAdd.tsx';
import { ReorderButton } from '../../ordering/cart/reorder/ReorderButton.tsx';
import { HomeOrders } from '../../ordering/orders/lists/HomeOrders.tsx';
import { useWatchProducts } from '../../platform/realtime/watch.ts';

const PRODUCTS_SHOWN = 4;
const FARMS_SHOWN = 6;

/**
 * What a consumer comes for first: their orders and their favorites. `onReady` is called once its height is known, or
 * will not be for a while. `isContinued` says that the page showed the skeleton of the orders already.
 */
export function ConsumerHome({
  onReady,
  isContinued,
}: {
  onReady: () => void;
  isContinued: boolean;
}) {
  const [hasOrders, setHasOrders] = useState(false);
  const { data = [], isPending, failureCount } = useQuery(followsQuery());
  const isReady = hasOrders && (!isPending || failureCount > 0);
  useEffect(() => {
    if (isReady) onReady();
  }, [isReady, onReady]);
  return (
    <>
      <HomeOrders
        again={(order) => <ReorderButton order={order} size="sm" />}
        onReady={() => setHasOrders(true)}
        isContinued={isContinued}
      />
      {hasOrders && data.length > 0 && (
        <Favorites products={productsIn(data)} farms={farmsIn(data)} />
      )}
    </>
  );
}

/** The first of the favorites: products that are in stock now before those that are not, and farms. */
function Favorites({
  products,
  farms,
}: {
  products: readonly FollowedProduct[];
  farms: readonly FollowedFarm[];
}) {
  const id = useId();
  useWatchProducts(products.map(({ product }) => product._id));
  return (
    <section aria-labelledby={id} className="wrap grid gap-3">
      <div className="flex items-baseline justify-between gap-4">
        <h2 id={id} className="text-lg">
          {t('Your favorites')}
        </h2>
        <Link
          href="/favorites"
          className="inline-flex min-h-9 items-center gap-1.5 rounded text-sm font-medium text-leaf hover:underline pointer-coarse:min-h-11"
        >
          {t('All favorites')}
          <ArrowRight className="size-4" />
        </Link>
      </div>
      {products.length > 0 && (
        <ul className="grid grid-cols-2 gap-3 sm:gap-4 lg:grid-cols-4">
          {products.slice(0, PRODUCTS_SHOWN).map(({ product }) => (
            <li key={product._id}>
              <ProductCard product={product} action={<QuickAdd goods={product} />} />
            </li>
          ))}
        </ul>
      )}
      {farms.length > 0 && (
        <ul className="flex flex-wrap gap-2">
          {farms.slice(0, FARMS_SHOWN).map(({ farm }) => (
            <li key={farm._id} className="min-w-0">
              <Link
                href={`/farmers/${farm._id}`}
                className="flex min-h-11 items-center gap-2 rounded border border-hairline bg-surface px-3 text-sm font-medium hover:border-outline"
              >
                <Heart className="size-4 shrink-0 fill-current text-leaf" />
                <bdi className="min-w-0 wrap-anywhere">{farmNameOf(farm)}</bdi>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
