import type { QueryClient } from '@tanstack/react-query';
import { atom, useAtomValue } from 'jotai';
import { ordersApi } from '#contract/ordering/orders/constants';
import type { OrderStatus } from '#contract/ordering/orders/order-timeline';
import type { Order, StatusResult, UpdateOrderStatus } from '#contract/ordering/orders/orders';
import type { User } from '#contract/people/users/users';
import { ORDER_STATUSES, STATUS_BATCH_MAX } from '#contract/platform/orders/constants';
import { t } from '#contract/platform/text/constants/texts';
import { call, newId } from '../../../platform/api/api.ts';
import { ApiError } from '../../../platform/api/api-error.ts';
import {
  isBoolean,
  isListOf,
  isNullOr,
  isNumberIn,
  isObjectOf,
  isOneOf,
  isText,
  isUndefinedOr,
} from '../../../platform/api/check.ts';
import { createOutbox } from '../../../platform/offline/outbox.ts';
import { noteOwnChange } from '../../../platform/queries/use-changes.ts';
import { farmIdOf, store, userAtom } from '../../../platform/session/session.ts';
import { toast, toastError } from '../../../platform/ui/feedback/toast.ts';
import { ANSWERS_KEY, type Checked, isListQueued } from '../../model/queued-lists.ts';
import { type AnsweredOrder, noteRefusedList, showAccepted, takeResults } from './answer-toasts.ts';

/** How long an acceptance can be undone before it is sent. */
export const UNDO_MS = 5_000;
const RETRY_DELAY_MS = 4_000;
/** What can be undone in another tab is left to it for so long: it shows there what becomes of it. */
const OTHER_TABS_MS = 3_000;

/**
 * Orders that one press gives a status. `held` while it can be undone and is not sent, `unsent` once there was no
 * answer: it is retried, and stays `unsent` while it is.
 */
const isQueuedAnswer = isObjectOf({
  /** A UUID, by which a repeat is the same command. */
  id: isText,
  /** Who decided it, and the farm they did it for. */
  owner: isText,
  farm: isNullOr(isText),
  orders: isListOf(isObjectOf({ _id: isText, consumer: isObjectOf({ name: isText }) })),
  status: isOneOf(ORDER_STATUSES),
  reason: isUndefinedOr(isText),
  usesEstimates: isUndefinedOr(isBoolean),
  /** The ids of those with something `toCheck`, which somebody looked at and chose. */
  checked: isUndefinedOr(isListOf(isText)),
  state: isOneOf(['held', 'sending', 'unsent']),
  /** It goes with others in one call, as acceptances do that can be undone. */
  isTogether: isBoolean,
  /** A tab sends it, or was closed while it did. */
  isSending: isBoolean,
  /** When it is sent, or again, in milliseconds. */
  sendAt: isNumberIn(0, Number.MAX_SAFE_INTEGER),
});
export type QueuedAnswer = Checked<typeof isQueuedAnswer>;

const isForFarmOf = (user: User | null, { farm }: QueuedAnswer): boolean =>
  farm === (farmIdOf(user) ?? null);

const outbox = createOutbox<QueuedAnswer>({
  key: ANSWERS_KEY,
  isEntry: isQueuedAnswer,
  idOf: ({ id }) => id,
  // Each answer is of other orders.
  laneOf: ({ id }) => id,
  isSendable: (answer, user) => isForFarmOf(user, answer),
  sendAtOf: ({ state, sendAt }, isOwn) =>
    state === 'held' && !isOwn ? sendAt + OTHER_TABS_MS : sendAt,
  whileSending: ({ state }) => ({
    isSending: true,
    ...(state === 'held' ? { state: 'sending' } : {}),
  }),
  whileWaiting: (_, sendAt) => ({ state: 'unsent', isSending: false, sendAt }),
  onResume: ({ state }) => (state === 'unsent' ? { sendAt: 0 } : undefined),
  onSession: dropAnswersOfOtherFarms,
  firstRetryDelayMs: RETRY_DELAY_MS,
  send: async (answer, { cache, token, isSignedIn }) => {
    const results = await request(answer, token);
    if (isSignedIn()) takeResults(answer, results, cache);
    const orders = answer.isTogether ? answer.orders.slice(STATUS_BATCH_MAX) : [];
    if (orders.length > 0) return { orders, sendAt: 0 };
    if (isSignedIn()) showAcceptedAfter(answer);
    return undefined;
  },
  onRefused: (answer, error, { isSignedIn }) => {
    toastError(error);
    if (isSignedIn()) showAcceptedAfter(answer);
    return undefined;
  },
});

