// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { store, tokenAtom, userAtom } from '../../../platform/session/session.ts';
import {
  aToken,
  aUser,
  type Reply,
  refusal,
  stubNetwork,
} from '../../../platform/testing/network.ts';
import { anOrder } from '../../../platform/testing/orders.ts';
import { toast } from '../../../platform/ui/feedback/toast.ts';
import { accepts, idsOf, queued } from '../testing/answers.ts';
import { refusedAnswersAtom } from './answer-toasts.ts';
import {
  flushAnswersWithPage,
  queueAcceptance,
  queueAnswer,
  stopWatchingAnswers,
  storedAnswersAtom,
  takeBack,
  UNDO_MS,
} from './queued-answers.ts';

const cache = new QueryClient();
const farmer = aUser('farmer', 'Finn Grower');

beforeEach(() => {
  vi.useFakeTimers();
  // Locks are granted by no timer, so that fake ones would not wait for them.
  vi.stubGlobal('navigator', { onLine: true, locks: undefined });
  store.set(tokenAtom, aToken);
  store.set(userAtom, farmer);
});
afterEach(() => {
  stopWatchingAnswers();
  store.set(storedAnswersAtom, []);
  store.set(refusedAnswersAtom, []);
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

it('sends an acceptance after a pause, once', async () => {
  const calls = stubNetwork({ 'PUT /orders/status': accepts() });
  queueAcceptance([anOrder(1), anOrder(2)], cache);
  queueAcceptance([anOrder(2)], cache);
  await vi.advanceTimersByTimeAsync(UNDO_MS - 1);
  expect(calls).toEqual([]);
  await vi.advanceTimersByTimeAsync(UNDO_MS);
  expect(calls.map(idsOf)).toEqual([[anOrder(1)._id, anOrder(2)._id]]);
  expect(queued()).toEqual([]);
});

it('sends nothing of what was taken back', async () => {
  const calls = stubNetwork({ 'PUT /orders/status': accepts() });
  queueAcceptance([anOrder(1)], cache);
  queueAcceptance([anOrder(2)], cache);
  expect(takeBack(queued()[1]?.id ?? '').map(({ _id }) => _id)).toEqual([anOrder(2)._id]);
  await vi.advanceTimersByTimeAsync(UNDO_MS * 2);
  expect(calls.map(idsOf)).toEqual([[anOrder(1)._id]]);
});

it('sends at once when the page is hidden or left, and never twice', async () => {
  const calls = stubNetwork({ 'PUT /orders/status': accepts() });
  const stop = flushAnswersWithPage();
  queueAcceptance([anOrder(1)], cache);
  window.dispatchEvent(new Event('pagehide'));
  window.dispatchEvent(new Event('pagehide'));
  expect(calls).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(0);
  queueAcceptance([anOrder(2)], cache);
  stop();
  await vi.advanceTimersByTimeAsync(UNDO_MS * 2);
  expect(calls.map(idsOf)).toEqual([[anOrder(1)._id], [anOrder(2)._id]]);
});

it('shows each order that could not be accepted', async () => {
  stubNetwork({ 'PUT /orders/status': accepts([anOrder(2)]) });
  queueAcceptance([anOrder(1), anOrder(2)], cache);
  await vi.advanceTimersByTimeAsync(UNDO_MS);
  expect(store.get(refusedAnswersAtom).map(({ order, message }) => [order._id, message])).toEqual([
    [anOrder(2)._id, 'This order is cancelled.'],
  ]);
});

describe('an answer that was kept because there was none', () => {
  const order = anOrder(1);
  const path = `/orders/${order._id}`;
  const rejected: Reply = {
    status: 200,
    body: { success: true, data: { ...order, status: 'rejected', version: 2 } },
  };

  it('is sent with its reason when the connection is back, on any page', async () => {
    const calls = stubNetwork({ [`PUT ${path}`]: rejected });
    queueAnswer(order, { status: 'rejected', reason: 'Hail' }, cache);
    expect(queued()).toMatchObject([{ status: 'rejected', state: 'unsent' }]);
    window.dispatchEvent(new Event('online'));
    window.dispatchEvent(new Event('online'));
    await vi.waitFor(() => expect(queued()).toEqual([]));
    expect(calls).toMatchObject([
      { method: 'PUT', path, body: { status: 'rejected', reason: 'Hail' }, token: aToken },
    ]);
  });

  it('is repeated until there is an answer, after the pause that the server asks for', async () => {
    const replies: Reply[] = ['no answer', refusal(503, 'Closed for a moment.'), rejected];
    const calls = stubNetwork({ [`PUT ${path}`]: () => replies.shift() ?? 'no answer' });
    queueAnswer(order, { status: 'rejected' }, cache, { retryAfter: 20 });
    await vi.advanceTimersByTimeAsync(19_999);
    expect(calls).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(queued()[0]?.state).toBe('unsent');
    await vi.advanceTimersByTimeAsync(60_000);
    expect(calls).toHaveLength(3);
    expect(queued()).toEqual([]);
  });

  it('is not sent once it is taken back, or replaced by another', async () => {
    const calls = stubNetwork({ [`PUT ${path}`]: rejected, 'PUT /orders/status': accepts() });
    queueAnswer(order, { status: 'rejected' }, cache);
    queueAnswer(order, { status: 'accepted' }, cache);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(calls.map(({ body }) => (body as { status: string }).status)).toEqual(['accepted']);
    queueAnswer(order, { status: 'rejected' }, cache);
    takeBack(queued()[0]?.id ?? '');
    await vi.advanceTimersByTimeAsync(60_000);
    expect(calls).toHaveLength(1);
  });

  it('ends with a message when the order has changed meanwhile', async () => {
    stubNetwork({ [`PUT ${path}`]: refusal(409, 'This order is cancelled.') });
    const error = vi.spyOn(toast, 'error');
    queueAnswer(order, { status: 'rejected' }, cache);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(error.mock.calls.map(([message]) => message)).toEqual([
      'Order #abcdef01 could not be rejected. This order is cancelled.',
    ]);
    expect(queued()).toEqual([]);
  });
});
