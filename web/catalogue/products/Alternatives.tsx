import { type QueryClient, useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Product } from '#contract/catalogue/products/product';
import type { ProductFilters } from '#contract/catalogue/products/product-search';
import { isSoldOut } from '#contract/platform/quantities/constants/steps';
import { t } from '#contract/platform/text/constants/texts';
import { canBring } from '../../farm/model/handoff.ts';
import { itemsOf } from '../../platform/queries/pages.ts';
import { useWatchProducts } from '../../platform/realtime/watch.ts';
import { SkeletonCards } from '../../platform/ui/feedback/states.tsx';
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
    : alternativesTo(product, itemsOf(ofKind.data), itemsOf(ofCategory.data)).filter(
        ({ farmer, availableUntil }) => canBring(farmer.handoff, availableUntil),
      );
  // What sells out while it is shown keeps its place.
  const list = useSteadyList(found, `${product._id} ${isLoading}`);
  useWatchProducts(list.rows.map(({ _id }) => _id));
  if (!isLoading && list.rows.length === 0) return null;
  return (
    <section aria-labelledby="alternatives" className="first-for-shoppers mt-10">
      <h2 id="alternatives" className="mb-4 text-xl">
        {t('Similar and in stock')}
      </h2>
      {isLoading ? (
        <SkeletonCards cards={4} />
      ) : (
        <ProductGrid
          products={list.rows}
          isGone={(product) => list.isGone(product) && t('no longer in stock')}
          {...(action && { action })}
        />
      )}
    </section>
  );
}

/** How many products stand in for one that cannot be bought. */
const ALTERNATIVES_MAX = 4;

/**
 * Returns what to search for to find the same kind of produce: the last word before any comma or
 * bracket, so that "Heirloom Tomatoes (red)" finds tomatoes. Empty when the name has no word.
 */
export function kindOf(name: string): string {
  const [main = ''] = name.split(/[,،(–—:;؛/]/);
  const words = main.match(/[\p{L}\p{N}'’-]+/gu) ?? [];
  return words.findLast((word) => /\p{L}{2}/u.test(word)) ?? '';
}

/** Returns the lists among which the alternatives of a product are found: of its kind and of its category. */
export function alternativeFilters(product: Pick<Product, 'name' | 'category'>): {
  kind: ProductFilters | null;
  category: ProductFilters | null;
} {
  const kind = kindOf(product.name);
  return {
    kind: kind === '' ? null : { search: kind, inStock: 'true' },
    category: product.category && { category: product.category._id, inStock: 'true' },
  };
}

type Place = Pick<Product, 'farmer'>;

/** Returns how far two farms are apart as far as their addresses show, 0 for the same farm. */
export function distanceRank({ farmer: a }: Place, { farmer: b }: Place): number {
  const same = (field: 'zipCode' | 'city' | 'state', length?: number) => {
    const [one, other] = [a, b].map(({ address }) =>
      address[field].trim().toLowerCase().slice(0, length),
    );
    return one !== '' && one === other;
  };
  if (a._id === b._id) return 0;
  if (same('zipCode')) return 1;
  // Many countries have none in their addresses.
  const hasStates = a.address.state + b.address.state !== '';
  if (hasStates && !same('state')) return 5;
  if (same('city')) return 2;
  // The first three digits are one sorting centre of the post.
  if (same('zipCode', 3)) return 3;
  return hasStates ? 4 : 5;
}

/**
 * Returns the products to offer in place of one that cannot be bought: its kind before its category, of
 * each the nearest to its farm first. `ofKind` and `ofCategory` are the best match and the newest first.
 */
export function alternativesTo(
  product: Product,
  ofKind: readonly Product[],
  ofCategory: readonly Product[],
): Product[] {
  const nearestFirst = (found: readonly Product[]) =>
    found.toSorted((a, b) => distanceRank(product, a) - distanceRank(product, b));
  const all = [...nearestFirst(ofKind), ...nearestFirst(ofCategory)];
  const unique = new Map(all.map((each) => [each._id, each]));
  return [...unique.values()]
    .filter((each) => each._id !== product._id && !isSoldOut(each))
    .slice(0, ALTERNATIVES_MAX);
}
