import {
  LinesChange,
  PackingChange,
  ProposalChange,
  StatusDetail,
  WeightsChange,
} from '#contract/ordering/changes/order-lines';
import { slotChangeFields } from '#contract/ordering/orders/pickup';
import { PersonWithRole } from '#contract/people/users/users';
import { Instant, named } from '#contract/platform/http/http';
import { z } from '#contract/platform/http/zod';
import { ORDER_STATUSES } from '#contract/platform/orders/constants';
import { CAUSES } from '#contract/platform/orders/constants/causes';

// What happened to an order, and what an event says has changed.

export const OrderStatus = z.enum(ORDER_STATUSES);
export type OrderStatus = z.infer<typeof OrderStatus>;

/** The kinds of entries in an order's timeline. */
export const TIMELINE_KINDS = [
  'status',
  'lines',
  'proposal',
  'weights',
  'slot',
  'packing',
  'handoff',
] as const;
export type TimelineKind = (typeof TIMELINE_KINDS)[number];

/** What every entry of a timeline has; a kind with more to say adds a typed `detail`. */
const entry = <Kind extends TimelineKind, Detail extends z.ZodRawShape>(
  id: string,
  kind: Kind,
  detail: Detail,
) =>
  named(id, {
    /** The entry's place in the timeline, from 1. It is neither the order's version nor a count. */
    sequence: z.int(),
    kind: z.literal(kind),
    at: Instant,
    by: PersonWithRole,
    /** Why, in the words of whoever did it. */
    reason: z.string().optional(),
    /** Why, where nobody gave a reason. Entries from before have a sentence as their reason. */
    cause: z.enum(CAUSES).optional(),
    ...detail,
  });

/** The order was placed (`pending`) or got another status. */
export const StatusEntry = entry('StatusEntry', 'status', {
  status: OrderStatus,
  detail: StatusDetail.optional(),
});
export type StatusEntry = z.infer<typeof StatusEntry>;

export const SlotChange = named('SlotChange', slotChangeFields);
export type SlotChange = z.infer<typeof SlotChange>;

/** The order was moved to another slot, or starts at another instant. */
export const SlotEntry = entry('SlotEntry', 'slot', { detail: SlotChange });
export type SlotEntry = z.infer<typeof SlotEntry>;

/** Lines were changed without asking: by the consumer, or by what they wished for a shortage. */
export const LinesEntry = entry('LinesEntry', 'lines', { detail: LinesChange });

/** Something happened to a proposal of the farm. */
export const ProposalEntry = entry('ProposalEntry', 'proposal', { detail: ProposalChange });
export type ProposalEntry = z.infer<typeof ProposalEntry>;

export const WeightsEntry = entry('WeightsEntry', 'weights', { detail: WeightsChange });

export const PackingEntry = entry('PackingEntry', 'packing', { detail: PackingChange });

export const TimelineEntry = z
  .union([StatusEntry, SlotEntry, LinesEntry, ProposalEntry, WeightsEntry, PackingEntry])
  .meta({ id: 'TimelineEntry' });
export type TimelineEntry = z.infer<typeof TimelineEntry>;

/** What an `order.updated` event says has changed, by the kinds of the timeline. */
export const OrderChange = z.union([
  StatusDetail.extend({ kind: z.literal('status'), from: OrderStatus, to: OrderStatus }),
  z.object({ kind: z.literal('slot'), ...slotChangeFields }),
  LinesChange.extend({ kind: z.literal('lines') }),
  ProposalChange.extend({ kind: z.literal('proposal') }),
  WeightsChange.extend({ kind: z.literal('weights') }),
  PackingChange.extend({ kind: z.literal('packing') }),
  // Nothing of the order: its farm closed something that it would need, and keeps it as agreed.
  z.object({ kind: z.literal('kept') }),
  // Nothing of the order itself: its farm left the market for now or came back, or its customer's account is gone.
  z.object({
    kind: z.literal('party'),
    what: z.enum(['farm_suspended', 'farm_restored', 'customer_left']),
  }),
]);
export type OrderChange = z.infer<typeof OrderChange>;
