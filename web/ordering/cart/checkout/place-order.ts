import { useMutation } from '@tanstack/react-query';
import { useAtomValue } from 'jotai';
import { useEffect, useEffectEvent } from 'react';
import { LINE_PROBLEM_CODES, ordersApi } from '#contract/ordering/orders/constants';
import type { Order, PlaceOrder } from '#contract/ordering/orders/orders';
import type { Failure, LineProblem } from '#contract/platform/http/http';
import { call } from '../../../platform/api/api.ts';
import { ApiError, SESSION_ENDED } from '../../../platform/api/api-error.ts';
import { connectionAtom, isUpToDate } from '../../../platform/api/connection.ts';
import { retryDelay, shouldRetry } from '../../../platform/queries/query-client.ts';
import { inOneTab } from '../../../platform/session/in-one-tab.ts';
import { ownedKey, readOwner } from '../../../platform/session/owned.ts';
import { store } from '../../../platform/session/session.ts';
import { toastError } from '../../../platform/ui/feedback/toast.ts';
import { withoutOrdered } from '../change-lines.ts';
import { cartAtom } from '../rules.ts';
import {
  type Attempt,
  arrivedOrderAtom,
  attemptOf,
  isAttemptedBy,
  noteOrder,
  noteRefusal,
  noteSent,
  readAttempt,
} from './attempt.ts';

/** The error codes of refusals because products changed since the cart was filled. */
const OUTDATED_CART_CODES: readonly string[] = LINE_PROBLEM_CODES;
/**
 * How long another tab is waited for, in milliseconds: a call has an answer by then, and a frozen tab never lets go.
 */
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

/** An order to place: whose, what the consumer said, and what was made of it. */
type Placing = { owner: string; said: unknown; order: PlaceOrder };

/**
 * What became of a press: the order, or its id where another tab has it, and whether it is as the consumer said here.
 */
type Placed = { order?: Order; orderId: string; isAsSaid: boolean };

/**
 * Places the order of a cart. However often and from how many tabs it is pressed, and whatever is said: while one press
 * has no answer the others wait for it, and then show its order. Temporary failures are retried.
 */
export function usePlaceOrder() {
  return useMutation({
    mutationFn: placeOnceInOneTab,
    // Without a network there is nothing to wait for: the consumer gets the error at once.
    retry: (failures, error) => navigator.onLine && shouldRetry(failures, error),
    retryDelay,
    onError: (error) => {
      // The checkout itself says so, and repeats the order.
      if (!isUnanswered(error)) toastError(error);
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
function settleArrived(key: string, orderId: string): void {
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

/**
 * Calls `send` with what got no answer when the network or the live connection is back. `held.at` says since when it
 * waits, in milliseconds.
 */
export function useWhenOnline<Held extends { at: number }>(
  held: Held | null,
  send: (held: Held) => unknown,
): void {
  const connection = useAtomValue(connectionAtom);
  const sendNow = useEffectEvent(send);
  useEffect(() => {
    if (!held) return;
    const onOnline = () => sendNow(held);
    // A connection that was live all along says nothing: the order got no answer over the same connection.
    if (isUpToDate(connection) && connection.since > held.at) onOnline();
    window.addEventListener('online', onOnline);
    return () => window.removeEventListener('online', onOnline);
  }, [held, connection]);
}

/**
 * Calls `finish` once with the order that is being placed, where it came live and its answer did not, in whatever tab
 * it was sent.
 */
export function useArrivedOrder(isSending: boolean, finish: (order: Order) => void): void {
  const arrived = useAtomValue(arrivedOrderAtom);
  const finishNow = useEffectEvent(finish);
  useEffect(() => {
    // While the request is under way its answer may yet come.
    if (isSending || !arrived || !isAttemptedBy(arrived.key)) return;
    settleArrived(arrived.key, arrived.order._id);
    finishNow(arrived.order);
  }, [isSending, arrived]);
}

/**
 * Calls `send` with what waits for the consumer to verify their email, as soon as they did: here, in another tab or on
 * another device.
 */
export function useOnceVerified<Waiting>(
  waiting: Waiting | null,
  isVerified: boolean,
  send: (waiting: Waiting) => unknown,
): void {
  const sendNow = useEffectEvent(send);
  useEffect(() => {
    if (waiting !== null && isVerified) sendNow(waiting);
  }, [waiting, isVerified]);
}
