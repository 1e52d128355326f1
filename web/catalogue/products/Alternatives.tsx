import { type QueryClient, useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Product } from '#contract/catalogue/products/product';
import { itemsOf } from '../../platform/queries/pages.ts';
import { useWatchProducts } from '../../platform/realtime/watch.ts';
import { SkeletonCards } from '../../platform/ui/feedback/Skeleton.tsx';
import { alternativeFilters, alternativesTo } from './alternatives.ts';
import { ProductGrid } from './ProductGrid.tsx';
import { productsQuery } from './queries.ts';
import { useSteadyList } from './use-steady-list.ts';

/** Prefetches what {@link Alternatives} of a product shows. */
export async function prefetchAlternatives(client: QueryClient, product: Product): Promise<void> {
  const { kind, category } = alternativeFilters(product);
  await Promise.all([
    kind && client.prefetchInfiniteQuery(productsQuery(kind, 'relevance')),
    category && client.prefetchInfiniteQuery(productsQuery(category)),
  ]);
}

/** What is like a product that cannot be bought, and in stock. Renders nothing when there is none. */
export function Alternatives({
  product,
  action,
}: {
  product: Product;
  /** Renders a button on each card. */
  action?: (product: Product) => ReactNode;
}) {
  const { kind, category } = alternativeFilters(product);
  const ofKind = useInfiniteQuery({
    ...productsQuery(kind ?? {}, 'relevance'),
    enabled: kind !== null,
  });
  const ofCategory = useInfiniteQuery({
    ...productsQuery(category ?? {}),
    enabled: category !== null,
  });
  const isLoading = ofKind.isLoading || ofCategory.isLoading;
  const found = isLoading
    ? []
    : alternativesTo(product, itemsOf(ofKind.data), itemsOf(ofCategory.data));
  // What sells out meanwhile keeps its place.
  const list = useSteadyList(found, `${product._id} ${isLoading}`);
  useWatchProducts(list.rows.map(({ _id }) => _id));
  if (!isLoading && list.rows.length === 0) return null;
  return (
    <section aria-labelledby="alternatives" className="first-for-shoppers mt-10">
      <h2 id="alternatives" className="mb-4 text-xl">
        Similar and in stock
      </h2>
      {isLoading ? (
        <SkeletonCards cards={4} />
      ) : (
        <ProductGrid
          products={list.rows}
          isGone={(product) => list.isGone(product) && 'no longer in stock'}
          {...(action && { action })}
        />
      )}
    </section>
  );
}
