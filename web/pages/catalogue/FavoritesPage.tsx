import { type QueryClient, useQuery } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import type { Follow } from '#contract/catalogue/follows/follows';
import { farmNameOf } from '#contract/farm/farmers/constants';
import { isSoldOut } from '#contract/platform/quantities/constants/steps';
import { t } from '#contract/platform/text/constants/texts';
import {
  type FollowedProduct,
  farmsIn,
  followsQuery,
  productsIn,
} from '../../catalogue/follows/queries.ts';
import { useFollow } from '../../catalogue/follows/use-follow.ts';
import { ProductCard } from '../../catalogue/products/ProductCard.tsx';
import { FARMERS_GRID_CLASS, FarmerCard } from '../../farm/farmers/FarmerCard.tsx';
import { QuickAdd } from '../../ordering/cart/QuickAdd.tsx';
import { useWatchProducts } from '../../platform/realtime/watch.ts';
import { EmptyState, Fetched, SkeletonCards } from '../../platform/ui/feedback/states.tsx';
import { Button, LinkButton } from '../../platform/ui/primitives/Button.tsx';
import { PageHeader } from '../../platform/ui/primitives/sections.tsx';

/** Prefetches the favorites. */
export const prefetch = (client: QueryClient) => client.prefetchQuery(followsQuery());

/** The farms and products that a consumer follows, those first that are in stock now. */
export default function FavoritesPage() {
  const query = useQuery(followsQuery());
  return (
    <div className="wrap py-8">
      <PageHeader
        title={t('Your favorites')}
        text={t('The products and farms you follow. What is in stock now comes first.')}
      />
      <Fetched query={query} skeleton={<SkeletonCards cards={4} />}>
        {(follows) => (follows.length > 0 ? <Favorites follows={follows} /> : <NoFavorites />)}
      </Fetched>
    </div>
  );
}

function Favorites({ follows }: { follows: readonly Follow[] }) {
  const products = productsIn(follows);
  const farms = farmsIn(follows);
  const inStock = products.filter(({ product }) => !isSoldOut(product));
  const soldOut = products.filter(({ product }) => isSoldOut(product));
  useWatchProducts(products.map(({ product }) => product._id));
  return (
    <div className="grid gap-10">
      {inStock.length > 0 && <Products title={t('In stock now')} follows={inStock} />}
      {soldOut.length > 0 && <Products title={t('Sold out')} follows={soldOut} />}
      {farms.length > 0 && (
        <Section title={t('Farms')}>
          <ul className={FARMERS_GRID_CLASS}>
            {farms.map(({ farm }) => (
              <li key={farm._id} className="grid grid-rows-[1fr_auto] gap-1">
                <FarmerCard farmer={farm} />
                <Unfollow kind="farm" id={farm._id} name={farmNameOf(farm)} />
              </li>
            ))}
          </ul>
        </Section>
      )}
    </div>
  );
}

const Products = ({ title, follows }: { title: string; follows: readonly FollowedProduct[] }) => (
  <Section title={title}>
    <ul className="grid grid-cols-2 gap-3 sm:gap-4 md:grid-cols-3 lg:grid-cols-4">
      {follows.map(({ product, state }) => (
        <li key={product._id} className="grid grid-rows-[1fr_auto] gap-1">
          <ProductCard product={product} action={<QuickAdd goods={product} />} />
          <div className="grid justify-items-start">
            {isSoldOut(product) && <Waiting product={product} isWaiting={state === 'waiting'} />}
            <Unfollow kind="product" id={product._id} name={product.name} />
          </div>
        </li>
      ))}
    </ul>
  </Section>
);

function Section({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="grid gap-4">
      <h2 id={id} className="text-xl">
        {title}
      </h2>
      {children}
    </section>
  );
}

/** Says that somebody is told when a sold-out product is back, or lets them ask for it. */
function Waiting({
  product: { _id, name },
  isWaiting,
}: Pick<FollowedProduct, 'product'> & { isWaiting: boolean }) {
  const { mutate, isPending } = useFollow({ kind: 'product', id: _id });
  if (isWaiting)
    return <p className="py-1 text-sm text-ink-soft">{t("We'll tell you when it's back.")}</p>;
  return (
    <Button
      variant="secondary"
      size="sm"
      pending={isPending}
      aria-label={t("Tell me when it's back: {name}", { name })}
      onClick={() => mutate(true)}
    >
      {t("Tell me when it's back")}
    </Button>
  );
}

function Unfollow({ kind, id, name }: { kind: 'product' | 'farm'; id: string; name: string }) {
  const { mutate, isPending } = useFollow({ kind, id });
  return (
    <Button
      variant="quiet"
      size="sm"
      pending={isPending}
      aria-label={t('Unfollow {name}', { name })}
      className="justify-self-start"
      onClick={() => mutate(false)}
    >
      {t('Unfollow')}
    </Button>
  );
}

const NoFavorites = () => (
  <EmptyState drawing="basket" title={t('No favorites yet')}>
    <p>{t('Press the heart of a product or a farm, and it will be here.')}</p>
    <LinkButton href="/products">{t('Browse Products')}</LinkButton>
  </EmptyState>
);
