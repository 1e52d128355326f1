import type { ShortagePreference } from '#contract/platform/orders/constants';
import { type Message, msg } from '#contract/platform/text/constants/texts';

/** What a consumer can wish for a line that runs short. */
export const PREFERENCE_WORDS: Record<ShortagePreference, Message> = {
  ask: msg('Ask me'),
  similar: msg('Something similar, not dearer'),
  specific: msg('This instead …'),
  leave_out: msg('Leave it out'),
};
