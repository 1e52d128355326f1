import { type Message, msg, writeMessage } from '#contract/platform/text/constants/texts';

/** Why an order changed where nobody gave a reason of their own. */
export const CAUSES = [
  'accepted_at_cutoff',
  'rejected_at_cutoff',
  'accepted_after_cutoff',
  'rejected_after_cutoff',
  'account_deleted',
  'farm_left',
  'change_unanswered',
  'change_declined',
  'nothing_left',
  'all_left_out',
  'clock_skips',
] as const;
export type Cause = (typeof CAUSES)[number];

const WORDS: Readonly<Record<Cause, Message>> = {
  accepted_at_cutoff: msg('Accepted automatically when orders for this day closed.'),
  rejected_at_cutoff: msg('The farm had not answered when orders for this day closed.'),
  // Of orders whose consumer was asked about a change, which ended without accepting them.
  accepted_after_cutoff: msg('Accepted automatically, because orders for this day are closed.'),
  rejected_after_cutoff: msg('Orders for this day had closed before it was accepted.'),
  account_deleted: msg('The account was deleted.'),
  farm_left: msg('The farm has left the market.'),
  change_unanswered: msg('Nothing of it could be had, and the change was not answered in time.'),
  change_declined: msg("Cancelled because of the farm's change."),
  nothing_left: msg('Nothing of this order can be had.'),
  all_left_out: msg('Everything was left out.'),
  clock_skips: msg("The farm's time zone changed, and its clock skips this time that night."),
};

/** Says why an order changed: in the words of whoever gave a reason, else for the reader; undefined where none is known. */
export function reasonOf({
  reason,
  cause,
}: {
  reason?: string | null | undefined;
  cause?: Cause | null | undefined;
}): string | undefined {
  // A newer release knows more causes.
  const words = cause ? WORDS[cause] : undefined;
  return reason || (words && writeMessage(words));
}
