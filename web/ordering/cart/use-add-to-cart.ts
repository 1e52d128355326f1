import { useStore } from 'jotai';
import { useState } from 'react';
import { LINES_MAX } from '#contract/platform/orders/constants';
import { quantityUnit } from '#contract/platform/quantities/constants/pieces';
import { formatQuantityOf } from '#contract/platform/quantities/constants/quantities';
import { msg, t, writeMessage } from '#contract/platform/text/constants/texts';
import { useSignIn } from '../../platform/session/return-path.ts';
import { useAuth } from '../../platform/session/session.ts';
import { toast } from '../../platform/ui/feedback/toast.ts';
import { addToCart, type Cart, cartAtom, EMPTY_CART, type Goods } from './rules.ts';
import { keepGoods } from './saved-goods.ts';

/** The message when a farmer tries to buy. */
export const FARMERS_CANNOT_ORDER = msg(
  'Farmers cannot place orders. Please use a consumer account.',
);
const ADMINS_CANNOT_ORDER = msg('Admins cannot place orders. Please use a consumer account.');

/** A product that waits for confirmation because the cart holds another farm's products. */
export type PendingGoods = { goods: Goods; quantity: number };

/**
 * Adds products to the cart and shows the result in a toast. Redirects visitors to the sign-in, after
 * which the product is added. Products of other farms stay in `waiting`: `clearAndAdd` adds all those of
 * the first one's farm, `keepCart` gives them up.
 */
export function useAddToCart() {
  const { user } = useAuth();
  const signIn = useSignIn();
  // Read on click, because another tab may have changed the cart.
  const store = useStore();
  const [waiting, setWaiting] = useState<readonly PendingGoods[]>([]);

  const addAndNotify = (cart: Cart, goods: Goods, quantity: number) => {
    const added = addToCart(cart, goods, quantity);
    if ('cart' in added) store.set(cartAtom, added.cart);
    switch (added.outcome) {
      case 'added':
        toast.success(t('Added {name} to your cart', { name: goods.name }));
        break;
      case 'raised':
        toast.success(t('Updated {name} quantity in your cart', { name: goods.name }));
        break;
      case 'capped':
        toast.info(
          added.most === 0
            ? t('{name} is sold out', { name: goods.name })
            : t('Only {most} left: your cart has them all', {
                most: formatQuantityOf(added.most, quantityUnit(goods), goods.name),
              }),
        );
        break;
      case 'full':
        toast.info(t('A cart holds at most {most} products', { most: LINES_MAX }));
        break;
      case 'other-farm':
        setWaiting((all) => [...all, { goods, quantity }]);
    }
  };

  const isOfFirst = ({ goods }: PendingGoods) => goods.farmer._id === waiting[0]?.goods.farmer._id;

  return {
    waiting,
    add: (goods: Goods, quantity: number) => {
      if (!user) {
        keepGoods(goods, quantity);
        signIn();
      } else if (user.role === 'farmer') toast.error(writeMessage(FARMERS_CANNOT_ORDER));
      else if (user.role === 'admin') toast.error(writeMessage(ADMINS_CANNOT_ORDER));
      else addAndNotify(store.get(cartAtom), goods, quantity);
    },
    clearAndAdd: () => {
      setWaiting(waiting.filter((each) => !isOfFirst(each)));
      // Another tab may have filled the cart with goods of this farm since the question.
      const { farmerId } = store.get(cartAtom);
      if (farmerId !== waiting[0]?.goods.farmer._id) store.set(cartAtom, EMPTY_CART);
      for (const { goods, quantity } of waiting.filter(isOfFirst)) {
        addAndNotify(store.get(cartAtom), goods, quantity);
      }
    },
    keepCart: () => setWaiting(waiting.filter((each) => !isOfFirst(each))),
  };
}
