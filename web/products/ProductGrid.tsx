import { type ReactNode, useDeferredValue } from 'react';
import type { Product } from '#contract/products';
import { useIsServerRendered } from '../lib/hydration.ts';
import { isTraversal } from '../lib/scroll-memory.ts';
import { ProductCard } from './ProductCard.tsx';

/** The number of cards on the first screen, whose pictures load immediately. */
const EAGER_CARD_COUNT = 4;
/**
 * The number of cards that a phone shows at once after a tap; the others follow before one can scroll to them. They reach
 * far enough below the screen that no further page is loaded meanwhile.
 */
const FIRST_CARD_COUNT = 8;
const PHONE = '(max-width: 39.99rem)';

/** A grid of product cards with two to four columns. */
export function ProductGrid({
  products,
  isGone,
  action,
}: {
  products: readonly Product[];
  /** Whether a product is shown although it is no longer sold; a text says in which way. */
  isGone?: (product: Product) => boolean | string;
  /** Renders a button on each card. */
  action?: (product: Product) => ReactNode;
}) {
  const isServerRendered = useIsServerRendered();
  // All at once where it was rendered already, and where the reader comes back to a place further down.
  const isWhole = useDeferredValue(
    true,
    isServerRendered || isTraversal() || !window.matchMedia(PHONE).matches,
  );
  const shown = isWhole ? products : products.slice(0, FIRST_CARD_COUNT);
  return (
    <ul className="grid grid-cols-2 gap-3 sm:gap-4 md:grid-cols-3 lg:grid-cols-4">
      {shown.map((product, index) => (
        <li key={product._id}>
          <ProductCard
            product={product}
            gone={isGone?.(product) ?? false}
            eager={index < EAGER_CARD_COUNT}
            action={action?.(product)}
          />
        </li>
      ))}
    </ul>
  );
}
