import type { QueryClient } from '@tanstack/react-query';
import { atom, useAtomValue } from 'jotai';
import { ordersApi, STATUS_BATCH_MAX } from '#contract/constants/orders';
import type { Order, OrderStatus, StatusResult, UpdateOrderStatus } from '#contract/orders';
import { call } from '../lib/api.ts';
import { ApiError } from '../lib/api-error.ts';
import { shortId } from '../lib/format.ts';
import { onReturn } from '../lib/on-return.ts';
import { noteOwnChange } from '../lib/own-changes.ts';
import { readToken } from '../lib/session.ts';
import { store } from '../lib/store.ts';
import { toast, toastError } from '../ui/toast.ts';
import { ordersKeys } from './keys.ts';
import { mergeOrder } from './merge.ts';

/** How long an acceptance can be undone before it is sent. */
export const HOLD_MS = 5_000;
const RETRY_MS = 4_000;
/** Long enough to be read by somebody who has gone on to something else. */
const REFUSAL_TOAST_MS = 10_000;

/**
 * Orders that one press gives a status. `held` until it is sent, `unsent` once there was no answer: it
 * is sent again by itself, and stays `unsent` meanwhile.
 */
export type HeldAnswer = UpdateOrderStatus & {
  id: number;
  orders: readonly Order[];
  state: 'held' | 'sending' | 'unsent';
};

/** An order that was not accepted, and why. */
export type RefusedAnswer = { order: Order; message: string };

/** What was decided but is not answered yet, oldest first. */
export const heldAnswersAtom = atom<readonly HeldAnswer[]>([]);
/** The orders that could not be accepted, until they are dismissed. */
export const refusedAnswersAtom = atom<readonly RefusedAnswer[]>([]);

type Sender = {
  cache: QueryClient;
  token: string | null;
  timer: ReturnType<typeof setTimeout> | undefined;
  isSending: boolean;
};
const senders = new Map<number, Sender>();
let lastId = 0;
/** How many were accepted since the last toast; there is one toast when all is sent. */
let acceptedCount = 0;
let stopWatchingLine: (() => void) | undefined;

const find = (id: number) => store.get(heldAnswersAtom).find((held) => held.id === id);

function add(held: Omit<HeldAnswer, 'id'>, cache: QueryClient, delayMs: number): void {
  const id = ++lastId;
  const timer = setTimeout(() => void send(id), delayMs);
  senders.set(id, { cache, token: readToken(), timer, isSending: false });
  store.set(heldAnswersAtom, (all) => [...all, { ...held, id }]);
  watchLine();
}

function setState(id: number, state: HeldAnswer['state']): void {
  store.set(heldAnswersAtom, (all) =>
    all.map((held) => (held.id === id ? { ...held, state } : held)),
  );
}

function drop(id: number): void {
  clearTimeout(senders.get(id)?.timer);
  senders.delete(id);
  store.set(heldAnswersAtom, (all) => all.filter((held) => held.id !== id));
  watchLine();
}

/**
 * Accepts orders: shows them as accepted at once, and sends it after {@link HOLD_MS} unless it is taken
 * back. A page that is hidden or left sends it at once. Sending the same twice is harmless.
 */
export function holdAcceptance(orders: readonly Order[], cache: QueryClient): void {
  const known = heldStatuses(store.get(heldAnswersAtom));
  const added = orders.filter(({ _id }) => !known.has(_id));
  noteOwnChange(added);
  for (let start = 0; start < added.length; start += STATUS_BATCH_MAX) {
    const part = added.slice(start, start + STATUS_BATCH_MAX);
    add({ orders: part, status: 'accepted', state: 'held' }, cache, HOLD_MS);
  }
}

/**
 * Keeps a status that got no answer, and sends it again when the line is back. The order's screens show
 * it meanwhile. `retryAfter` is the pause in seconds that the server asked for.
 */
export function keepAnswer(
  order: Order,
  answer: UpdateOrderStatus,
  cache: QueryClient,
  retryAfter = 0,
): void {
  for (const { id, orders } of store.get(heldAnswersAtom)) {
    if (orders.some(({ _id }) => _id === order._id)) takeBack(id);
  }
  add({ ...answer, orders: [order], state: 'unsent' }, cache, retryAfter * 1000 || RETRY_MS);
}

/** Returns the statuses that these answers give, by the ids of their orders. */
export function heldStatuses(answers: readonly HeldAnswer[]): Map<string, OrderStatus> {
  return new Map(
    answers.flatMap(({ orders, status }) => orders.map(({ _id }) => [_id, status] as const)),
  );
}

/** Returns the answer to an order that is not sent or not answered yet. */
export function useHeldAnswer(orderId: string): HeldAnswer | undefined {
  return useAtomValue(heldAnswersAtom).find(({ orders }) =>
    orders.some(({ _id }) => _id === orderId),
  );
}

/** Takes an answer back, if it is not being sent. Returns its orders. */
export function takeBack(id: number): readonly Order[] {
  const held = find(id);
  if (!held || senders.get(id)?.isSending) return [];
  drop(id);
  return held.orders;
}