/** All that the signed-in person decided and has no answer to yet, oldest first. */
export const storedAnswersAtom = outbox.entriesAtom;

/** What the signed-in person decided for the farm that they work for, or as a customer. */
export const queuedAnswersAtom = atom((get) => {
  const user = get(userAtom);
  return get(storedAnswersAtom).filter(
    (answer) => answer.owner === user?._id && isForFarmOf(user, answer),
  );
});

/** Shows how many orders were accepted once the last answer is sent. */
function showAcceptedAfter({ id }: QueuedAnswer): void {
  if (store.get(queuedAnswersAtom).every((other) => other.id === id)) showAccepted();
}

/** Returns the statuses that these answers give, by the ids of their orders. */
export const queuedStatuses = (answers: readonly QueuedAnswer[]): Map<string, OrderStatus> =>
  new Map(answers.flatMap(({ orders, status }) => orders.map(({ _id }) => [_id, status] as const)));

function add(
  answer: UpdateOrderStatus & Pick<QueuedAnswer, 'state' | 'isTogether'>,
  orders: readonly Order[],
  cache: QueryClient,
  { delayMs, id = newId() }: { delayMs: number; id?: string | undefined },
): void {
  const user = store.get(userAtom);
  if (!user) return;
  const checked = orders.filter(({ toCheck }) => toCheck).map(({ _id }) => _id);
  watchAnswers(cache);
  outbox.add(cache, {
    reason: undefined,
    usesEstimates: undefined,
    ...answer,
    id,
    owner: user._id,
    farm: farmIdOf(user) ?? null,
    orders: orders.map(({ _id, consumer: { name } }) => ({ _id, consumer: { name } })),
    checked: checked.length > 0 ? checked : undefined,
    isSending: false,
    sendAt: Date.now() + delayMs,
  });
}

/**
 * Accepts orders: shows them as accepted at once, and sends it after {@link UNDO_MS} unless it is taken
 * back, however many they are. A page that is hidden or left sends it at once. Sending the same twice is harmless.
 */
export function queueAcceptance(orders: readonly Order[], cache: QueryClient): void {
  const known = queuedStatuses(store.get(queuedAnswersAtom));
  const added = orders.filter(({ _id }) => !known.has(_id));
  if (added.length === 0) return;
  noteOwnChange(added);
  const answer = { status: 'accepted', state: 'held', isTogether: true } as const;
  add(answer, added, cache, { delayMs: UNDO_MS });
}

/**
 * Keeps a status that got no answer, and retries it; the order's screens show it until then. `retryAfter` is the pause
 * in seconds that the server asked for, `id` the key it was sent under.
 */
export function queueAnswer(
  order: Order,
  { status, reason, usesEstimates }: UpdateOrderStatus,
  cache: QueryClient,
  { retryAfter = 0, id }: { retryAfter?: number | undefined; id?: string } = {},
): void {
  const user = store.get(userAtom);
  if (!user) return;
  // It replaces what was decided before and is not being sent.
  outbox.update(user._id, (all) =>
    all
      .map((answer) => {
        const orders = answer.orders.filter((other) => other._id !== order._id);
        const isReplaced = orders.length < answer.orders.length && !answer.isSending;
        return isReplaced ? { ...answer, orders } : answer;
      })
      .filter(({ orders }) => orders.length > 0),
  );
  const delayMs = retryAfter * 1_000 || RETRY_DELAY_MS;
  const answer = { status, reason, usesEstimates, state: 'unsent', isTogether: false } as const;
  add(answer, [order], cache, { delayMs, id });
}

