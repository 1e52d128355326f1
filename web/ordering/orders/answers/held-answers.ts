import type { QueryClient } from '@tanstack/react-query';
import { useAtomValue } from 'jotai';
import { STATUS_BATCH_MAX } from '#contract/ordering/orders/constants/order-limits';
import { ordersApi } from '#contract/ordering/orders/constants/orders';
import type { Order, StatusResult, UpdateOrderStatus } from '#contract/ordering/orders/orders';
import type { User } from '#contract/people/users/users';
import { call } from '../../../platform/api/api.ts';
import { ApiError } from '../../../platform/api/api-error.ts';
import { newId } from '../../../platform/api/new-id.ts';
import { plural } from '../../../platform/format/format.ts';
import { onReturn } from '../../../platform/hooks/on-return.ts';
import { noteOwnChange } from '../../../platform/queries/own-changes.ts';
import { userAtom } from '../../../platform/session/atoms.ts';
import { farmIdOf } from '../../../platform/session/farm-work.ts';
import { inOneTab } from '../../../platform/session/in-one-tab.ts';
import { readToken, tokenAtom } from '../../../platform/session/session.ts';
import { store } from '../../../platform/session/store.ts';
import { toast, toastError } from '../../../platform/ui/feedback/toast.ts';
import { isListKept } from '../../model/is-list-kept.ts';
import { noteRefusedList, showAccepted, takeResults } from './answer-toasts.ts';
import {
  answersOf,
  changeAnswer,
  type HeldAnswer,
  type HeldOrder,
  heldAnswersAtom,
  heldStatuses,
  keptAnswersAtom,
  updateAnswers,
} from './kept-answers.ts';
import { KEPT_ANSWERS_KEY } from './kept-answers-key.ts';

/** How long an acceptance can be undone before it is sent. */
export const HOLD_MS = 5_000;
const RETRY_MS = 4_000;
/** What another tab holds is left to it for so long: it notifies whoever decided it there. */
const OTHER_TABS_MS = 3_000;

/** Whoever is signed in, as far as this module has seen. */
type Session = { token: string; user: User };
type Watch = { cache: QueryClient; stop: () => void };

let watch: Watch | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;
let isRunning = false;
/** What was decided in this tab. */
const own = new Set<string>();
/** What this tab is sending. */
const sending = new Set<string>();

const readSession = (): Session | null => {
  const [token, user] = [readToken(), store.get(userAtom)];
  return token !== null && user ? { token, user } : null;
};
const keptOf = (session: Session | null) =>
  session ? answersOf(keptAnswersAtom.of(session.user._id).readStored(), session.user) : [];

function add(
  answer: Pick<HeldAnswer, 'status' | 'reason' | 'usesEstimates' | 'state' | 'isTogether'>,
  orders: readonly Order[],
  { delayMs, id = newId() }: { delayMs: number; id?: string | undefined },
): void {
  const user = store.get(userAtom);
  if (!user) return;
  const { status, reason, usesEstimates, state, isTogether } = answer;
  const held: HeldAnswer = {
    ...{ id, status, reason, usesEstimates, state, isTogether },
    owner: user._id,
    farm: farmIdOf(user) ?? null,
    orders: orders.map(({ _id, consumer: { name } }) => ({ _id, consumer: { name } })),
    isSending: false,
    sendAt: Date.now() + delayMs,
  };
  own.add(id);
  updateAnswers(user._id, (all) => [...all, held]);
}

/**
 * Accepts orders: shows them as accepted at once, and sends it after {@link HOLD_MS} unless it is taken
 * back, however many they are. A page that is hidden or left sends it at once. Sending the same twice is harmless.
 */
export function holdAcceptance(orders: readonly Order[], cache: QueryClient): void {
  const known = heldStatuses(store.get(heldAnswersAtom));
  const added = orders.filter(({ _id }) => !known.has(_id));
  if (added.length === 0) return;
  noteOwnChange(added);
  watchAnswers(cache);
  add({ status: 'accepted', state: 'held', isTogether: true }, added, { delayMs: HOLD_MS });
}

