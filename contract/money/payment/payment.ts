import { paymentApi as calls, PAYMENT_DETAILS_MAX } from '#contract/money/payment/constants';
import { ROLES } from '#contract/platform/http/constants';
import { endpoints, forFarm } from '#contract/platform/http/endpoint';
import { ExpectedVersion, idParams, named, one, text } from '#contract/platform/http/http';
import { z } from '#contract/platform/http/zod';
import { t } from '#contract/platform/text/constants/texts';

/** How to pay a farm other than in cash, such as its bank account. */
export const FarmPayment = named('FarmPayment', {
  /** Lines of plain text; empty where the farm gives none. */
  details: z.string(),
  /** Grows with each change. */
  version: z.int(),
});
export type FarmPayment = z.infer<typeof FarmPayment>;

/** Empty details take the old ones away. */
export const UpdateFarmPayment = z.object({
  details: text(PAYMENT_DETAILS_MAX),
  expectedVersion: ExpectedVersion,
});
export type UpdateFarmPayment = z.infer<typeof UpdateFarmPayment>;

// A change is published as `farmer.updated`: the details themselves are for the farm and its consumers alone.
export const paymentApi = endpoints(calls, {
  own: {
    summary: "How to pay the caller's farm",
    ...forFarm('seeSales'),
    answer: one(FarmPayment),
    failures: [404],
  },
  update: {
    summary: "Change how to pay the caller's farm",
    ...forFarm('manageMoney'),
    body: UpdateFarmPayment,
    answer: one(FarmPayment),
    failures: [404],
  },
  ofOrder: {
    summary:
      'How to pay the farm of an order, for its consumer, admins and those of its farm who see sales',
    access: ROLES,
    params: idParams(() => t('Order not found')),
    answer: one(FarmPayment.pick({ details: true })),
  },
});
