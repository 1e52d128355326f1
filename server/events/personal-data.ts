import type { EventName } from '#contract/events';
import type { Order } from '#contract/orders';
import { DELETED_USER_NAME } from '#contract/users';

/** The parts of an event that can hold personal data. */
interface AnyEvent {
  name: string;
  data: unknown;
  rooms: readonly string[];
}

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

const isObject = (value: Json): value is { [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Copies a value with every text in it replaced by ''. */
function withEmptyTexts(value: Json): Json {
  if (typeof value === 'string') return '';
  if (Array.isArray(value)) return value.map(withEmptyTexts);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, withEmptyTexts(inner)]),
  );
}

const PERSONAL_FIELDS = ['email', 'phone', 'address', 'farmName'];

/** Copies a value without the personal fields of the objects that describe this person. */
function withoutPerson(value: Json, userId: string): Json {
  if (Array.isArray(value)) return value.map((item) => withoutPerson(item, userId));
  if (!isObject(value)) return value;
  const isPerson = value._id === userId;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]): [string, Json] => {
      if (isPerson && key === 'name') return [key, DELETED_USER_NAME];
      if (isPerson && PERSONAL_FIELDS.includes(key)) return [key, withEmptyTexts(inner)];
      return [key, withoutPerson(inner, userId)];
    }),
  );
}

const ORDER_EVENTS: readonly string[] = [
  'order.created',
  'order.updated',
  'order.unanswered',
] satisfies EventName[];

/** Copies an order without its delivery address, if it is theirs and no longer to be delivered. */
function withoutAddress(
  order: { [key: string]: Json },
  userId: string,
  openOrders: ReadonlySet<string>,
): { [key: string]: Json } {
  const { _id, consumer, deliveryDetails } = order as Partial<
    Pick<Order, '_id' | 'consumer' | 'deliveryDetails'>
  >;
  if (consumer?._id !== userId || !deliveryDetails || openOrders.has(_id ?? '')) return order;
  const address = withEmptyTexts(deliveryDetails.address);
  return { ...order, deliveryDetails: { ...deliveryDetails, address } as Json };
}

/** Copies the data of a product's event without the admin's reason for hiding it, if it is theirs. */
function withoutHidingReason(name: string, data: { [key: string]: Json }, userId: string) {
  if (name === 'product.hidingChanged' && data.farmer === userId && data.reason !== null) {
    return { ...data, reason: '' };
  }
  const { farmer, hiddenReason } = data;
  const isTheirs = isObject(farmer ?? null) && (farmer as { _id?: Json })._id === userId;
  return isTheirs && hiddenReason !== undefined ? { ...data, hiddenReason: '' } : data;
}

/**
 * Returns the event without the name, email, phone and address of a person whose account was deleted,
 * without the texts of their own notifications, and without the reasons for hiding their products; returns the same object when it holds none of
 * these. Keeps what they wrote to others (messages, notes and reasons on orders). Removes delivery
 * addresses too, except those of `openOrders`, which the farm still has to deliver.
 */
export function withoutPersonalData<Event extends AnyEvent>(
  event: Event,
  userId: string,
  openOrders: ReadonlySet<string> = new Set(),
): Event {
  let data = withoutPerson(event.data as Json, userId);
  if (isObject(data) && ORDER_EVENTS.includes(event.name)) {
    data = withoutAddress(data, userId, openOrders);
  }
  if (isObject(data)) data = withoutHidingReason(event.name, data, userId);
  const isOwnNotification =
    event.name === 'notification.created' && event.rooms.includes(`user:${userId}`);
  if (isObject(data) && isOwnNotification) data = { ...data, title: '', body: '' };
  return JSON.stringify(data) === JSON.stringify(event.data) ? event : { ...event, data };
}

/**
 * Returns the body of an answer as {@link withoutPersonalData} returns an event: whatever orders, products
 * and people it holds, at any depth. Returns the same object when there is nothing to remove.
 */
export function answerWithoutPersonalData(
  body: unknown,
  userId: string,
  openOrders: ReadonlySet<string> = new Set(),
): unknown {
  const clean = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(clean);
    if (!isObject(value)) return value;
    const inner = Object.fromEntries(
      Object.entries(value).map(([key, each]) => [key, clean(each)]),
    );
    return withoutHidingReason('answer', withoutAddress(inner, userId, openOrders), userId);
  };
  const cleaned = clean(withoutPerson(body as Json, userId));
  return JSON.stringify(cleaned) === JSON.stringify(body) ? body : cleaned;
}
