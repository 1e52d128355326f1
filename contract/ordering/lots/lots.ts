import { OrderLine } from '#contract/ordering/changes/order-lines';
import { lotsApi as calls, LOT_FILE_PART, LOT_MAX } from '#contract/ordering/lots/constants';
import { OrderStatus } from '#contract/ordering/orders/order-timeline';
import { Contact } from '#contract/people/users/users';
import { endpoints, forFarm } from '#contract/platform/http/endpoint';
import {
  Id,
  isOnceBy,
  ListQuery,
  list,
  named,
  one,
  oneLine,
  optionalLine,
  WallDate,
} from '#contract/platform/http/http';
import { z } from '#contract/platform/http/zod';
import { LINES_MAX } from '#contract/platform/orders/constants';
import { t } from '#contract/platform/text/constants/texts';

/** A line of an order with goods of a lot, and who got it. */
export const LotLine = named('LotLine', {
  /** Of the line. */
  _id: Id,
  orderId: Id,
  status: OrderStatus,
  /** The day of the handover. */
  date: WallDate,
  customer: Contact,
  product: OrderLine.shape.product,
  size: OrderLine.shape.size,
  pieceWeight: OrderLine.shape.pieceWeight,
  quantity: OrderLine.shape.quantity,
  packed: OrderLine.shape.packed,
  lot: z.string(),
});
export type LotLine = z.infer<typeof LotLine>;

/**
 * The lots of lines of an order that is packed; empty for none. What is packed without one gets the day of its product's
 * harvest, if that is known.
 */
export const PackedLots = z
  .array(z.object({ line: Id, lot: optionalLine(LOT_MAX) }))
  .max(LINES_MAX)
  .refine(isOnceBy('line'), { error: () => t('List each line only once.') });

/** The name of a lot; case does not matter. */
const lot = oneLine(LOT_MAX, () => t('Enter the lot.'));

export const LotQuery = ListQuery.extend({ lot });
export type LotQuery = z.infer<typeof LotQuery>;

export const LotFileQuery = LotQuery.extend({
  limit: z.coerce.number().int().min(1).max(LOT_FILE_PART).default(LOT_FILE_PART),
});

/** A part of the file of a lot, as of an export: RFC 4180, without a byte order mark; the first has the headings. */
const LotFilePart = named('LotFilePart', {
  csv: z.string(),
  rows: z.int(),
  nextCursor: z.string().nullable(),
});

export const lotsApi = endpoints(calls, {
  list: {
    summary:
      'Who got goods of a lot: lines of accepted and completed orders, the latest handover first',
    ...forFarm('read'),
    query: LotQuery,
    answer: list(LotLine),
  },
  file: {
    summary: 'The same as CSV, part by part',
    ...forFarm('read'),
    query: LotFileQuery,
    answer: one(LotFilePart),
  },
});
