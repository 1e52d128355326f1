import { canActFor } from '#contract/platform/session/constants';
import type { SessionUser } from '../../platform/sessions/sessions.ts';

type Viewer = Pick<SessionUser, 'role' | 'membership'>;

/** The columns that the rules below use. */
interface ProductRow {
  farmerId: string;
  isActive: boolean;
  /** Whether its farm is not in the market yet. */
  isFarmDraft: boolean;
}

/** Returns whether the user may change the product: admins may, and of its farm those whose role says so. */
export const canChangeProduct = (user: Viewer, product: Pick<ProductRow, 'farmerId'>): boolean =>
  user.role === 'admin' || canActFor(user, product.farmerId, 'changeProducts');

/** Returns whether the user may see the product: an inactive one, or a draft's, only its farm and admins. */
export const canSeeProduct = (
  user: Viewer | null,
  product: Pick<ProductRow, 'farmerId' | 'isActive' | 'isFarmDraft'>,
): boolean =>
  (product.isActive && !product.isFarmDraft) ||
  user?.role === 'admin' ||
  (user !== null && canActFor(user, product.farmerId, 'read'));

/**
 * Returns whether an admin has hidden the product. It is inactive then, so that everything that lists or
 * sells active products leaves it out, and only an admin shows it again.
 */
export const isHiddenByAdmin = (product: { hiddenReason: string | null }): boolean =>
  product.hiddenReason !== null;

/** Returns whether the product is kept off the market: an admin has hidden it, or suspended its farm. */
export const isWithheld = (product: {
  hiddenReason: string | null;
  isFarmSuspended: boolean;
}): boolean => product.isFarmSuspended || isHiddenByAdmin(product);
