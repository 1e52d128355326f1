import type { ShortWish } from '#contract/platform/orders/constants';

/** What a buyer can wish for a line that runs short. */
export const WISH_WORDS: Record<ShortWish, string> = {
  ask: 'Ask me',
  similar: 'Something similar, not dearer',
  specific: 'This instead …',
  leave_out: 'Leave it out',
};
