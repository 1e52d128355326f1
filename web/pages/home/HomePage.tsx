import { type QueryClient, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { ArrowRight } from 'lucide-react';
import { type ComponentProps, type ReactNode, Suspense, useCallback, useId, useState } from 'react';
import { Link } from 'wouter';
import type { Category } from '#contract/catalogue/categories/categories';
import { nameOfCategory } from '#contract/catalogue/categories/constants';
import { t } from '#contract/platform/text/constants/texts';
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
import { useAuth } from '../../platform/session/session.ts';
import { CategoryIcon } from '../../platform/ui/art/Drawing.tsx';
import { cn } from '../../platform/ui/cn.ts';
import {
  Alert,
  EmptyState,
  Fetched,
  Loading,
  Skeleton,
  SkeletonCards,
} from '../../platform/ui/feedback/states.tsx';
import { groundClass } from '../../platform/ui/ground.ts';
import { lazyWithRetry } from '../../platform/ui/lazy-with-retry.tsx';
import { CallToAction } from './CallToAction.tsx';
import { Hero } from './Hero.tsx';
import { WhyChoose } from './WhyChoose.tsx';

// Only consumers load this, so that a visitor's first page stays small.
const ConsumerHome = lazyWithRetry(async () => ({
  default: (await import('./ConsumerHome.tsx')).ConsumerHome,
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
  const isConsumer = user?.role === 'consumer';
  // The server's page shows a consumer the skeleton of their orders.
  const isContinued = useIsServerRendered();
  // Below what is still loading for a consumer, the market would be moved by it.
  const [isConsumerReady, setConsumerReady] = useState(false);
  const showMarket = useCallback(() => setConsumerReady(true), []);
  return (
    <>
      <div
        className={cn(
          'first-for-others grid grid-cols-1 gap-12 sm:gap-20',
          !isConsumer && 'max-sm:gap-8',
        )}
      >
        <div className="grid grid-cols-1 gap-8 sm:gap-12">
          <Hero compact={isConsumer} />
          {isConsumer && (
            <Suspense fallback={<HomeOrdersSkeleton isContinued={isContinued} />}>
              <ConsumerHome onReady={showMarket} isContinued={isContinued} />
            </Suspense>
          )}
        </div>
        {(!isConsumer || isConsumerReady) && <Market isVisitor={!user} />}
      </div>
      <FirstForConsumers />
    </>
  );
}

/** The server does not know who is signed in: `first-paint.js` shows consumers this instead of a visitor's page. */
function FirstForConsumers() {
  if (useHydrated()) return null;
  return (
    <div className="first-for-customers gap-8 sm:gap-12">
      <Hero compact />
      <HomeOrdersSkeleton />
    </div>
  );
}

/** What the market has, and what it is. */
const Market = ({ isVisitor }: { isVisitor: boolean }) => (
  <>
    <NotOpenYet />
    <ProductSection
      title={t('Featured products')}
      all={{ href: '/products', label: t('All products') }}
      query={useQuery(products())}
      skeleton={<SkeletonCards cards={PRODUCT_COUNT} />}
      empty={{
        drawing: 'basket',
        title: t('No Featured Products Available'),
        text: t('The farms are still in the fields. Look again soon.'),
      }}
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
    </ProductSection>
    <ProductSection
      title={t('Browse by category')}
      query={useQuery(categoriesQuery())}
      skeleton={<TilesSkeleton />}
      empty={{
        drawing: 'field',
        title: t('Categories Coming Soon'),
        text: t("Until then, you'll find everything under Products."),
      }}
    >
      {(found) => <CategoryTiles categories={found} />}
    </ProductSection>
    <ProductSection
      title={t('Our Farmers')}
      all={{ href: '/farmers', label: t('All farmers') }}
      query={useQuery(farmers())}
      skeleton={<FarmerCardSkeletons cards={FARMER_COUNT} />}
      empty={{
        drawing: 'farm',
        title: t('No Farmers Available Yet'),
        text: t('Do you grow something? Be the first.'),
      }}
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
    </ProductSection>
    <WhyChoose />
    {/* Nobody who is signed in needs an account. */}
    {isVisitor && <CallToAction />}
  </>
);

/** Says that a market without categories and products has yet to open. */
function NotOpenYet() {
  const { data: found } = useQuery(products());
  const { data: categories } = useQuery(categoriesQuery());
  if (found?.length !== 0 || categories?.length !== 0) return null;
  return (
    <div className="wrap">
      <Alert kind="info">{t('This market is not open yet. Look again soon.')}</Alert>
    </div>
  );
}

const TilesSkeleton = () => (
  <Loading className="grid grid-cols-2 gap-3 sm:grid-cols-3">
    {[1, 2, 3, 4, 5, 6].map((tile) => (
      <Skeleton key={tile} className="h-20 rounded sm:h-24" />
    ))}
  </Loading>
);

/** Links to the products of every category. */
const CategoryTiles = ({ categories }: { categories: readonly Category[] }) => (
  <ul className="grid grid-cols-2 gap-3 sm:grid-cols-3">
    {categories.map(({ _id, name, names, icon }) => (
      <li key={_id}>
        <Link
          href={`/products?category=${_id}`}
          className={cn(
            'flex h-full min-h-20 items-center gap-2 rounded px-2.5 py-3 font-display text-base max-sm:tracking-tight font-semibold leading-tight text-ink hover:underline sm:min-h-24 sm:gap-4 sm:px-6 sm:text-lg',
            groundClass(name),
          )}
        >
          {icon && <CategoryIcon icon={icon} className="shrink-0 sm:size-12" />}
          <span className="min-w-0">{nameOfCategory({ name, names })}</span>
        </Link>
      </li>
    ))}
  </ul>
);

/** A section of the home page: a title with a link to all items, and the first of them. */
function ProductSection<Item>({
  title,
  all,
  query,
  skeleton,
  empty,
  children,
}: {
  title: string;
  /** The link to all items. */
  all?: { href: string; label: string };
  query: UseQueryResult<Item[]>;
  skeleton: ReactNode;
  empty: Pick<ComponentProps<typeof EmptyState>, 'drawing' | 'title' | 'text'>;
  children: (items: Item[]) => ReactNode;
}) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="wrap">
      <div className="mb-6 flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <h2 id={id} className="text-3xl">
          {title}
        </h2>
        {all && (
          <Link
            href={all.href}
            className="inline-flex min-h-9 items-center gap-1.5 rounded text-sm font-medium text-leaf hover:text-leaf-strong hover:underline pointer-coarse:min-h-11"
          >
            {all.label}
            <ArrowRight className="size-4" />
          </Link>
        )}
      </div>
      <Fetched query={query} skeleton={skeleton}>
        {(items) => (items.length > 0 ? children(items) : <EmptyState level={3} {...empty} />)}
      </Fetched>
    </section>
  );
}
