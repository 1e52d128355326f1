import { useAtomValue } from 'jotai';
import { ShoppingBasket } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import {
  formatCounted,
  formatGoodsQuantity,
  pricedUnit,
  quantityUnit,
} from '#contract/platform/quantities/constants/pieces';
import { formatQuantity } from '#contract/platform/quantities/constants/quantities';
import { firstSize } from '#contract/platform/quantities/constants/sizes';
import { formatSteps } from '#contract/platform/quantities/constants/step-fields';
import {
  minimumOf,
  mostOf,
  nearestOffered,
  stepsOf,
} from '#contract/platform/quantities/constants/steps';
import { listOf } from '#contract/platform/text/constants/formats';
import { t } from '#contract/platform/text/constants/texts';
import { inSize, sizeOf } from '../../catalogue/model/sizes.ts';
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
import { SizeChoice } from './SizeChoice.tsx';
import { useAddToCart } from './use-add-to-cart.ts';

/**
 * The size, the quantity and the button that adds a product to the cart. On phones the button is in a bar with the
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
  const [chosenId, setChosenId] = useState(() => firstSize(goods)?._id);
  // The farm may have turned off what was chosen.
  const size = sizeOf(goods, chosenId) ?? firstSize(goods);
  const sold = size ? inSize(goods, size) : { ...goods, size };
  const [wanted, setWanted] = useState(() => minimumOf(sold));
  const { add, ...adding } = useAddToCart();
  const steps = stepsOf(sold);
  const most = mostOf(sold);
  const isSoldOut = most === 0;
  // The stock may have fallen below the chosen quantity, or be sold in other steps by now.
  const quantity = isSoldOut ? minimumOf(sold) : nearestOffered(wanted, sold);
  const inCart = cart.lines.filter((line) => line.productId === goods._id);
  const total = formatCost({ ...sold, quantity });
  // The price of one piece is not that of the unit.
  const hasTotal = !isSoldOut && (quantity !== 1 || goods.pieceWeight !== undefined || !!size);
  const hasSteps = Object.keys(steps).length > 0;

  const renderButton = (where?: string | false) => (
    <Button
      size="lg"
      icon={<ShoppingBasket />}
      disabled={isSoldOut}
      onClick={() => add(goods, quantity, size)}
      className={cn('shrink-0 whitespace-nowrap', where)}
    >
      {t('Add to Cart')}
    </Button>
  );
  const controls = (
    <div className="needs-scripts first-for-shoppers grid gap-3">
      {size && (
        <SizeChoice goods={goods} chosenId={size._id} onChoose={({ _id }) => setChosenId(_id)} />
      )}
      <div className="flex flex-wrap items-center gap-3">
        <QuantityInput
          label={t('Quantity')}
          value={quantity}
          onChange={setWanted}
          steps={steps}
          max={Math.max(minimumOf(sold), most)}
          disabled={isSoldOut}
          className="min-h-12"
        />
        {!(isWidthKnown && isPhone) && renderButton(!isWidthKnown && 'max-sm:hidden')}
        {hasTotal && (
          <output className="tabular text-sm text-ink-soft">
            {t('{total} for {quantity}', { total, quantity: formatSold(quantity, sold) })}
          </output>
        )}
      </div>
      {hasSteps && (
        <p className="text-sm text-ink-soft">
          {isSoldOut && sold.quantityAvailable > 0
            ? t('The {left} left are less than the smallest order of {minimum}.', {
                left: formatCounted(sold.quantityAvailable, sold),
                minimum: formatCounted(minimumOf(sold), sold),
              })
            : t('Sold {steps}.', { steps: formatSteps(sold, quantityUnit(sold)) })}
        </p>
      )}
      {goods.maxPerOrder !== undefined && (
        <p className="text-sm text-ink-soft">
          {t('An order can have at most {quantity}.', {
            quantity: formatQuantity(goods.maxPerOrder, quantityUnit(goods)),
          })}
        </p>
      )}
      {inCart.length > 0 && (
        <p className="text-sm text-ink-soft">
          {rich('{quantity} in your <a>cart</a>', {
            quantity: listOf(
              inCart.map((line) => formatSold(line.quantity, { ...goods, size: line.size })),
            ),
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
              {t('for {quantity}', { quantity: formatSold(quantity, sold) })}
            </span>
          </>
        ) : (
          <Money amount={sold.price} per={pricedUnit(sold)} className="font-semibold" />
        )}
      </p>
      {renderButton()}
    </div>
  );
  return children({ controls, bar });
}

/** Formats so much of goods: '2 lb', '1 piece', '2 × 5 kg' of a size. */
const formatSold = (
  quantity: number,
  { size, ...goods }: Parameters<typeof formatCounted>[1],
): string =>
  size
    ? formatGoodsQuantity({ product: { unit: goods.unit }, size }, quantity)
    : formatCounted(quantity, goods);
