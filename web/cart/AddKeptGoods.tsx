import { useEffect, useEffectEvent } from 'react';
import { farmNameOf } from '#contract/constants/farmers';
import { takeKeptGoods } from './kept-goods.ts';
import { OtherFarmDialog } from './OtherFarmDialog.tsx';
import { useAddToCart } from './use-add-to-cart.ts';

/** Adds what a visitor had chosen before signing in to the cart, once. */
export default function AddKeptGoods() {
  const { add, waiting, clearAndAdd, keepCart } = useAddToCart();
  const addAll = useEffectEvent(() => {
    for (const { goods, quantity } of takeKeptGoods()) add(goods, quantity);
  });
  useEffect(() => addAll(), []);
  const farmer = waiting?.goods.farmer;
  return (
    <OtherFarmDialog
      open={waiting !== null}
      goods={`${waiting?.goods.name ?? 'it'} comes`}
      farm={farmer ? farmNameOf(farmer) : ''}
      onClearAndAdd={clearAndAdd}
      onKeepCart={keepCart}
    />
  );
}
