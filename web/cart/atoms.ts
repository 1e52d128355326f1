import { atom } from 'jotai';
import { storedAtom } from '../lib/stored-atom.ts';
import { type Cart, EMPTY_CART, StoredCart } from './rules.ts';

/** The cart, kept in the browser's storage and in step across its tabs. */
export const cartAtom = storedAtom<Cart>('cart', StoredCart, EMPTY_CART);

/** How many lines the cart has: the number on its icon. */
export const cartCountAtom = atom((get) => get(cartAtom).lines.length);