/** Sends everything that is held, without waiting for its time. */
export function sendHeld(): void {
  for (const { id } of store.get(heldAnswersAtom)) void send(id);
}

async function send(id: number): Promise<void> {
  const [held, sender] = [find(id), senders.get(id)];
  if (!held || !sender || sender.isSending) return;
  clearTimeout(sender.timer);
  sender.isSending = true;
  if (held.state === 'held') setState(id, 'sending');
  try {
    const results = await request(held, sender.token);
    drop(id);
    // Somebody else may have signed in meanwhile.
    if (readToken() === sender.token) take(held, results, sender.cache);
  } catch (error) {
    if (error instanceof ApiError && error.isTemporary) {
      sender.isSending = false;
      sender.timer = setTimeout(() => void send(id), (error.retryAfter ?? 0) * 1000 || RETRY_MS);
      setState(id, 'unsent');
      return;
    }
    drop(id);
    toastError(error);
  }
}

/** Sends an answer and returns what became of each order. Throws `ApiError` when nothing is known of it. */
async function request(
  { orders, status, reason, usesEstimates }: HeldAnswer,
  token: string | null,
): Promise<readonly StatusResult[]> {
  const options = { token, keepalive: true };
  const [order] = orders;
  // Only acceptances are sent together; and a buyer may not call for several.
  if (status === 'accepted' || !order) {
    const body = { ids: orders.map(({ _id }) => _id), status, reason };
    return (await call(ordersApi.updateStatuses, { body, ...options })).data;
  }
  try {
    const params = { id: order._id };
    const body = { status, reason, usesEstimates };
    const { data } = await call(ordersApi.updateStatus, { params, body, ...options });
    return [{ _id: order._id, order: data }];
  } catch (error) {
    const isRefused = error instanceof ApiError && [403, 404, 409].includes(error.status);
    if (!isRefused) throw error;
    return [{ _id: order._id, code: error.code, message: error.message }];
  }
}

function take(held: HeldAnswer, results: readonly StatusResult[], cache: QueryClient): void {
  const ordersById = new Map(held.orders.map((order) => [order._id, order]));
  let changedCount = 0;
  const refused = results.flatMap((result): RefusedAnswer[] => {
    if ('order' in result) {
      mergeOrder(cache, result.order);
      changedCount += 1;
      return [];
    }
    const order = ordersById.get(result._id);
    return order ? [{ order, message: result.message }] : [];
  });
  if (refused.length > 0) {
    if (held.status === 'accepted') store.set(refusedAnswersAtom, (all) => [...all, ...refused]);
    else for (const { order, message } of refused) toastRefusal(order, held.status, message);
    void cache.invalidateQueries({ queryKey: ordersKeys.all });
  }
  if (held.status === 'accepted') acceptedCount += changedCount;
  else if (changedCount > 0) toast.success(`Order status updated to ${held.status}`);
  if (acceptedCount === 0 || store.get(heldAnswersAtom).length > 0) return;
  toast.success(
    acceptedCount === 1
      ? 'Order status updated to accepted'
      : `Order status updated to accepted for ${acceptedCount} orders`,
  );
  acceptedCount = 0;
}

/** Whoever rejected or cancelled may be on any page by now. */
function toastRefusal({ _id }: Order, status: OrderStatus, message: string): void {
  const duration = REFUSAL_TOAST_MS;
  toast.error(`Order #${shortId(_id)} could not be ${status}. ${message}`, { duration });
}

function sendUnsent(): void {
  for (const { id, state } of store.get(heldAnswersAtom)) if (state === 'unsent') void send(id);
}

function confirmClose(event: BeforeUnloadEvent): void {
  if (store.get(heldAnswersAtom).some(({ state }) => state === 'unsent')) event.preventDefault();
}

/**
 * While something is not answered, on whatever page: sends it when the line is back, and asks before a
 * page is closed that cannot send.
 */
function watchLine(): void {
  const isNeeded = store.get(heldAnswersAtom).length > 0;
  if (isNeeded === (stopWatchingLine !== undefined)) return;
  stopWatchingLine?.();
  stopWatchingLine = undefined;
  if (!isNeeded) return;
  const stopReturn = onReturn(sendUnsent);
  window.addEventListener('beforeunload', confirmClose);
  stopWatchingLine = () => {
    stopReturn();
    window.removeEventListener('beforeunload', confirmClose);
  };
}

/**
 * Sends what is held when the page is hidden, closed or left. Returns a function that stops, after
 * sending.
 */
export function watchHeldAnswers(): () => void {
  const onHidden = () => {
    if (document.visibilityState === 'hidden') sendHeld();
  };
  window.addEventListener('pagehide', sendHeld);
  document.addEventListener('visibilitychange', onHidden);
  return () => {
    window.removeEventListener('pagehide', sendHeld);
    document.removeEventListener('visibilitychange', onHidden);
    sendHeld();
  };
}
