import { type ReactNode, useDeferredValue } from 'react';
import type { Product } from '#contract/catalogue/products/product';
import { useIsServerRendered } from '../../platform/hooks/hydration.ts';
import { isTraversal } from '../../platform/hooks/scroll-memory.ts';
import { PHONE } from '../../platform/hooks/use-media.ts';
import { ProductCard } from './ProductCard.tsx';

/** The number of cards on the first screen, whose pictures load immediately. */
const EAGER_CARD_COUNT = 4;
/**
 * The number of cards on a phone's screen after a tap, shown at once; the others follow before one can scroll to them.
 */
const FIRST_CARD_COUNT = 2;

/** A grid of product cards with two to four columns. */
export function ProductGrid({
  products,
  isGone,
  withFarm = true,
  action,
}: {
  products: readonly Product[];
  /** Whether a product is shown although it is no longer sold; a text says in which way. */
  isGone?: (product: Product) => boolean | string;
  /** Whether the cards say whose products they are; yes by default. */
  withFarm?: boolean;
  /** Renders a button on each card. */
  action?: (product: Product) => ReactNode;
}) {
  const isWhole = useShownWhole();
  const shown = isWhole ? products : products.slice(0, FIRST_CARD_COUNT);
  return (
    <ul className="grid grid-cols-2 gap-3 sm:gap-4 md:grid-cols-3 lg:grid-cols-4">
      {shown.map((product, index) => (
        <li
          key={product._id}
          className={index < EAGER_CARD_COUNT ? undefined : 'pictures-later defer-paint-104'}
        >
          <ProductCard
            product={product}
            gone={isGone?.(product) ?? false}
            eager={index < EAGER_CARD_COUNT}
            withFarm={withFarm}
            action={action?.(product)}
          />
        </li>
      ))}
      {/* Until the others are there, the end of the list is too far down to load a further page. */}
      {shown.length < products.length && <li aria-hidden="true" className="col-span-full h-dvh" />}
    </ul>
  );
}

/**
 * Returns whether to show a page with all of its parts. False at first on a phone after a tap, which shows what fits
 * its screen sooner without the others. All is there at once where it was rendered already, and where the reader comes
 * back to a place further down.
 */
export function useShownWhole(): boolean {
  const isServerRendered = useIsServerRendered();
  return useDeferredValue(
    true,
    isServerRendered || isTraversal() || !window.matchMedia(PHONE).matches,
  );
}
