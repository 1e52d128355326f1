import { PIECES_MAX, WEIGHTS_BATCH_MAX } from '#contract/ordering/changes/constants';
import { Order } from '#contract/ordering/orders/orders';
import { weightsApi as calls } from '#contract/ordering/weights/constants';
import { endpoints, forFarm } from '#contract/platform/http/endpoint';
import { Id, idField, idParams, isOnceBy, one } from '#contract/platform/http/http';
import { z } from '#contract/platform/http/zod';
import { Quantity, Weighed } from '#contract/platform/quantities/quantity';
import { t } from '#contract/platform/text/constants/texts';

// What the lines of an order really weigh.

const weightFields = {
  /** The weight of the whole line, in the unit of its price. */
  packed: Weighed.optional(),
  /** Or of each piece. */
  pieces: z
    .array(Weighed)
    .min(1, { error: () => t('Weigh at least one piece.') })
    .max(PIECES_MAX, {
      error: () =>
        t('Weigh at most {most, plural, one {# piece} other {# pieces}} at once.', {
          most: PIECES_MAX,
        }),
    })
    .optional(),
  /** What the line weighed before, as the client knows it; null for nothing yet. */
  expectedPacked: Quantity.nullable().optional(),
  /**
   * What is asked for a weight whose price is above what the consumer expects: `limit` (also without it) charges up to
   * the limit alone, `ask` proposes the price to the consumer.
   */
  overweight: z.enum(['limit', 'ask']).optional(),
};

/** One weight, given once: as a whole or by its pieces. */
const isOneWeight = (input: { packed?: unknown; pieces?: unknown }): boolean =>
  (input.packed === undefined) !== (input.pieces === undefined);
const NO_WEIGHT = { path: ['packed'], error: () => t('Enter what it weighs.') };

export const WeighLine = z.object(weightFields).refine(isOneWeight, NO_WEIGHT);
export type WeighLine = z.infer<typeof WeighLine>;

export const WeighLines = z.object({
  items: z
    .array(z.object({ orderId: Id, lineId: Id, ...weightFields }).refine(isOneWeight, NO_WEIGHT))
    .min(1, { error: () => t('Weigh at least one line.') })
    .max(WEIGHTS_BATCH_MAX, {
      error: () =>
        t('Write at most {most, plural, one {# weight} other {# weights}} at once.', {
          most: WEIGHTS_BATCH_MAX,
        }),
    })
    .refine(isOnceBy('lineId'), { error: () => t('List each line only once.') }),
});
export type WeighLines = z.infer<typeof WeighLines>;

/** What became of one weight of several: the order as it is now, or why the weight was not taken. */
export const WeighedLine = z
  .union([
    z.object({ orderId: Id, lineId: Id, order: Order }),
    z.object({ orderId: Id, lineId: Id, code: z.string(), message: z.string() }),
  ])
  .meta({ id: 'WeighedLine' });
export type WeighedLine = z.infer<typeof WeighedLine>;

export const weightsApi = endpoints(calls, {
  weigh: {
    summary: 'Write what a line of an order weighs',
    ...forFarm('packOrders'),
    params: idParams(() => t('Order not found')).extend({
      lineId: idField(() => t('Line not found')),
    }),
    body: WeighLine,
    answer: one(Order),
  },
  weighAll: {
    summary: 'Write the weights of many lines; each is decided for itself',
    ...forFarm('packOrders'),
    body: WeighLines,
    answer: one(z.array(WeighedLine)),
  },
});
