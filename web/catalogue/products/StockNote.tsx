import { LOW_STOCK } from '#contract/catalogue/products/constants/products';
import type { Product } from '#contract/catalogue/products/product';
import { formatCounted } from '#contract/platform/quantities/constants/pieces';
import { isSoldOut } from '#contract/platform/quantities/constants/steps';
import { formatCount } from '#contract/platform/text/constants/locale';
import { usePrevious } from '../../platform/queries/use-changes.ts';
import { Badge } from '../../platform/ui/primitives/Badge.tsx';

/**
 * A badge about low stock: 'Only 3 quarts left', 'Sold out', also where the rest is less than the smallest order. When
 * the stock falls, the old number fades out beside it. Renders nothing at or above the low-stock limit.
 */
export function StockNote({ product, className }: { product: Product; className?: string }) {
  const { quantityAvailable: left } = product;
  const before = usePrevious(left);
  const fallen = before !== undefined && before > left ? before : undefined;
  const soldOut = isSoldOut(product);
  if (left >= LOW_STOCK && !soldOut) return null;
  return (
    <Badge tone={soldOut ? 'tomato' : 'straw'} className={className}>
      {soldOut ? soldOutWords(product) : `Only ${formatCounted(left, product)} left`}
      {fallen !== undefined && (
        <del key={fallen} aria-hidden="true" className="tabular animate-fall-away no-underline">
          {formatCount(fallen)}
        </del>
      )}
    </Badge>
  );
}

/** Something that returns by itself is worth another look tomorrow. */
const soldOutWords = ({ returnsAt }: Product): string =>
  returnsAt === undefined ? 'Sold out' : 'Sold out, back in the morning';
