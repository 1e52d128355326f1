import { atom } from 'jotai';
import { storedAtom } from '../lib/stored-atom.ts';
import { type Cart, EMPTY_CART, isStoredCart, withStoredLines } from './rules.ts';

/** The cart, kept in localStorage and synchronized across tabs. */
export const cartAtom = storedAtom<Cart>('cart', isStoredCart, EMPTY_CART, 'json', withStoredLines);

/** The number of lines in the cart, shown on its icon. */
export const cartCountAtom = atom((get) => get(cartAtom).lines.length);

/** What changed since the order that was put into the cart again, one sentence for each product. */
export const againNewsAtom = atom<readonly string[]>([]);
