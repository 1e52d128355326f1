import { useMutation } from '@tanstack/react-query';
import { LINE_PROBLEM_CODES, ordersApi } from '#contract/ordering/orders/constants';
import type { Order, PlaceOrder } from '#contract/ordering/orders/orders';
import type { Failure, LineProblem } from '#contract/platform/http/http';
import { call } from '../../../platform/api/api.ts';
import { ApiError, SESSION_ENDED } from '../../../platform/api/api-error.ts';
import { retryDelay, shouldRetry } from '../../../platform/queries/query-client.ts';
import { inOneTab } from '../../../platform/session/in-one-tab.ts';
import { ownedKey, readOwner } from '../../../platform/session/owned.ts';
import { store } from '../../../platform/session/store.ts';
import { toastError } from '../../../platform/ui/feedback/toast.ts';
import { cartAtom } from '../atoms.ts';
import { withoutOrdered } from '../rules.ts';
import {
  type Attempt,
  attemptOf,
  noteOrder,
  noteRefusal,
  noteSent,
  readAttempt,
} from './attempt.ts';

/** The error codes of refusals because products changed since the cart was filled. */
const OUTDATED_CART_CODES: readonly string[] = LINE_PROBLEM_CODES;
/** How long another tab is waited for, in milliseconds: a call has an answer by then, and a frozen tab never lets go. */
const OTHER_TAB_MAX_MS = 31_000;

/**
 * Returns whether an order was refused because products changed. One that is just too late for a product is
 * shown in the form, where the day is chosen.
 */
export function isCartOutdated(error: unknown): error is ApiError {
  if (!(error instanceof ApiError) || !OUTDATED_CART_CODES.includes(error.code)) return false;
  return (
    error.code !== 'NOT_AVAILABLE_THEN' ||
    problemsOf(error).some(({ code }) => code !== 'NOT_AVAILABLE_THEN')
  );
}

/** Returns the problems of the lines of a refused order. */
export function problemsOf(error: ApiError): readonly LineProblem[] {
  return (error.details as Partial<Failure> | undefined)?.problems ?? [];
}

/** Returns whether an order got no answer: it may be placed or not, and is safe to repeat. */
export const isUnanswered = (error: unknown): boolean =>
  error instanceof ApiError && error.isOffline;

/** Returns whether an order was refused because the market takes those of verified emails only. */
export const isUnverified = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'EMAIL_NOT_VERIFIED';

/** Returns whether an order of the cart was placed before, with other words. */
const isPlacedBefore = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'IDEMPOTENCY_KEY_REUSED';

/** An order to place: whose, what the buyer said, and what was made of it. */
type Placing = { owner: string; said: unknown; order: PlaceOrder };

/** What became of a press: the order, or its id where another tab has it, and whether it is as the buyer said here. */
export type Placed = { order?: Order; orderId: string; isAsSaid: boolean };

/**
 * Places the order of a cart. However often and from how many tabs it is pressed, and whatever is said: while one press
 * has no answer the others wait for it, and then show its order. Temporary failures are retried.
 */
export function usePlaceOrder() {
  return useMutation({
    mutationFn: placeOnceInOneTab,
    // Without a network there is nothing to wait for: the buyer gets the error at once.
    retry: (failures, error) => navigator.onLine && shouldRetry(failures, error),
    retryDelay,
    onError: (error) => {
      // The checkout itself says so, and repeats the order.
      if (!isUnanswered(error) && !isUnverified(error)) toastError(error);
    },
  });
}

/** Places the order once no other tab is about to. @throws ApiError a refusal, or no answer */
export function placeOnceInOneTab(placing: Placing): Promise<Placed> {
  const { owner, order } = placing;
  const pressed = attemptOf(owner, order.farmer);
  return inOneTab(
    ownedKey(owner, 'order-attempt'),
    () => placeOnce(placing, pressed),
    OTHER_TAB_MAX_MS,
  );
}

async function placeOnce({ owner, said, order }: Placing, pressed: Attempt): Promise<Placed> {
  const attempt = attemptOf(owner, order.farmer);
  const { placed } = attempt;
  // Another tab has had the answer in between.
  if (placed && placed.key === pressed.key) return { orderId: placed.orderId, isAsSaid: false };
  const body = noteSent(owner, attempt, said, order);
  try {
    return { ...(await send(owner, attempt, body)), isAsSaid: true };
  } catch (error) {
    if (!isPlacedBefore(error)) {
      noteOutcome(owner, attempt, error);
      throw error;
    }
    return { ...(await findPlaced(owner, attempt, error)), isAsSaid: false };
  }
}

/** Sends one order under the key of its cart, and takes what it has out of the cart. */
async function send(owner: string, attempt: Attempt, body: PlaceOrder) {
  // A repeat must not go out for somebody who has signed in since.
  if (readOwner() !== owner) throw new ApiError('', { status: 401, code: SESSION_ENDED });
  const { data } = await call(ordersApi.place, { body, idempotencyKey: attempt.key });
  settleOrder(owner, attempt, data._id, body);
  return { order: data, orderId: data._id };
}

/** Notes that the cart is an order: only what is not in it stays in the cart. */
function settleOrder(owner: string, attempt: Attempt, orderId: string, { items }: PlaceOrder) {
  noteOrder(owner, attempt, orderId);
  const cart = cartAtom.of(owner);
  store.set(cart, withoutOrdered(cart.readStored(), items));
}

/** Settles the order of the signed-in person's cart that came live under this key, where its answer did not. */
export function settleArrived(key: string, orderId: string): void {
  const owner = readOwner();
  const attempt = readAttempt(owner);
  const sent = attempt?.sent.at(-1);
  if (attempt?.key === key && sent) settleOrder(owner, attempt, orderId, JSON.parse(sent.order));
}

/** Finds the order that was placed under the key with other words, by saying them again. */
async function findPlaced(owner: string, attempt: Attempt, refusal: unknown) {
  for (const { order } of attempt.sent.toReversed()) {
    try {
      return await send(owner, attempt, JSON.parse(order) as PlaceOrder);
    } catch (error) {
      if (!isPlacedBefore(error)) throw error;
    }
  }
  throw refusal;
}

/** A refusal frees the cart. Without an answer, and where nobody has looked at the key, its fate is still open. */
function noteOutcome(owner: string, { key }: Attempt, error: unknown): void {
  const isOpen = !(error instanceof ApiError) || error.isTemporary || error.status === 401;
  if (!isOpen) noteRefusal(owner, key);
}
