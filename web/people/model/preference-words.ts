import type { ShortagePreference } from '#contract/platform/orders/constants';

/** What a consumer can wish for a line that runs short. */
export const PREFERENCE_WORDS: Record<ShortagePreference, string> = {
  ask: 'Ask me',
  similar: 'Something similar, not dearer',
  specific: 'This instead …',
  leave_out: 'Leave it out',
};