/**
 * Keeps a status that got no answer, and sends it again when the connection is back. The order's screens show
 * it meanwhile. `retryAfter` is the pause in seconds that the server asked for, `id` the key it was sent under.
 */
export function keepAnswer(
  order: Order,
  { status, reason, usesEstimates }: UpdateOrderStatus,
  cache: QueryClient,
  { retryAfter = 0, id }: { retryAfter?: number | undefined; id?: string } = {},
): void {
  watchAnswers(cache);
  for (const held of keptOf(readSession())) {
    const orders = held.orders.filter(({ _id }) => _id !== order._id);
    if (orders.length < held.orders.length && !held.isSending) changeAnswer(held, { orders });
  }
  const delayMs = retryAfter * 1000 || RETRY_MS;
  const answer = { status, reason, usesEstimates, state: 'unsent', isTogether: false } as const;
  add(answer, [order], { delayMs, id });
}

/** Returns the answer to an order that is not sent or not answered yet. */
export function useHeldAnswer(orderId: string): HeldAnswer | undefined {
  return useAtomValue(heldAnswersAtom).find(({ orders }) =>
    orders.some(({ _id }) => _id === orderId),
  );
}

/** Takes an answer back, if no tab is sending it. Returns its orders. */
export function takeBack(id: string): readonly HeldOrder[] {
  const held = keptAnswersAtom.readStored().find((each) => each.id === id);
  if (!held || held.isSending) return [];
  changeAnswer(held, { orders: [] });
  return held.orders;
}

/** Sends everything that is held, without waiting for its time or for other tabs: the page may be gone in a moment. */
export function sendNow(): void {
  const session = readSession();
  if (!session) return;
  for (const held of keptOf(session)) if (!held.isSending) void send(held, session);
}

/** When this tab sends an answer. */
const dueAt = ({ id, state, sendAt }: HeldAnswer): number =>
  state === 'held' && !own.has(id) ? sendAt + OTHER_TABS_MS : sendAt;

/** Sends each answer when its time has come. */
function schedule(): void {
  clearTimeout(timer);
  const waiting = keptOf(readSession()).filter(({ id }) => !sending.has(id));
  if (waiting.length === 0) return;
  const delayMs = Math.min(...waiting.map(dueAt)) - Date.now();
  timer = setTimeout(sendDue, Math.max(0, delayMs));
}

/** Sends what is due. One tab at a time does it, and looks at what is left by then. */
function sendDue(): void {
  if (isRunning) return;
  isRunning = true;
  void inOneTab(KEPT_ANSWERS_KEY, async () => {
    const session = readSession();
    if (!session) return;
    const due = keptOf(session).filter((held) => dueAt(held) <= Date.now());
    await Promise.all(due.map((held) => send(held, session)));
  }).finally(() => {
    isRunning = false;
    schedule();
  });
}

/** Sends an answer, in parts if it is of more orders than one call takes, and leaves what found no answer. */
async function send({ id, owner }: HeldAnswer, { token, user }: Session): Promise<void> {
  const held = keptAnswersAtom
    .of(owner)
    .readStored()
    .find((each) => each.id === id);
  if (!held || sending.has(id)) return;
  sending.add(id);
  changeAnswer(held, { isSending: true, ...(held.state === 'held' ? { state: 'sending' } : {}) });
  // Somebody else may have signed in meanwhile.
  const isSignedIn = () => store.get(userAtom)?._id === user._id && readToken() !== null;
  try {
    for (let left = held; left.orders.length > 0; ) {
      const results = await request(left, token);
      left = { ...left, orders: left.orders.slice(STATUS_BATCH_MAX) };
      changeAnswer(held, { orders: left.orders });
      if (watch && isSignedIn()) takeResults(held, results, watch.cache);
    }
  } catch (error) {
    const isOver = error instanceof ApiError && error.status === 401;
    if (error instanceof ApiError && (error.isTemporary || isOver)) {
      const sendAt = Date.now() + ((error.retryAfter ?? 0) * 1000 || RETRY_MS);
      changeAnswer(held, { state: 'unsent', isSending: false, sendAt });
    } else {
      changeAnswer(held, { orders: [] });
      toastError(error);
    }
  } finally {
    sending.delete(id);
    schedule();
  }
  if (isSignedIn() && store.get(heldAnswersAtom).length === 0) showAccepted();
}

