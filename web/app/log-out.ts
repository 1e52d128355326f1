import type { QueryClient } from '@tanstack/react-query';
import { navigate } from 'wouter/use-browser-location';
import { t } from '#contract/platform/text/constants/texts';
import { isListQueued } from '../ordering/model/queued-lists.ts';
import { endOnServer } from '../people/auth/logouts.ts';
import { endSession } from '../people/auth/session.ts';
import { readToken } from '../platform/session/session.ts';
import { toast } from '../platform/ui/feedback/toast.ts';

/** What is kept until it is sent: messages, answers to orders, work of a pick list, shortages, stocks. */
const KEPT_LISTS = [
  'unsent-messages',
  'kept-answers',
  'kept-pick-work',
  'shortage-runs',
  'stock-edits',
];

/** Returns whether the signed-in person has something that is not sent. */
export const isAnythingUnsent = (): boolean => KEPT_LISTS.some(isListQueued);

/** Signs out, here and on the server, and navigates to the home page. */
export function logOut(client: QueryClient): void {
  const token = readToken();
  // Navigates first, because the guard of the current page would redirect to the sign-in.
  navigate('/');
  endSession(client);
  if (token !== null) endOnServer(token);
  toast.success(t('Logged out successfully!'));
}
