import type { ReactNode } from 'react';
import type { Product } from '#contract/products';
import { ProductCard } from './ProductCard.tsx';

/** The number of cards on the first screen, whose pictures load immediately. */
const EAGER_CARD_COUNT = 4;

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
  return (
    <ul className="grid grid-cols-2 gap-3 sm:gap-4 md:grid-cols-3 lg:grid-cols-4">
      {products.map((product, index) => (
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
