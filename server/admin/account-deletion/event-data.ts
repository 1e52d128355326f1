import type { Order } from '#contract/ordering/orders/orders';
import { DELETED_USER_NAME } from '#contract/people/users/constants';
import type { EventName } from '#contract/platform/events/event';

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

/** Whose personal data is removed. */
interface ErasedPerson {
  id: string;
  /** The name under which the farm goes on that carries their id; undefined when nothing does. */
  farmName?: string | undefined;
}

/** Returns what stands in a field of the objects that describe this person; undefined leaves it as it is. */
function erasedField({ farmName }: ErasedPerson, key: string, value: Json): Json | undefined {
  if (key === 'name') return farmName ?? DELETED_USER_NAME;
  if (!PERSONAL_FIELDS.includes(key)) return undefined;
  if (farmName === undefined) return withEmptyTexts(value);
  if (key === 'farmName') return farmName;
  // The farm stays in its town.
  return key === 'address' && isObject(value) ? { ...value, street: '' } : withEmptyTexts(value);
}

/** Copies a value without the personal fields of the objects that describe this person. */
function withoutPerson(value: Json, person: ErasedPerson): Json {
  if (Array.isArray(value)) return value.map((item) => withoutPerson(item, person));
  if (!isObject(value)) return value;
  const isPerson = value._id === person.id;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]): [string, Json] => [
      key,
      (isPerson ? erasedField(person, key, inner) : undefined) ?? withoutPerson(inner, person),
    ]),
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

/**
 * Copies the data of a product's event without the admin's reason for hiding it, if it is theirs and no farm
 * goes on that has to know it.
 */
function withoutHidingReason(
  name: string,
  data: { [key: string]: Json },
  { id: userId, farmName }: ErasedPerson,
) {
  if (farmName !== undefined) return data;
  if (name === 'product.hidingChanged' && data.farmer === userId && data.reason !== null) {
    return { ...data, reason: '' };
  }
  if (name === 'farm.approvalChanged' && data._id === userId && data.reason !== null) {
    return { ...data, reason: '' };
  }
  const { farmer, hiddenReason } = data;
  const isTheirs = isObject(farmer ?? null) && (farmer as { _id?: Json })._id === userId;
  return isTheirs && hiddenReason !== undefined ? { ...data, hiddenReason: '' } : data;
}

/**
 * Returns the event without the name, email, phone and address of a person whose account was deleted, without the texts
 * of their own notifications, and without the reasons for hiding their products; returns the same object when it holds
 * none of these. Keeps what they wrote to others (messages, notes and reasons on orders). Removes delivery addresses
 * too, except those of `openOrders`, which the farm still has to deliver. Where a farm goes on under their id, its name
 * and town take the place of theirs.
 */
export function withoutPersonalData<Event extends AnyEvent>(
  event: Event,
  person: ErasedPerson,
  openOrders: ReadonlySet<string> = new Set(),
): Event {
  let data = withoutPerson(event.data as Json, person);
  if (isObject(data) && ORDER_EVENTS.includes(event.name)) {
    data = withoutAddress(data, person.id, openOrders);
  }
  if (isObject(data)) data = withoutHidingReason(event.name, data, person);
  const isOwnNotification =
    event.name === 'notification.created' && event.rooms.includes(`user:${person.id}`);
  if (isObject(data) && isOwnNotification) {
    const { params: _, ...rest } = data;
    data = { ...rest, title: '', body: '' };
  }
  return JSON.stringify(data) === JSON.stringify(event.data) ? event : { ...event, data };
}

/**
 * Returns the body of an answer as {@link withoutPersonalData} returns an event: whatever orders, products
 * and people it holds, at any depth. Returns the same object when there is nothing to remove.
 */
export function answerWithoutPersonalData(
  body: unknown,
  person: ErasedPerson,
  openOrders: ReadonlySet<string> = new Set(),
): unknown {
  const clean = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(clean);
    if (!isObject(value)) return value;
    const inner = Object.fromEntries(
      Object.entries(value).map(([key, each]) => [key, clean(each)]),
    );
    return withoutHidingReason('answer', withoutAddress(inner, person.id, openOrders), person);
  };
  const cleaned = clean(withoutPerson(body as Json, person));
  return JSON.stringify(cleaned) === JSON.stringify(body) ? body : cleaned;
}
