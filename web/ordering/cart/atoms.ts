import { atom } from 'jotai';
import { ownedAtom, readOwner, VISITOR } from '../../platform/session/owned.ts';
import { store } from '../../platform/session/session.ts';
import { type Cart, EMPTY_CART, isStoredCart, withStoredLines } from './rules.ts';

/** The cart of whoever is signed in, kept in localStorage and synchronized across tabs. */
export const cartAtom = ownedAtom<Cart>('cart', isStoredCart, EMPTY_CART, withStoredLines);

/** Gives the cart of a visitor to the person as whom they have just signed in, unless that one has a cart already. */
export function takeVisitorsCart(): void {
  const visitors = cartAtom.of(VISITOR);
  const cart = visitors.readStored();
  if (readOwner() === VISITOR || cart.lines.length === 0) return;
  store.set(visitors, EMPTY_CART);
  if (cartAtom.readStored().lines.length === 0) store.set(cartAtom, cart);
}

/** The number of lines in the cart, shown on its icon. */
export const cartCountAtom = atom((get) => get(cartAtom).lines.length);

/** What changed since the order that was put into the cart again, one sentence for each product. */
export const againNewsAtom = atom<readonly string[]>([]);
