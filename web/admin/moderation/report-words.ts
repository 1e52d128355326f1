import type { ReportKind, ReportReason } from '#contract/admin/moderation/constants';
import { type Message, msg } from '#contract/platform/text/constants/texts';

/** What the entry and the title of a report say, by what is reported. */
export const REPORT_TITLES: Record<ReportKind, Message> = {
  product: msg('Report this product'),
  farm: msg('Report this farm'),
  message: msg('Report this message'),
  order: msg('Report a problem with this order'),
};

/** The reasons to choose among. */
export const REASON_LABELS: Record<ReportReason, Message> = {
  misleading: msg("It isn't what it says"),
  unsafe: msg("It isn't safe"),
  offensive: msg("It's rude or hurtful"),
  fraud: msg('It looks like fraud'),
  spam: msg("It's spam"),
  other: msg('Something else'),
};
