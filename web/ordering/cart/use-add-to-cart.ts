import { useStore } from 'jotai';
import { useState } from 'react';
import { LINES_MAX } from '#contract/platform/orders/constants';
import { nameWithSize, quantityUnit } from '#contract/platform/quantities/constants/pieces';
import {
  formatQuantity,
  formatQuantityOf,
} from '#contract/platform/quantities/constants/quantities';
import { msg, t, writeMessage } from '#contract/platform/text/constants/texts';
import { useSignIn } from '../../platform/session/return-path.ts';
import { useAuth } from '../../platform/session/session.ts';
import { toast } from '../../platform/ui/feedback/toast.ts';
import {
  addToCart,
  type Cart,
  type ChosenSize,
  cartAtom,
  EMPTY_CART,
  type Goods,
} from './rules.ts';
import { keepGoods } from './saved-goods.ts';

/** The message when a farmer tries to buy. */
export const FARMERS_CANNOT_ORDER = msg(
  'Farmers cannot place orders. Please use a consumer account.',
);
const ADMINS_CANNOT_ORDER = msg('Admins cannot place orders. Please use a consumer account.');

/** A product that waits for confirmation because the cart holds another farm's products. */
export type PendingGoods = { goods: Goods; quantity: number; size?: ChosenSize | undefined };

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

  const addAndNotify = (cart: Cart, { goods, quantity, size }: PendingGoods) => {
    const added = addToCart(cart, goods, quantity, size);
    const name = nameWithSize(goods.name, size);
    if ('cart' in added) store.set(cartAtom, added.cart);
    switch (added.outcome) {
      case 'added':
        toast.success(t('Added {name} to your cart', { name }));
        break;
      case 'raised':
        toast.success(t('Updated {name} quantity in your cart', { name }));
        break;
      case 'capped':
        toast.info(cappedSentence(cart, { goods, size }, added.most));
        break;
      case 'full':
        toast.info(t('A cart holds at most {most} products', { most: LINES_MAX }));
        break;
      case 'other-farm':
        setWaiting((all) => [...all, { goods, quantity, size }]);
    }
  };

  const isOfFirst = ({ goods }: PendingGoods) => goods.farmer._id === waiting[0]?.goods.farmer._id;

  return {
    waiting,
    add: (goods: Goods, quantity: number, size?: ChosenSize) => {
      if (!user) {
        keepGoods(goods, quantity, size);
        signIn();
      } else if (user.role === 'farmer') toast.error(writeMessage(FARMERS_CANNOT_ORDER));
      else if (user.role === 'admin') toast.error(writeMessage(ADMINS_CANNOT_ORDER));
      else addAndNotify(store.get(cartAtom), { goods, quantity, size });
    },
    clearAndAdd: () => {
      setWaiting(waiting.filter((each) => !isOfFirst(each)));
      // Another tab may have filled the cart with goods of this farm since the question.
      const { farmerId } = store.get(cartAtom);
      if (farmerId !== waiting[0]?.goods.farmer._id) store.set(cartAtom, EMPTY_CART);
      for (const each of waiting.filter(isOfFirst)) addAndNotify(store.get(cartAtom), each);
    },
    keepCart: () => setWaiting(waiting.filter((each) => !isOfFirst(each))),
  };
}

/** Says why a cart gets no more of a product than `most`. */
function cappedSentence(
  { lines }: Cart,
  { goods, size }: Pick<PendingGoods, 'goods' | 'size'>,
  most: number,
): string {
  const name = nameWithSize(goods.name, size);
  const unit = quantityUnit({ ...goods, size });
  if (goods.maxPerOrder !== undefined)
    return t('An order can have at most {quantity} of {name}.', {
      quantity: formatQuantity(most || goods.maxPerOrder, most ? unit : quantityUnit(goods)),
      name: most ? name : goods.name,
    });
  if (most > 0)
    return t('Only {most} left: your cart has them all', {
      most: formatQuantityOf(most, unit, name),
    });
  return lines.some(({ productId }) => productId === goods._id)
    ? t('Your cart has all that is left of {name}', { name: goods.name })
    : t('{name} is sold out', { name });
}
