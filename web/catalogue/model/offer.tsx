import type { Product } from '#contract/catalogue/products/product';
import { pricedUnit, quantityUnit } from '#contract/platform/quantities/constants/pieces';
import { formatQuantity } from '#contract/platform/quantities/constants/quantities';
import { t } from '#contract/platform/text/constants/texts';
import { rich } from '../../platform/format/rich.tsx';
import { Count } from '../../platform/ui/primitives/Count.tsx';
import { Money } from '../../platform/ui/primitives/Money.tsx';

// What a product costs and how much of it there is, in tables of products.

/** The price of a product; of one in sizes the lowest, and how many there are. */
export function OfferPrice({ product }: { product: Product }) {
  const { price, sizes } = product;
  if (!sizes) return <Money amount={price} per={pricedUnit(product)} />;
  return (
    <span className="grid">
      <span>{rich('from {price}', { price: <Money amount={price} /> })}</span>
      <span className="text-sm text-ink-soft">
        {t('{count, plural, one {# size} other {# sizes}}', { count: sizes.length })}
      </span>
    </span>
  );
}

/** The stock of a product; what all sizes share says its unit, which no price does. */
export function OfferStock({ product }: { product: Product }) {
  if (product.availability === 'always') return <span>{t('Always available')}</span>;
  const { sizes, quantityAvailable } = product;
  const format = (quantity: number) => formatQuantity(quantity, quantityUnit(product));
  return <Count value={quantityAvailable} {...(sizes && { format })} />;
}