/** The key under which the next part of an answer is sent: another one for each number of orders that are left. */
const keyOf = ({ id, isTogether, orders }: HeldAnswer): string =>
  isTogether ? id.slice(0, -4) + orders.length.toString(16).padStart(4, '0') : id;

/** Sends the next part and returns what became of each order. Throws `ApiError` when nothing is known of it. */
async function request(held: HeldAnswer, token: string): Promise<readonly StatusResult[]> {
  const { orders, status, reason, usesEstimates, isTogether } = held;
  const options = { token, keepalive: true, idempotencyKey: keyOf(held), isKept: true };
  const [order] = orders;
  if (isTogether || !order) {
    const ids = orders.slice(0, STATUS_BATCH_MAX).map(({ _id }) => _id);
    return (await call(ordersApi.updateStatuses, { body: { ids, status, reason }, ...options }))
      .data;
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

/**
 * Sends what is kept when its time has come or the connection is back, on whatever page; what an earlier visit left, at
 * once. Once is enough: whoever signs in later is served too. What somebody who signs out has decided waits for them.
 */
export function watchAnswers(cache: QueryClient): void {
  if (watch) return;
  const stops = [
    store.sub(keptAnswersAtom, schedule),
    store.sub(tokenAtom, followSession),
    store.sub(userAtom, followSession),
    onReturn(sendUnsent),
  ];
  window.addEventListener('beforeunload', confirmClose);
  const stop = () => {
    for (const end of stops) end();
    window.removeEventListener('beforeunload', confirmClose);
    clearTimeout(timer);
    own.clear();
    watch = undefined;
  };
  watch = { cache, stop };
  followSession();
}

/** Stops what {@link watchAnswers} began, for tests. */
export const stopWatchingAnswers = (): void => watch?.stop();

function followSession(): void {
  const session = readSession();
  if (session) dropAnswersOfOtherFarms(session);
  schedule();
}

/** Gives up what somebody decided for a farm that they no longer work for. */
function dropAnswersOfOtherFarms({ user }: Session): void {
  const kept = keptAnswersAtom.of(user._id).readStored();
  const mine = answersOf(kept, user);
  const dropped = kept.filter((held) => !mine.includes(held));
  if (dropped.length === 0) return;
  updateAnswers(user._id, (all) => all.filter(({ id }) => !dropped.some((held) => held.id === id)));
  const count = dropped.reduce((sum, { orders }) => sum + orders.length, 0);
  toast.error(`${plural(count, 'order')} could not be answered: you no longer work for that farm.`);
}

function sendUnsent(): void {
  const now = Date.now();
  const session = readSession();
  if (!session) return;
  const ids = keptOf(session).flatMap(({ id, state }) => (state === 'unsent' ? id : []));
  if (ids.length === 0) return;
  updateAnswers(session.user._id, (all) =>
    all.map((held) => (ids.includes(held.id) ? { ...held, sendAt: now } : held)),
  );
}

/** Asks before a page is closed that cannot keep what it could not send. */
function confirmClose(event: BeforeUnloadEvent): void {
  const isUnsent = keptOf(readSession()).some(({ state }) => state === 'unsent');
  if (isUnsent && !isListKept(KEPT_ANSWERS_KEY)) event.preventDefault();
}

/**
 * Sends what is held when the page is hidden, closed or left. Returns a function that stops, after
 * sending.
 */
export function watchHeldAnswers(): () => void {
  const onHidden = () => {
    if (document.visibilityState === 'hidden') sendNow();
  };
  noteRefusedList(true);
  window.addEventListener('pagehide', sendNow);
  document.addEventListener('visibilitychange', onHidden);
  return () => {
    noteRefusedList(false);
    window.removeEventListener('pagehide', sendNow);
    document.removeEventListener('visibilitychange', onHidden);
    sendNow();
  };
}
