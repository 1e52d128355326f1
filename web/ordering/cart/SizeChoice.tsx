import { useId } from 'react';
import type { ProductSize } from '#contract/catalogue/products/product';
import { formatCount } from '#contract/platform/text/constants/formats';
import { t } from '#contract/platform/text/constants/texts';
import { inSize } from '../../catalogue/model/sizes.ts';
import { cn } from '../../platform/ui/cn.ts';
import { Count } from '../../platform/ui/primitives/Count.tsx';
import { Money, UnitPrice } from '../../platform/ui/primitives/Money.tsx';
import type { SizedGoods } from '../model/size-parts.tsx';

/**
 * The sizes of a product as one group, with what each costs and how many of it are left. What is sold out can be looked
 * at, but not be put into the cart.
 */
export function SizeChoice({
  goods,
  chosenId,
  onChoose,
}: {
  goods: SizedGoods;
  chosenId: string | undefined;
  onChoose: (size: ProductSize) => void;
}) {
  const name = useId();
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-2 font-medium">{t('Size')}</legend>
      {(goods.sizes ?? [])
        .filter(({ isActive }) => isActive)
        .map((size) => {
          const { quantityAvailable: left, ...sold } = inSize(goods, size);
          const isSoldOut = left < (size.minimum ?? 1);
          return (
            <label
              key={size._id}
              className={cn(
                'flex min-h-11 cursor-pointer items-center gap-3 rounded border border-outline bg-surface px-3 py-2 transition-colors',
                'has-checked:border-leaf has-checked:bg-leaf-soft has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-leaf forced-colors:has-checked:border-[Highlight]',
                isSoldOut && 'border-hairline bg-sunken text-ink-soft',
              )}
            >
              <input
                type="radio"
                name={name}
                value={size._id}
                checked={size._id === chosenId}
                onChange={() => onChoose(size)}
                data-quiet-focus=""
                className="size-4 shrink-0 accent-leaf"
              />
              <span className="min-w-0 grow">
                <bdi className="block font-medium wrap-anywhere">{size.label}</bdi>
                <span className="block text-sm text-ink-soft">
                  {isSoldOut ? (
                    t('Sold out')
                  ) : goods.availability === 'always' ? null : (
                    <Count
                      value={left}
                      format={(count) => t('{quantity} left', { quantity: formatCount(count) })}
                    />
                  )}
                </span>
              </span>
              <span className="shrink-0 text-end">
                <Money amount={size.price} className={cn('block', !isSoldOut && 'font-semibold')} />
                <UnitPrice of={sold} className="block" />
              </span>
            </label>
          );
        })}
    </fieldset>
  );
}
