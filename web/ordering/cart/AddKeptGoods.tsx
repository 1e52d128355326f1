import { useEffect, useEffectEvent } from 'react';
import { farmNameOf } from '#contract/farm/farmers/constants';
import { plural } from '../../platform/format/format.ts';
import { takeVisitorsCart } from './atoms.ts';
import { keepStill, takeKeptGoods } from './kept-goods.ts';
import { OtherFarmDialog } from './OtherFarmDialog.tsx';
import { type PendingGoods, useAddToCart } from './use-add-to-cart.ts';

/**
 * Adds what a visitor had chosen before signing in to the cart, once. Asks about what is of another farm than the cart,
 * farm by farm; it stays kept until that is answered, so that it is asked again after a reload.
 */
export function AddKeptGoods() {
  const { add, waiting, clearAndAdd, keepCart } = useAddToCart();
  const addAll = useEffectEvent(() => {
    takeVisitorsCart();
    for (const { goods, quantity } of takeKeptGoods()) add(goods, quantity);
  });
  useEffect(() => addAll(), []);
  useEffect(() => keepStill(waiting), [waiting]);
  const farmer = waiting[0]?.goods.farmer;
  return (
    <OtherFarmDialog
      // Another question for each farm, which says what is in the cart by then.
      key={farmer?._id}
      open={farmer !== undefined}
      goods={inWords(waiting.filter(({ goods }) => goods.farmer._id === farmer?._id))}
      farm={farmer ? farmNameOf(farmer) : ''}
      onClearAndAdd={clearAndAdd}
      onKeepCart={keepCart}
    />
  );
}

/** Says what is to be added, as the beginning of a sentence: 'Plums comes', 'Plums and 2 more products come'. */
function inWords(waiting: readonly PendingGoods[]): string {
  const name = waiting[0]?.goods.name ?? '';
  const moreCount = waiting.length - 1;
  return moreCount > 0 ? `${name} and ${plural(moreCount, 'more product')} come` : `${name} comes`;
}
