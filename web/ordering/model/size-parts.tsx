import type { ReactNode } from 'react';
import type { Availability } from '#contract/catalogue/products/constants/products';
import type { ProductSize } from '#contract/catalogue/products/product';
import { formatMoney } from '#contract/platform/money/constants';
import type { NetContent, Unit } from '#contract/platform/quantities/constants/units';
import { formatCount } from '#contract/platform/text/constants/formats';
import { t } from '#contract/platform/text/constants/texts';
import { inSize, type OfferedGoods } from '../../catalogue/model/sizes.ts';
import { Button } from '../../platform/ui/primitives/Button.tsx';
import { UnitPrice } from '../../platform/ui/primitives/Money.tsx';

/** What of a product its sizes need to be shown. */
export interface SizedGoods extends OfferedGoods {
  unit: Unit;
  net?: NetContent | undefined;
  availability?: Availability | undefined;
}

/** Says how many of a size are left; nothing of what is always available. */
export function leftOfSize(goods: SizedGoods, size: ProductSize): string | undefined {
  const left = inSize(goods, size).quantityAvailable;
  if (left < (size.minimum ?? 1)) return t('Sold out');
  return goods.availability === 'always'
    ? undefined
    : t('{quantity} left', { quantity: formatCount(left) });
}

/** The sizes of a product that are on, as buttons that choose one at once; those that are sold out cannot be chosen. */
export function SizeButtons({
  name,
  goods,
  isOffered = () => true,
  onChoose,
}: {
  /** The product's. */
  name: string;
  goods: SizedGoods;
  isOffered?: (size: ProductSize) => boolean;
  onChoose: (size: ProductSize) => void;
}): ReactNode {
  const sizes = (goods.sizes ?? []).filter((size) => size.isActive && isOffered(size));
  return (
    <ul aria-label={t('Sizes of {name}', { name })} className="flex flex-wrap gap-2">
      {sizes.map((size) => {
        const sold = inSize(goods, size);
        const left = leftOfSize(goods, size);
        return (
          <li key={size._id}>
            <Button
              variant="secondary"
              disabled={sold.quantityAvailable < (size.minimum ?? 1)}
              onClick={() => onChoose(size)}
              className="h-auto min-h-11 flex-wrap gap-x-2 gap-y-0 py-1.5 text-start"
            >
              <bdi>{size.label}</bdi>
              <span className="tabular font-normal">{formatMoney(size.price)}</span>
              <UnitPrice of={sold} className="font-normal" />
              {left && <span className="text-xs font-normal text-ink-soft">{left}</span>}
            </Button>
          </li>
        );
      })}
    </ul>
  );
}
