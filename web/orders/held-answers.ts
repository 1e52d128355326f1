import type { QueryClient } from '@tanstack/react-query';
import { atom } from 'jotai';
import { ordersApi, STATUS_BATCH_MAX } from '#contract/constants/orders';
import type { Order, StatusResult } from '#contract/orders';
import { call } from '../lib/api.ts';
import { ApiError } from '../lib/api-error.ts';
import { connectionAtom } from '../lib/connection.ts';
import { readToken } from '../lib/session.ts';
import { store } from '../lib/store.ts';
import { toast, toastError } from '../ui/toast.ts';
import { ordersKeys } from './keys.ts';
import { mergeOrder } from './merge.ts';

/** How long an acceptance can be undone before it is sent. */
export const HOLD_MS = 5_000;
const RETRY_MS = 4_000;

/**
 * Orders accepted together by one press. `held` until it is sent, `unsent` when there was no answer: it
 * is sent again by itself.
 */
export type HeldAnswer = {
  id: number;
  orders: readonly Order[];
  state: 'held' | 'sending' | 'unsent';
};

/** An order that was not accepted, and why. */
export type RefusedAnswer = { order: Order; message: string };

/** What was accepted but is not answered yet, oldest first. */
export const heldAnswersAtom = atom<readonly HeldAnswer[]>([]);
/** The orders that could not be accepted, until they are dismissed. */
export const refusedAnswersAtom = atom<readonly RefusedAnswer[]>([]);

type Sender = { cache: QueryClient; token: string | null; timer: ReturnType<typeof setTimeout> };
const senders = new Map<number, Sender>();
let lastId = 0;
/** How many were accepted since the last toast; there is one toast when all is sent. */
let acceptedCount = 0;

const find = (id: number) => store.get(heldAnswersAtom).find((held) => held.id === id);

function setState(id: number, state: HeldAnswer['state']): void {
  store.set(heldAnswersAtom, (all) =>
    all.map((held) => (held.id === id ? { ...held, state } : held)),
  );
}

function drop(id: number): void {
  clearTimeout(senders.get(id)?.timer);
  senders.delete(id);
  store.set(heldAnswersAtom, (all) => all.filter((held) => held.id !== id));
}

/**
 * Accepts orders: shows them as accepted at once, and sends it after {@link HOLD_MS} unless it is taken
 * back. A page that is hidden or left sends it at once. Sending the same twice is harmless.
 */
export function holdAcceptance(orders: readonly Order[], cache: QueryClient): void {
  const known = heldIds(store.get(heldAnswersAtom));
  const added = orders.filter(({ _id }) => !known.has(_id));
  if (added.length === 0) return;
  const token = readToken();
  for (let start = 0; start < added.length; start += STATUS_BATCH_MAX) {
    const id = ++lastId;
    const part = added.slice(start, start + STATUS_BATCH_MAX);
    senders.set(id, { cache, token, timer: setTimeout(() => void send(id), HOLD_MS) });
    store.set(heldAnswersAtom, (all) => [...all, { id, orders: part, state: 'held' }]);
  }
}

/** Returns the ids of the orders of these answers. */
export function heldIds(answers: readonly HeldAnswer[]): Set<string> {
  return new Set(answers.flatMap(({ orders }) => orders.map(({ _id }) => _id)));
}

/** Takes an acceptance back, if it is not being sent. Returns its orders. */
export function takeBack(id: number): readonly Order[] {
  const held = find(id);
  if (!held || held.state === 'sending') return [];
  drop(id);
  return held.orders;
}

/** Sends everything that is held, without waiting for its time. */
export function sendHeld(): void {
  for (const { id, state } of store.get(heldAnswersAtom)) if (state !== 'sending') void send(id);
}

async function send(id: number): Promise<void> {
  const [held, sender] = [find(id), senders.get(id)];
  if (!held || !sender || held.state === 'sending') return;
  clearTimeout(sender.timer);
  setState(id, 'sending');
  try {
    const { data } = await call(ordersApi.updateStatuses, {
      body: { ids: held.orders.map(({ _id }) => _id), status: 'accepted' },
      token: sender.token,
      keepalive: true,
    });
    drop(id);
    // Somebody else may have signed in meanwhile.
    if (readToken() === sender.token) take(held, data, sender.cache);
  } catch (error) {
    if (error instanceof ApiError && isPassing(error)) {
      sender.timer = setTimeout(() => void send(id), (error.retryAfter ?? 0) * 1000 || RETRY_MS);
      setState(id, 'unsent');
      return;
    }
    drop(id);
    toastError(error);
  }
}

/** No answer, a pause asked for, or a server that is away: worth another try. */
const isPassing = ({ status }: ApiError) => status === 0 || status === 429 || status >= 500;

function take(held: HeldAnswer, results: readonly StatusResult[], cache: QueryClient): void {
  const ordersById = new Map(held.orders.map((order) => [order._id, order]));
  const refused = results.flatMap((result): RefusedAnswer[] => {
    if ('order' in result) {
      mergeOrder(cache, result.order);
      acceptedCount += 1;
      return [];
    }
    const order = ordersById.get(result._id);
    return order ? [{ order, message: result.message }] : [];
  });
  if (refused.length > 0) {
    store.set(refusedAnswersAtom, (all) => [...all, ...refused]);
    void cache.invalidateQueries({ queryKey: ordersKeys.all });
  }
  if (acceptedCount === 0 || store.get(heldAnswersAtom).length > 0) return;
  toast.success(
    acceptedCount === 1
      ? 'Order status updated to accepted'
      : `Order status updated to accepted for ${acceptedCount} orders`,
  );
  acceptedCount = 0;
}

function sendUnsent(): void {
  for (const { id, state } of store.get(heldAnswersAtom)) if (state === 'unsent') void send(id);
}

/**
 * Sends what is held when the page is hidden, closed or left, and what had no answer when the line is
 * back. Asks before a page is closed that cannot send. Returns a function that stops, after sending.
 */
export function watchHeldAnswers(): () => void {
  const onHidden = () => {
    if (document.visibilityState === 'hidden') sendHeld();
  };
  const onClose = (event: BeforeUnloadEvent) => {
    if (store.get(heldAnswersAtom).some(({ state }) => state === 'unsent')) event.preventDefault();
  };
  window.addEventListener('pagehide', sendHeld);
  document.addEventListener('visibilitychange', onHidden);
  window.addEventListener('beforeunload', onClose);
  window.addEventListener('online', sendUnsent);
  const stopConnection = store.sub(connectionAtom, () => {
    if (store.get(connectionAtom).state === 'live') sendUnsent();
  });
  return () => {
    window.removeEventListener('pagehide', sendHeld);
    document.removeEventListener('visibilitychange', onHidden);
    window.removeEventListener('beforeunload', onClose);
    window.removeEventListener('online', sendUnsent);
    stopConnection();
    sendHeld();
  };
}
