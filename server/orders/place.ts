import { createHash } from 'node:crypto';
import { IDEMPOTENCY_HOURS, type Order, type PlaceOrder, TOTAL_MAX_MINOR } from '#contract/orders';
import { toMinor } from '#contract/platform';
import { invalidField } from '../platform/errors.ts';
import type { Platform } from '../platform/platform.ts';
import { retryConflicts } from '../platform/postgres.ts';
import { currentRequestId } from '../platform/request-context.ts';
import type { SessionUser } from '../platform/sessions.ts';
import { type LineProblem, lineRefusal, orderRefusal, type Refusal } from './refusal.ts';

interface Outcome {
  order?: Order;
  /** The key had placed the order before. */
  isRepeat?: boolean;
  refusal?: Refusal | null;
  problems?: LineProblem[] | null;
}

// Named, so that each connection plans it once.
const PLACE_ORDER = {
  name: 'place_order',
  text: `SELECT place_order($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16,
    $17, $18, $19, $20) AS outcome`,
};

/** The order as the first answer told it: as yet untouched. */
const asPlaced = (order: Order): Order => ({
  ...order,
  status: 'pending',
  version: 1,
  timeline: order.timeline.slice(0, 1),
});

/**
 * The farm's clock is not known, so UTC's day decides: yesterday is past; a day that has ended only
 * east of Greenwich is still taken.
 */
function requireNotPast(input: PlaceOrder): void {
  const part = input.pickupDetails ? 'pickupDetails' : 'deliveryDetails';
  const date = input[part]?.date ?? '';
  if (date < new Date().toISOString().slice(0, 10)) {
    throw invalidField(`${part}.date`, 'Choose a date that is not in the past.');
  }
}

/**
 * Places an order: takes the stock of all lines or of none, whoever else buys at the same moment.
 * With a key, a repeat of the same request within {@link IDEMPOTENCY_HOURS} gets the first answer.
 * @throws 400 a past date or too large a total, 404 no such farm, 409 the farm does not offer it, a
 *   product cannot be had, has another price or too little stock, or the key stands for another order
 */
export async function placeOrder(
  platform: Platform,
  consumer: SessionUser,
  input: PlaceOrder,
  idempotencyKey: string | undefined,
): Promise<Order> {
  requireNotPast(input);
  const { pickupDetails: pickup, deliveryDetails: delivery, items } = input;
  const { rows } = await retryConflicts(() =>
    platform.pool.query<{ outcome: Outcome }>({
      ...PLACE_ORDER,
      values: [
        consumer.id,
        input.farmer,
        items.map((item) => item.product),
        items.map((item) => item.quantity),
        items.map((item) => (item.price === undefined ? null : toMinor(item.price))),
        pickup !== undefined,
        pickup?.date ?? delivery?.date,
        pickup?.time ?? delivery?.time,
        pickup?.location ?? '',
        delivery?.address.street ?? '',
        delivery?.address.city ?? '',
        delivery?.address.state ?? '',
        delivery?.address.zipCode ?? '',
        input.notes,
        input.paymentMethod,
        idempotencyKey ?? null,
        createHash('sha256').update(JSON.stringify(input)).digest('base64url'),
        IDEMPOTENCY_HOURS,
        TOTAL_MAX_MINOR,
        currentRequestId() ?? null,
      ],
    }),
  );
  const { order, isRepeat, refusal, problems } = rows[0]?.outcome ?? {};
  if (refusal) throw orderRefusal(refusal);
  if (!order) throw lineRefusal(problems ?? []);
  return isRepeat ? asPlaced(order) : order;
}
