import {
  orderChangesApi as calls,
  LINE_ANSWERS,
  PROPOSAL_NOTE_MAX,
  SHARE_RULES,
  SHORT_REASONS,
} from '#contract/ordering/changes/constants';
import {
  INCOMPLETE_PREFERENCE,
  isWholePreference,
  orderedItems,
  preferenceFields,
} from '#contract/ordering/changes/order-lines';
import { Order } from '#contract/ordering/orders/orders';
import { Person } from '#contract/people/users/users';
import { endpoints, forFarm } from '#contract/platform/http/endpoint';
import {
  Day,
  ExpectedVersion,
  Id,
  idField,
  idParams,
  isOnceBy,
  named,
  one,
  text,
  WallDate,
} from '#contract/platform/http/http';
import { z } from '#contract/platform/http/zod';
import { LINES_MAX, SHORTAGE_PREFERENCES } from '#contract/platform/orders/constants';
import { QUANTITY_MAX } from '#contract/platform/quantities/constants/units';
import { OrderedQuantity, OrderedSize, Quantity } from '#contract/platform/quantities/quantity';
import { t } from '#contract/platform/text/constants/texts';

// How lines of an order change: by proposals of the farm that the consumer answers, by a shortage of the whole farm,
// and by the consumer.

const Reason = z.enum(SHORT_REASONS, { error: () => t('Say why.') });

const itemFields = {
  lineId: idField(() => t('Choose a line of this order.')),
  reason: Reason,
  /** Whether there is none of the product left for other consumers either: its stock becomes 0. */
  emptiesShelf: z.boolean().default(false),
};

/** What the farm wants of one line. Goods that are left go back to the stock if there is still such a thing. */
export const ProposedItem = z.discriminatedUnion(
  'action',
  [
    z.object({
      ...itemFields,
      action: z.literal('reduce'),
      /** Less than now. Nothing at all is `remove`. */
      newQuantity: OrderedQuantity,
    }),
    z.object({ ...itemFields, action: z.literal('remove') }),
    z.object({
      ...itemFields,
      action: z.literal('substitute'),
      substitute: z.object({
        productId: idField(() => t('Choose a product.')),
        /** Which of its sizes, where it has some. */
        size: Id.optional(),
        quantity: OrderedQuantity,
      }),
    }),
  ],
  { error: () => t('Say what to do with the line.') },
);
export type ProposedItem = z.infer<typeof ProposedItem>;

export const ProposeChange = z.object({
  /** Made by the client, so that a repeat makes no second one. */
  _id: Id.optional(),
  items: z
    .array(ProposedItem)
    .min(1, { error: () => t('Choose at least one line.') })
    .max(LINES_MAX, {
      error: () =>
        t('Change at most {most, plural, one {# line} other {# lines}} at once.', {
          most: LINES_MAX,
        }),
    })
    .refine(isOnceBy('lineId'), { error: () => t('List each line only once.') }),
  note: text(PROPOSAL_NOTE_MAX).default(''),
  expectedVersion: ExpectedVersion,
});
export type ProposeChange = z.infer<typeof ProposeChange>;

/** The consumer's answer to each line of a proposal, or that they want none of the order any more. */
export const AnswerChange = z.union(
  [
    z.object({
      items: z
        .array(
          z.object({
            lineId: Id,
            answer: z.enum(LINE_ANSWERS),
          }),
        )
        .min(1, { error: () => t('Answer each line.') })
        .max(LINES_MAX)
        .refine(isOnceBy('lineId'), { error: () => t('Answer each line only once.') }),
      cancelOrder: z.literal(false).optional(),
    }),
    // Not both: the person who answers lines as well may not want the order cancelled.
    z.object({ cancelOrder: z.literal(true), items: z.never().optional() }),
  ],
  { error: () => t('Either accept or leave out each line, or cancel the order.') },
);
export type AnswerChange = z.infer<typeof AnswerChange>;

export const SetPreference = z
  .object({
    onShort: z.enum(SHORTAGE_PREFERENCES),
    preferredProduct: preferenceFields.preferredProduct,
    expectedVersion: ExpectedVersion,
  })
  .refine(isWholePreference, INCOMPLETE_PREFERENCE);
export type SetPreference = z.infer<typeof SetPreference>;

/** Lines that can get their share by hand in one call, and the longest body that makes. */
const SHARES_MAX = 5000;
const SHARES_BYTES_MAX = SHARES_MAX * 150;

/** So much of a product is there for the orders of these days. */
export const ShareShortage = z
  .object({
    productId: idField(() => t('Choose a product.')),
    from: Day,
    to: Day,
    /** For all orders of these days together. */
    available: Quantity.min(0, { error: () => t('Enter 0 or more.') }).max(QUANTITY_MAX),
    rule: z.enum(SHARE_RULES),
    /**
     * What each line gets, by hand; lines that are not named keep what they have. A quantity is in the stock's unit or,
     * of a line in a size, of its pieces. Lines of one order that are sold in the unit share as one, by the first.
     */
    shares: z
      .array(
        z.object({
          orderId: Id,
          /** Which line of the order; needed where it has several of the product. */
          lineId: Id.optional(),
          quantity: Quantity.min(0, { error: () => t('Enter 0 or more.') }),
        }),
      )
      .max(SHARES_MAX, {
        error: () => t('Share among at most {most} orders at once.', { most: SHARES_MAX }),
      })
      .refine(
        (shares) =>
          new Set(shares.map(({ orderId, lineId }) => `${orderId}:${lineId}`)).size ===
          shares.length,
        { error: () => t('List each order only once.') },
      )
      .optional(),
    reason: Reason.default('not_harvested'),
    note: text(PROPOSAL_NOTE_MAX).default(''),
    /** As in {@link ProposedItem}. */
    emptiesShelf: z.boolean().default(false),
    /** Made by the client, so that asking again goes on with what is not done yet. */
    batchId: Id.optional(),
  })
  .refine(({ from, to }) => from <= to, {
    path: ['to'],
    error: () => t("The last day can't be before the first."),
  })
  .refine(({ rule, shares }) => rule !== 'manual' || shares !== undefined, {
    path: ['shares'],
    error: () => t('Say what each order gets.'),
  });
