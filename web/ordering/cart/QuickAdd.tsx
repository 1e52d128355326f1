import { useAtomValue } from 'jotai';
import { Plus } from 'lucide-react';
import { Suspense, useEffect } from 'react';
import { farmNameOf } from '#contract/farm/farmers/constants';
import { formatCounted, nameWithSize } from '#contract/platform/quantities/constants/pieces';
import { firstSize } from '#contract/platform/quantities/constants/sizes';
import { isSoldOut, minimumOf } from '#contract/platform/quantities/constants/steps';
import { formatCount, listOf } from '#contract/platform/text/constants/formats';
import { t } from '#contract/platform/text/constants/texts';
import { useAuth } from '../../platform/session/session.ts';
import { lazyWithRetry } from '../../platform/ui/lazy-with-retry.tsx';
import { cartAtom, type Goods } from './rules.ts';
import { useAddToCart } from './use-add-to-cart.ts';

/**
 * The button on a product card that adds one to the cart, or as much as can be ordered at least, with the number that
 * is in it; of what is sold in sizes the first that is left. Not shown to farmers and admins, nor for what is sold out.
 */
export function QuickAdd({ goods }: { goods: Goods }) {
  const { user } = useAuth();
  const cart = useAtomValue(cartAtom);
  const { add, ...adding } = useAddToCart();
  if (user && user.role !== 'consumer') return null;
  if (isSoldOut(goods)) return null;
  const size = firstSize(goods);
  const portion = minimumOf(size ?? goods);
  const inCart = cart.lines
    .filter((line) => line.productId === goods._id)
    .reduce((sum, { quantity }) => sum + quantity, 0);
  return (
    <>
      <button
        type="button"
        // Not 'Add to Cart', which is the name of the button on the product's own page.
        aria-label={listOf(
          [
            t('Add {name} to cart', { name: nameWithSize(goods.name, size) }),
            ...(portion === 1 ? [] : [formatCounted(portion, { ...goods, size })]),
            ...(inCart > 0 ? [t('{quantity} in it', { quantity: formatCount(inCart) })] : []),
          ],
          'unit',
        )}
        onClick={() => add(goods, portion, size)}
        className="needs-scripts first-for-shoppers relative grid size-11 place-items-center rounded-full bg-leaf text-on-leaf transition-colors hover:bg-leaf-strong focus-visible:outline-2 focus-visible:outline-offset-2 focus-visible:outline-leaf"
      >
        <Plus className="size-5" />
        {inCart > 0 && (
          <span
            aria-hidden="true"
            className="tabular absolute -inset-e-1 -top-1 grid h-5 min-w-5 place-items-center rounded-full border border-leaf bg-raised px-1 text-xs font-semibold text-leaf"
          >
            {formatCount(inCart)}
          </span>
        )}
      </button>
      <OtherFarmQuestion goods={goods} adding={adding} />
    </>
  );
}

// No public page waits for what dialogs need, and it is there before it is needed: see below.
const loadDialog = async () => ({
  default: (await import('./OtherFarmDialog.tsx')).OtherFarmDialog,
});
const OtherFarmDialog = lazyWithRetry(loadDialog);

/** Asks, once `adding` waits for it, whether the cart may be cleared for goods of another farm. */
export function OtherFarmQuestion({
  goods,
  adding: { waiting, clearAndAdd, keepCart },
}: {
  goods: Goods;
  adding: Pick<ReturnType<typeof useAddToCart>, 'waiting' | 'clearAndAdd' | 'keepCart'>;
}) {
  const cart = useAtomValue(cartAtom);
  const isOfOtherFarm = cart.lines.length > 0 && cart.farmerId !== goods.farmer._id;
  useEffect(() => {
    if (isOfOtherFarm) loadDialog().catch(() => undefined);
  }, [isOfOtherFarm]);
  if (waiting.length === 0) return null;
  return (
    <Suspense fallback={null}>
      <OtherFarmDialog
        open
        goods={waiting.map(({ size }) => nameWithSize(goods.name, size))}
        farm={farmNameOf(goods.farmer)}
        onClearAndAdd={clearAndAdd}
        onKeepCart={keepCart}
      />
    </Suspense>
  );
}