/** Returns the answer to an order that is not sent or not answered yet. */
export function useQueuedAnswer(orderId: string): QueuedAnswer | undefined {
  return useAtomValue(queuedAnswersAtom).find(({ orders }) =>
    orders.some(({ _id }) => _id === orderId),
  );
}

/** Takes an answer back, if no tab is sending it. Returns its orders. */
export function takeBack(id: string): readonly AnsweredOrder[] {
  const answer = storedAnswersAtom.readStored().find((each) => each.id === id);
  if (!answer || answer.isSending) return [];
  outbox.remove(id, answer.owner);
  return answer.orders;
}

/** Sends all answers at once, also those that can be undone or another tab would send: the page may be gone soon. */
export const flushAnswers = (): void => outbox.flush(({ isSending }) => !isSending);

/** The key under which the next part of an answer is sent: another one for each number of orders that are left. */
const keyOf = ({ id, isTogether, orders }: QueuedAnswer): string =>
  isTogether ? id.slice(0, -4) + orders.length.toString(16).padStart(4, '0') : id;

/** Sends the next part and returns what became of each order. Throws `ApiError` when nothing is known of it. */
async function request(answer: QueuedAnswer, token: string): Promise<readonly StatusResult[]> {
  const { orders, status, reason, usesEstimates, isTogether } = answer;
  const options = { token, keepalive: true, idempotencyKey: keyOf(answer), isKept: true };
  const [order] = orders;
  if (isTogether || !order) {
    const ids = orders.slice(0, STATUS_BATCH_MAX).map(({ _id }) => _id);
    const checked = answer.checked?.filter((id) => ids.includes(id));
    const body = { ids, status, reason, ...(checked?.length && { checked }) };
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

/** Sends what is queued, on whatever page, also for a user who signs in later. */
export function watchAnswers(cache: QueryClient): void {
  window.addEventListener('beforeunload', confirmClose);
  outbox.watch(cache);
}

/** Stops what {@link watchAnswers} began, for tests. */
export const stopWatchingAnswers = outbox.stop;

/** Removes what somebody decided for a farm that they no longer work for. */
function dropAnswersOfOtherFarms(user: User): void {
  const dropped = storedAnswersAtom
    .of(user._id)
    .readStored()
    .filter((answer) => !isForFarmOf(user, answer));
  if (dropped.length === 0) return;
  for (const { id, owner } of dropped) outbox.remove(id, owner);
  const count = dropped.reduce((sum, { orders }) => sum + orders.length, 0);
  toast.error(
    t(
      '{count, plural, one {# order} other {# orders}} could not be answered: you no longer work for that farm.',
      { count },
    ),
  );
}

/** Asks before a page is closed that cannot store what it could not send. */
function confirmClose(event: BeforeUnloadEvent): void {
  const isUnsent = store.get(queuedAnswersAtom).some(({ state }) => state === 'unsent');
  if (isUnsent && !isListQueued(ANSWERS_KEY)) event.preventDefault();
}

/**
 * Sends what can still be undone when the page of orders is hidden, closed or left. Returns a function that stops,
 * after sending.
 */
export function flushAnswersWithPage(): () => void {
  const onHidden = () => {
    if (document.visibilityState === 'hidden') flushAnswers();
  };
  noteRefusedList(true);
  window.addEventListener('pagehide', flushAnswers);
  document.addEventListener('visibilitychange', onHidden);
  return () => {
    noteRefusedList(false);
    window.removeEventListener('pagehide', flushAnswers);
    document.removeEventListener('visibilitychange', onHidden);
    flushAnswers();
  };
}