export type ShareShortage = z.infer<typeof ShareShortage>;

/**
 * What a shortage comes to for one line of an order, or for those in the unit together: `proposed` waits for the
 * consumer, `applied` by their wish, `unchanged` gets all it ordered, `skipped` for a reason. In a preview what would
 * become of it.
 */
export const ShortageOutcome = named('ShortageOutcome', {
  orderId: Id,
  lineId: Id,
  customer: Person,
  date: WallDate,
  time: z.string(),
  /** The size of the line: quantities count its pieces. */
  size: OrderedSize.optional(),
  /** What it has of the product, and what it gets. */
  quantity: Quantity,
  share: Quantity,
  outcome: z.enum(['proposed', 'applied', 'unchanged', 'skipped']),
  /** Why it was skipped, as a code and a sentence. */
  code: z.string().optional(),
  message: z.string().optional(),
});
export type ShortageOutcome = z.infer<typeof ShortageOutcome>;

export const ShortageResult = named('ShortageResult', {
  batchId: Id.nullable(),
  /** What these orders have of the product together, before it, in the stock's unit. */
  ordered: Quantity,
  /** What of `available` fits no line in sizes and stays in stock; absent where nothing does, or nothing is in sizes. */
  left: Quantity.optional(),
  outcomes: z.array(ShortageOutcome),
});
export type ShortageResult = z.infer<typeof ShortageResult>;

/** How far a shortage is: its orders are done one by one. */
export const ShortageProgress = named('ShortageProgress', {
  _id: Id,
  productId: Id,
  done: z.int(),
  total: z.int(),
  isFinished: z.boolean(),
  /** Whether nobody is at it: it failed, or its process died. Asking again goes on. Absent of an older server. */
  isStopped: z.boolean().optional(),
});
export type ShortageProgress = z.infer<typeof ShortageProgress>;

/** The consumer's whole new list of an order. */
export const ChangeItems = z.object({
  /** Empty only where what goes is what came by the consumer's wish: then the order ends. */
  items: orderedItems(),
  expectedVersion: ExpectedVersion,
});
export type ChangeItems = z.infer<typeof ChangeItems>;

/** Products by their ids, with commas between them. */
const ProductIds = z
  .string()
  .max(LINES_MAX * 37)
  .transform((ids) => ids.split(','))
  .pipe(
    z.array(Id).max(LINES_MAX, {
      error: () =>
        t('Ask for at most {most, plural, one {# product} other {# products}}.', {
          most: LINES_MAX,
        }),
    }),
  );

/** What a consumer wished for a product the last time they ordered it. */
export const RememberedPreference = named('RememberedWish', {
  product: Id,
  onShort: z.enum(SHORTAGE_PREFERENCES),
  preferredProduct: Id.optional(),
});
export type RememberedPreference = z.infer<typeof RememberedPreference>;

const orderParams = idParams(() => t('Order not found'));
const changeParams = orderParams.extend({ changeId: idField(() => t('Proposal not found')) });

export const orderChangesApi = endpoints(calls, {
  wishes: {
    summary: 'What the signed-in consumer wished last for a shortage of these products',
    access: ['consumer'],
    query: z.object({ products: ProductIds }),
    answer: one(z.array(RememberedPreference)),
  },
  propose: {
    summary: 'Propose to the customer to change lines of an order',
    ...forFarm('answerOrders'),
    params: orderParams,
    body: ProposeChange,
    answer: one(Order),
    status: 201,
  },
  answer: {
    summary: "Answer a farm's proposal, line by line, or cancel the order because of it",
    access: ['consumer'],
    params: changeParams,
    body: AnswerChange,
    answer: one(Order),
  },
  withdraw: {
    summary: 'Take back a proposal that is not answered yet',
    access: ['farmer', 'admin'],
    farmPermission: 'answerOrders',
    params: changeParams,
    answer: one(Order),
  },
  setWish: {
    summary: 'Say what to do if the farm runs short of a line',
    access: ['consumer'],
    params: orderParams.extend({ lineId: idField(() => t('Line not found')) }),
    body: SetPreference,
    answer: one(Order),
  },
  shareShortage: {
    summary: 'Share what is there of a product among the orders of some days, or preview it',
    ...forFarm('answerOrders'),
    query: z.object({ preview: z.enum(['true', 'false']).optional() }),
    body: ShareShortage,
    bodyBytesMax: SHARES_BYTES_MAX,
    answer: one(ShortageResult),
    notRepeatable: 'Each order is written by itself; asking again with its `batchId` goes on.',
    failures: [404, 409],
  },
  readShortage: {
    summary: 'How far a shortage is; null while it has not begun',
    ...forFarm('answerOrders'),
    params: idParams(() => t('Shortage not found')),
    answer: one(ShortageProgress.nullable()),
  },
  changeItems: {
    summary: 'Replace the lines of an own order, until its cut-off and before it is packed',
    access: ['consumer'],
    params: orderParams,
    body: ChangeItems,
    answer: one(Order),
  },
});
