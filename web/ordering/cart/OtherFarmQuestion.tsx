import { useAtomValue } from 'jotai';
import { Suspense, useEffect } from 'react';
import { farmNameOf } from '#contract/farm/farmers/constants';
import { lazyWithRetry } from '../../platform/ui/lazy-with-retry.ts';
import { cartAtom } from './atoms.ts';
import type { Goods } from './rules.ts';
import type { useAddToCart } from './use-add-to-cart.ts';

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
        goods={`${goods.name} comes`}
        farm={farmNameOf(goods.farmer)}
        onClearAndAdd={clearAndAdd}
        onKeepCart={keepCart}
      />
    </Suspense>
  );
}
