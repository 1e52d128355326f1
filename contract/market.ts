import { marketApi as calls } from '#contract/constants/market';
import { endpoint, one } from '#contract/http';
import { z } from '#contract/zod';

export * from '#contract/constants/market';

/** The public settings of the market. */
export const Market = z.object({
  /** Minutes after which a pending order counts as unanswered. */
  unansweredMinutes: z.number().positive(),
  /** IANA name of the time zone by which the market counts its days. */
  timeZone: z.string(),
});
export type Market = z.infer<typeof Market>;

export const marketApi = {
  read: endpoint({
    ...calls.read,
    summary: 'How this market is set up',
    access: 'public',
    answer: one(Market),
  }),
};
