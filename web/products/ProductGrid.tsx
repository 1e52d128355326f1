import type { Product } from '#contract/products';
import { ProductCard } from './ProductCard.tsx';

/** How many cards the first screen shows; their pictures come at once. */
const FIRST_SCREEN = 4;

/** Cards of products in rows of two to four. */
export function ProductGrid({
  products,
  isGone,
}: {
  products: readonly Product[];
  /** Whether a product is shown although it is no longer sold. */
  isGone?: (product: Product) => boolean;
}) {
  return (
    <ul className="grid grid-cols-2 gap-3 sm:gap-4 md:grid-cols-3 lg:grid-cols-4">
      {products.map((product, index) => (
        <li key={product._id}>
          <ProductCard
            product={product}
            gone={isGone?.(product) ?? false}
            eager={index < FIRST_SCREEN}
          />
        </li>
      ))}
    </ul>
  );
}
