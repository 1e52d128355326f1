import { useStore } from 'jotai';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { useAuth } from '../auth/use-auth.ts';
import { formatCount } from '../lib/format.ts';
import { toast } from '../ui/toast.ts';
import { cartAtom } from './atoms.ts';
import { addToCart, CART_LINES_MAX, type Cart, EMPTY_CART, type Goods } from './rules.ts';

/** What a farmer is told who wants to buy. */
export const FARMERS_CANNOT_ORDER = 'Farmers cannot place orders. Please use a consumer account.';
const ADMINS_CANNOT_ORDER = 'Admins cannot place orders. Please use a consumer account.';

/** Goods that wait for an answer: the cart holds another farm's. */
export type WaitingGoods = { goods: Goods; quantity: number };

/**
 * Putting products into the cart, with what is said about it. A visitor is led to the sign-in. Goods
 * of another farm wait in `waiting` until `clearAndAdd` or `keepCart` answers.
 */
export function useAddToCart() {
  const { user } = useAuth();
  const [, navigate] = useLocation();
  // Read at the moment of the press: another tab may have changed the cart since.
  const store = useStore();
  const [waiting, setWaiting] = useState<WaitingGoods | null>(null);

  const put = (cart: Cart, goods: Goods, quantity: number) => {
    const added = addToCart(cart, goods, quantity);
    if ('cart' in added) store.set(cartAtom, added.cart);
    switch (added.outcome) {
      case 'added':
        toast.success(`Added ${goods.name} to your cart`);
        break;
      case 'raised':
        toast.success(`Updated ${goods.name} quantity in your cart`);
        break;
      case 'capped':
        toast.info(
          added.most === 0
            ? `${goods.name} is sold out`
            : `Only ${formatCount(added.most)} left of ${goods.name}: your cart has them all`,
        );
        break;
      case 'full':
        toast.info(`A cart holds at most ${CART_LINES_MAX} products`);
        break;
      case 'other-farm':
        setWaiting({ goods, quantity });
    }
  };

  return {
    waiting,
    add: (goods: Goods, quantity: number) => {
      if (!user) navigate('/login');
      else if (user.role === 'farmer') toast.error(FARMERS_CANNOT_ORDER);
      else if (user.role === 'admin') toast.error(ADMINS_CANNOT_ORDER);
      else put(store.get(cartAtom), goods, quantity);
    },
    clearAndAdd: () => {
      if (waiting) put(EMPTY_CART, waiting.goods, waiting.quantity);
      setWaiting(null);
    },
    keepCart: () => setWaiting(null),
  };
}
