import type { SessionUser } from '../platform/sessions.ts';

/** What the rules below look at. */
interface Shelved {
  farmerId: string;
  isActive: boolean;
  /** The last day, at UTC midnight. */
  availableUntil: Date | null;
}

/** The market's present day: UTC's, because a farm does not say where its clock hangs. */
export const marketDay = (now = new Date()): Date =>
  new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()));

/** Its farmer and admins change a product. */
export const canChangeProduct = (
  user: Pick<SessionUser, 'id' | 'role'>,
  product: Pick<Shelved, 'farmerId'>,
): boolean => user.role === 'admin' || user.id === product.farmerId;

/** Everyone sees an active product; an inactive one only those who may change it. */
export const canSeeProduct = (
  user: Pick<SessionUser, 'id' | 'role'> | null,
  product: Pick<Shelved, 'farmerId' | 'isActive'>,
): boolean => product.isActive || (user !== null && canChangeProduct(user, product));

/** The catalogue lists it: active, and not past its last day. */
export const isListed = (
  product: Pick<Shelved, 'isActive' | 'availableUntil'>,
  today = marketDay(),
): boolean =>
  product.isActive && (product.availableUntil === null || product.availableUntil >= today);
