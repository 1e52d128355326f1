import { type QueryClient, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense, useCallback, useState } from 'react';
import { categoriesQuery } from '../../catalogue/categories/queries.ts';
import { ProductCard } from '../../catalogue/products/ProductCard.tsx';
import { featuredProductsQuery } from '../../catalogue/products/queries.ts';
import {
  FARMERS_GRID_CLASS,
  FarmerCard,
  FarmerCardSkeletons,
} from '../../farm/farmers/FarmerCard.tsx';
import { firstFarmersQuery } from '../../farm/farmers/queries.ts';
import { QuickAdd } from '../../ordering/cart/QuickAdd.tsx';
import { HomeOrdersSkeleton } from '../../ordering/orders/lists/HomeOrdersSkeleton.tsx';
import { useHydrated, useIsServerRendered } from '../../platform/hooks/hydration.ts';
import { useAuth } from '../../platform/session/use-auth.ts';
import { cn } from '../../platform/ui/cn.ts';
import { Alert } from '../../platform/ui/feedback/Alert.tsx';
import { EmptyState } from '../../platform/ui/feedback/EmptyState.tsx';
import { ErrorState } from '../../platform/ui/feedback/ErrorState.tsx';
import { Loading, Skeleton, SkeletonCards } from '../../platform/ui/feedback/Skeleton.tsx';
import { lazyWithRetry } from '../../platform/ui/lazy-with-retry.ts';
import { CallToAction } from './CallToAction.tsx';
import { CategoryTiles } from './CategoryTiles.tsx';
import { Hero } from './Hero.tsx';
import { Shelf } from './Shelf.tsx';
import { WhyChoose } from './WhyChoose.tsx';

// Only buyers load these, so that a visitor's first page stays small.
const HomeOrders = lazyWithRetry(async () => ({
  default: (await import('../../ordering/orders/lists/HomeOrders.tsx')).HomeOrders,
}));
const OrderAgain = lazyWithRetry(async () => ({
  default: (await import('../../ordering/cart/reorder/OrderAgain.tsx')).OrderAgain,
}));

const PRODUCT_COUNT = 4;
const FARMER_COUNT = 3;

const products = featuredProductsQuery;
const farmers = () => firstFarmersQuery(FARMER_COUNT);

/** Prefetches the data of the page when a link to it is hovered or focused. */
export const prefetch = (client: QueryClient) =>
  Promise.all([
    client.prefetchQuery(products()),
    client.prefetchQuery(categoriesQuery()),
    client.prefetchQuery(farmers()),
  ]);

/** The home page: what one came for first, then what the market is. */
export default function HomePage() {
  const { user } = useAuth();
  const isBuyer = user?.role === 'consumer';
  // The server's page shows a buyer the skeleton of their orders.
  const isContinued = useIsServerRendered();
  // Below orders that are still loading, the market would be moved by them.
  const [isHomeOrdersReady, setHomeOrdersReady] = useState(false);
  const showMarket = useCallback(() => setHomeOrdersReady(true), []);
  return (
    <>
      <div className={cn('first-for-others grid gap-12 sm:gap-20', !isBuyer && 'max-sm:gap-8')}>
        <div className="grid gap-8 sm:gap-12">
          <Hero compact={isBuyer} />
          {isBuyer && (
            <Suspense fallback={<HomeOrdersSkeleton isContinued={isContinued} />}>
              <HomeOrders
                again={(order) => <OrderAgain order={order} size="sm" />}
                onReady={showMarket}
                isContinued={isContinued}
              />
            </Suspense>
          )}
        </div>
        {(!isBuyer || isHomeOrdersReady) && <Market isVisitor={!user} />}
      </div>
      <FirstForBuyers />
    </>
  );
}

/** The server does not know who is signed in: `first-paint.js` shows buyers this instead of a visitor's page. */
function FirstForBuyers() {
  if (useHydrated()) return null;
  return (
    <div className="first-for-buyers gap-8 sm:gap-12">
      <Hero compact />
      <HomeOrdersSkeleton />
    </div>
  );
}

/** What the market has, and what it is. */
function Market({ isVisitor }: { isVisitor: boolean }) {
  return (
    <>
      <NotOpenYet />
      <Shelf title="Featured products" all={{ href: '/products', label: 'All products' }}>
        <QueryResult
          query={useQuery(products())}
          skeleton={<SkeletonCards cards={PRODUCT_COUNT} />}
          empty={
            <EmptyState
              drawing="basket"
              level={3}
              title="No Featured Products Available"
              text="The farms are still in the fields. Look again soon."
            />
          }
        >
          {(found) => (
            <ul className="grid grid-cols-2 gap-3 sm:gap-4 lg:grid-cols-4">
              {found.slice(0, PRODUCT_COUNT).map((product) => (
                <li key={product._id}>
                  <ProductCard product={product} eager action={<QuickAdd goods={product} />} />
                </li>
              ))}
            </ul>
          )}
        </QueryResult>
      </Shelf>
      <Shelf title="Browse by category">
        <QueryResult
          query={useQuery(categoriesQuery())}
          skeleton={<TilesSkeleton />}
          empty={
            <EmptyState
              drawing="field"
              level={3}
              title="Categories Coming Soon"
              text="Until then, you'll find everything under Products."
            />
          }
        >
          {(found) => <CategoryTiles categories={found} />}
        </QueryResult>
      </Shelf>
      <Shelf title="Our Farmers" all={{ href: '/farmers', label: 'All farmers' }}>
        <QueryResult
          query={useQuery(farmers())}
          skeleton={<FarmerCardSkeletons cards={FARMER_COUNT} />}
          empty={
            <EmptyState
              drawing="farm"
              level={3}
              title="No Farmers Available Yet"
              text="Do you grow something? Be the first."
            />
          }
        >
          {(found) => (
            <ul className={FARMERS_GRID_CLASS}>
              {found.slice(0, FARMER_COUNT).map((farmer) => (
                <li key={farmer._id} className="defer-paint-132">
                  <FarmerCard farmer={farmer} />
                </li>
              ))}
            </ul>
          )}
        </QueryResult>
      </Shelf>
      <WhyChoose />
      {/* Nobody who is signed in needs an account. */}
      {isVisitor && <CallToAction />}
    </>
  );
}

/** Says that a market without categories and products has yet to open. */
function NotOpenYet() {
  const { data: found } = useQuery(products());
  const { data: categories } = useQuery(categoriesQuery());
  if (found?.length !== 0 || categories?.length !== 0) return null;
  return (
    <div className="wrap">
      <Alert kind="info">This market is not open yet. Look again soon.</Alert>
    </div>
  );
}

/** Renders a query as its skeleton, its error, its empty state or its items. */
function QueryResult<Item>({
  query,
  skeleton,
  empty,
  children,
}: {
  query: UseQueryResult<Item[]>;
  skeleton: ReactNode;
  empty: ReactNode;
  children: (items: Item[]) => ReactNode;
}) {
  if (query.data) return query.data.length > 0 ? children(query.data) : empty;
  if (query.isPending) return skeleton;
  return <ErrorState error={query.error} onRetry={query.refetch} pending={query.isFetching} />;
}

function TilesSkeleton() {
  return (
    <Loading className="grid grid-cols-2 gap-3 sm:grid-cols-3">
      {['a', 'b', 'c', 'd', 'e', 'f'].map((tile) => (
        <Skeleton key={tile} className="h-20 rounded sm:h-24" />
      ))}
    </Loading>
  );
}
