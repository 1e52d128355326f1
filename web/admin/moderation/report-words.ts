import type { ReportKind, ReportReason } from '#contract/admin/moderation/constants';

/** What is reported, in the words of a sentence. */
export const reportedThings: Record<ReportKind, string> = {
  product: 'this product',
  farm: 'this farm',
  message: 'this message',
  order: 'a problem with this order',
};

/** The reasons to choose among. */
export const reasonLabels: Record<ReportReason, string> = {
  misleading: "It isn't what it says",
  unsafe: "It isn't safe",
  offensive: "It's rude or hurtful",
  fraud: 'It looks like fraud',
  spam: "It's spam",
  other: 'Something else',
};
