import type { Calls, Role } from '#contract/platform/http/constants';
import type { OrderStatus } from '#contract/platform/orders/constants';
import { canActFor, type FarmPermission, type Worker } from '#contract/platform/session/constants';

export const PAYMENT_METHODS = ['cash', 'bank_transfer', 'other'] as const;

/** Who someone is to an order. */
export type Party = 'consumer' | 'farmer' | 'admin';

/** One allowed change of status, who may make it, and whether the stock goes back to the stock. */
export interface Transition {
  from: OrderStatus;
  to: OrderStatus;
  by: readonly Party[];
  returnsStock: boolean;
  /** Only while the farm is suspended, or once it has left the market. */
  whileFarmIsAway?: true;
}

/** Every change of status there is; what is not here is refused. */
export const ORDER_TRANSITIONS: readonly Transition[] = [
  { from: 'pending', to: 'accepted', by: ['farmer', 'admin'], returnsStock: false },
  { from: 'pending', to: 'rejected', by: ['farmer', 'admin'], returnsStock: true },
  { from: 'pending', to: 'cancelled', by: ['consumer', 'farmer', 'admin'], returnsStock: true },
  { from: 'accepted', to: 'completed', by: ['farmer', 'admin'], returnsStock: false },
  { from: 'accepted', to: 'cancelled', by: ['farmer', 'admin'], returnsStock: true },
  {
    from: 'accepted',
    to: 'cancelled',
    by: ['consumer'],
    returnsStock: true,
    whileFarmIsAway: true,
  },
];

/** The transition that `party` may make, or nothing. */
export const findTransition = (
  from: OrderStatus,
  to: OrderStatus,
  party: Party,
  { isFarmAway = false } = {},
): Transition | undefined =>
  ORDER_TRANSITIONS.find(
    (transition) =>
      transition.from === from &&
      transition.to === to &&
      transition.by.includes(party) &&
      (isFarmAway || !transition.whileFarmIsAway),
  );

/** What of an order its customer may cancel it by. */
export interface Cancellable {
  status: OrderStatus;
  /** As the server says; absent of an older one. */
  mayCancel?: boolean | undefined;
}

/** Whether its customer may cancel an order: while it is pending, and an accepted one while its farm is away. */
export const mayCancel = ({ status, mayCancel: isAllowed }: Cancellable): boolean =>
  isAllowed ?? findTransition(status, 'cancelled', 'consumer') !== undefined;

/** True when nothing can follow this status. */
export const isFinal = (status: OrderStatus): boolean =>
  !ORDER_TRANSITIONS.some((transition) => transition.from === status);

/** True while an order can change: something can follow its status. */
export const isOpenStatus = (status: OrderStatus): boolean => !isFinal(status);

/** True when an order came to nothing: its goods are back on the stock. */
export const isCalledOff = (status: OrderStatus): boolean =>
  ORDER_TRANSITIONS.some(({ to, returnsStock }) => to === status && returnsStock);

/** How the orders of a farm can be sorted: by when they were placed, or by their day and time. */
export const RECEIVED_SORTS = ['newest', 'slot'] as const;

export const ORDER_SORTS = ['newest', 'oldest', 'total-desc', 'total-asc'] as const;
export type OrderSort = (typeof ORDER_SORTS)[number];
/** Why a line of an order cannot be had as asked for; the gravest first. */
export const LINE_PROBLEM_CODES = [
  'PRODUCT_UNAVAILABLE',
  'OTHER_FARM',
  'SIZE_REQUIRED',
  'SIZE_UNAVAILABLE',
  'NOT_AVAILABLE_THEN',
  'PRICE_CHANGED',
  'OUT_OF_STOCK',
  'OVER_MAXIMUM',
  'QUANTITY_NOT_OFFERED',
] as const;
export type LineProblemCode = (typeof LINE_PROBLEM_CODES)[number];

/**
 * What became of a line of an order that is ordered again: it can be had as it was; with fewer left; in another
 * quantity, because it is sold in other steps now; at another price, or one by another unit or weight of a piece; or
 * not at all.
 */
export const AGAIN_OUTCOMES = [
  'added',
  'fewer',
  'quantity_changed',
  'price_changed',
  'gone',
] as const;
export type ReorderOutcome = (typeof AGAIN_OUTCOMES)[number];

/** What a farm looks at before it accepts an order: a place that is not its own, or an address that may be too far. */
export const ORDER_CHECKS = ['own_place', 'area'] as const;
export type OrderCheck = (typeof ORDER_CHECKS)[number];

/** The party a signed-in person is to an order: everyone who works for the farm is its farmer. */
export const partyTo = (
  order: { consumerId: string; farmerId: string },
  user: Worker & { id: string; role: Role },
): Party | undefined => {
  if (user.role === 'admin') return 'admin';
  if (user.id === order.consumerId) return 'consumer';
  if (canActFor(user, order.farmerId, 'read')) return 'farmer';
  return undefined;
};

/** What a member of the farm must be allowed to, to give an order this status. */
export const permissionFor = (to: OrderStatus): FarmPermission =>
  to === 'completed' ? 'handOverOrders' : 'answerOrders';

export const ordersApi = {
  place: { method: 'POST', path: '/orders' },
  placed: { method: 'GET', path: '/orders/consumer' },
  received: { method: 'GET', path: '/orders/farmer' },
  farmerStats: { method: 'GET', path: '/orders/stats/farmer' },
  pendingCount: { method: 'GET', path: '/orders/stats/farmer/pending' },
  all: { method: 'GET', path: '/orders' },
  detail: { method: 'GET', path: '/orders/:id' },
  updateStatuses: { method: 'PUT', path: '/orders/status' },
  updateStatus: { method: 'PUT', path: '/orders/:id' },
  again: { method: 'POST', path: '/orders/:id/again' },
} as const satisfies Calls;

const MINUTE_MS = 60_000;
/** However near the handover is, the consumer has this long to answer. */
const SHORTEST_MS = 10 * MINUTE_MS;
/** A proposal is answered this long before the handover at the latest, so that there is time to pack. */
const BEFORE_HANDOVER_MS = 60 * MINUTE_MS;

/**
 * Returns until when a consumer can answer a proposal that is made now: the farm's minutes, an hour before the handover
 * at the latest but ten minutes at least, and never later than the handover. Null where that has begun. Instants are
 * milliseconds since the epoch; `startsAtMs` is null for an order whose handover has no instant.
 */
export function answerByMs(
  startsAtMs: number | null,
  nowMs: number,
  answerMinutes: number,
): number | null {
  const preferredMs = nowMs + answerMinutes * MINUTE_MS;
  const shortestMs = nowMs + SHORTEST_MS;
  if (startsAtMs === null) return Math.max(preferredMs, shortestMs);
  if (startsAtMs <= nowMs) return null;
  const inTimeMs = Math.min(preferredMs, startsAtMs - BEFORE_HANDOVER_MS);
  return Math.min(Math.max(inTimeMs, shortestMs), startsAtMs);
}
