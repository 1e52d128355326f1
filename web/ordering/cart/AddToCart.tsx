import { useAtomValue } from 'jotai';
import { ShoppingBasket } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { formatCounted, quantityUnit } from '#contract/platform/quantities/constants/pieces';
import { formatSteps } from '#contract/platform/quantities/constants/step-fields';
import {
  minimumOf,
  mostOf,
  nearestOffered,
  stepsOf,
} from '#contract/platform/quantities/constants/steps';
import { t } from '#contract/platform/text/constants/texts';
import { rich } from '../../platform/format/rich.tsx';
import { useHydrated } from '../../platform/hooks/hydration.ts';
import { PHONE, useMedia } from '../../platform/hooks/use-media.ts';
import { cn } from '../../platform/ui/cn.ts';
import { pin } from '../../platform/ui/feedback/pinned.ts';
import { QuantityInput } from '../../platform/ui/fields/QuantityInput.tsx';
import { Button } from '../../platform/ui/primitives/Button.tsx';
import { Money } from '../../platform/ui/primitives/Money.tsx';
import { OtherFarmQuestion } from './QuickAdd.tsx';
import { cartAtom, formatCost, type Goods } from './rules.ts';
import { useAddToCart } from './use-add-to-cart.ts';

/**
 * The quantity and the button that adds a product to the cart. On phones the button is in a bar with the
 * price, which stays in view: `children` places both parts, `bar` at the very end of the page. There is
 * one button at any width. Not for farmers.
 */
export function AddToCart({
  goods,
  children,
}: {
  goods: Goods;
  children: (parts: { controls: ReactNode; bar: ReactNode }) => ReactNode;
}) {
  const cart = useAtomValue(cartAtom);
  const isPhone = useMedia(PHONE);
  // The server renders both places of the button, and the style sheet shows one.
  const isWidthKnown = useHydrated();
  const [wanted, setWanted] = useState(() => minimumOf(goods));
  const { add, ...adding } = useAddToCart();
  const steps = stepsOf(goods);
  const most = mostOf(goods);
  const isSoldOut = most === 0;
  // The stock may have fallen below the chosen quantity, or be sold in other steps by now.
  const quantity = isSoldOut ? minimumOf(goods) : nearestOffered(wanted, goods);
  const inCart = cart.lines.find((line) => line.productId === goods._id)?.quantity;
  const total = formatCost({ ...goods, quantity });
  // The price of one piece is not that of the unit.
  const hasTotal = !isSoldOut && (quantity !== 1 || goods.pieceWeight !== undefined);
  const hasSteps = Object.keys(steps).length > 0;

  const renderButton = (where?: string | false) => (
    <Button
      size="lg"
      icon={<ShoppingBasket />}
      disabled={isSoldOut}
      onClick={() => add(goods, quantity)}
      className={cn('shrink-0 whitespace-nowrap', where)}
    >
      {t('Add to Cart')}
    </Button>
  );
  const controls = (
    <div className="needs-scripts first-for-shoppers grid gap-3">
      <div className="flex flex-wrap items-center gap-3">
        <QuantityInput
          label={t('Quantity')}
          value={quantity}
          onChange={setWanted}
          steps={steps}
          max={Math.max(minimumOf(goods), most)}
          disabled={isSoldOut}
          className="min-h-12"
        />
        {!(isWidthKnown && isPhone) && renderButton(!isWidthKnown && 'max-sm:hidden')}
        {hasTotal && (
          <output className="tabular text-sm text-ink-soft">
            {t('{total} for {quantity}', { total, quantity: formatCounted(quantity, goods) })}
          </output>
        )}
      </div>
      {hasSteps && (
        <p className="text-sm text-ink-soft">
          {isSoldOut && goods.quantityAvailable > 0
            ? t('The {left} left are less than the smallest order of {minimum}.', {
                left: formatCounted(goods.quantityAvailable, goods),
                minimum: formatCounted(minimumOf(goods), goods),
              })
            : t('Sold {steps}.', { steps: formatSteps(goods, quantityUnit(goods)) })}
        </p>
      )}
      {inCart !== undefined && (
        <p className="text-sm text-ink-soft">
          {rich('{quantity} in your <a>cart</a>', {
            quantity: formatCounted(inCart, goods),
            a: (inner) => (
              <Link href="/checkout" className="link">
                {inner}
              </Link>
            ),
          })}
        </p>
      )}
      <OtherFarmQuestion goods={goods} adding={adding} />
    </div>
  );
  const bar = (isPhone || !isWidthKnown) && (
    <div
      ref={pin}
      data-print="hide"
      className={cn(
        'needs-scripts',
        !isWidthKnown && 'sm:hidden',
        'pinned -mx-[clamp(1rem,4vw,2rem)] mt-6 flex items-center justify-between gap-3 border-t border-hairline bg-paper px-[clamp(1rem,4vw,2rem)] py-3',
      )}
    >
      <p className="min-w-0">
        {hasTotal ? (
          <>
            <span className="tabular block font-semibold">{total}</span>
            <span className="block text-sm text-ink-soft">
              {t('for {quantity}', { quantity: formatCounted(quantity, goods) })}
            </span>
          </>
        ) : (
          <Money amount={goods.price} per={goods.unit} className="font-semibold" />
        )}
      </p>
      {renderButton()}
    </div>
  );
  return children({ controls, bar });
}
