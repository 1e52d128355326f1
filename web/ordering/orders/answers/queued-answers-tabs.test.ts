// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Order } from '#contract/ordering/orders/orders';
import { ownedKey } from '../../../platform/session/owned.ts';
import { store, tokenAtom, userAtom } from '../../../platform/session/session.ts';
import {
  aToken,
  aUser,
  type Call,
  type Reply,
  stubNetwork,
} from '../../../platform/testing/network.ts';
import { anOrder } from '../../../platform/testing/orders.ts';
import { toast } from '../../../platform/ui/feedback/toast.ts';
import { ANSWERS_KEY } from '../../model/queued-lists.ts';
import { accepts, idsOf, queued } from '../testing/answers.ts';
import { noteRefusedList, refusedAnswersAtom } from './answer-toasts.ts';
import {
  queueAcceptance,
  queueAnswer,
  stopWatchingAnswers,
  storedAnswersAtom,
  takeBack,
  UNDO_MS,
  watchAnswers,
} from './queued-answers.ts';

const cache = new QueryClient();
const farmer = aUser('farmer', 'Finn Grower');
const PATH = 'PUT /orders/status';
const KEY = ownedKey(farmer._id, ANSWERS_KEY);
const HOUR_MS = 3_600_000;

const keysOf = (calls: readonly Call[]) => calls.map(({ key }) => key);
const many = (count: number): Order[] =>
  Array.from({ length: count }, (_, index) => ({
    ...anOrder(1),
    _id: `abcdef01-0000-4000-8000-${String(index).padStart(12, '0')}`,
  }));
/** Leaves an acceptance as a page that is closed while nothing can be sent does. */
function closeWith(orders: readonly Order[]): void {
  queueAcceptance(orders, cache);
  stopWatchingAnswers();
}

function signIn(user: typeof farmer | null): void {
  store.set(userAtom, user);
  store.set(tokenAtom, user && aToken);
}

/** Locks as the tabs of one browser share them. */
function stubLocks(): void {
  let last: Promise<unknown> = Promise.resolve();
  const request = (_: string, run: () => Promise<void>) => {
    last = last.then(run);
    return last;
  };
  vi.stubGlobal('navigator', { onLine: true, locks: { request } });
}

/** Opens a second tab: the same storage, but a state of its own. */
async function openTab() {
  vi.resetModules();
  const [{ store: itsStore }, answers, { userAtom: itsUser }, { tokenAtom: itsToken }] =
    await Promise.all([
      import('../../../platform/session/session.ts'),
      import('./queued-answers.ts'),
      import('../../../platform/session/session.ts'),
      import('../../../platform/session/session.ts'),
    ]);
  itsStore.set(itsToken, aToken);
  itsStore.set(itsUser, farmer);
  return { ...answers, queued: () => itsStore.get(answers.queuedAnswersAtom) };
}
/** Dispatches the event by which browsers notify other tabs of what is stored. */
const dispatchStorageEvent = () =>
  window.dispatchEvent(
    new StorageEvent('storage', {
      key: KEY,
      newValue: localStorage.getItem(KEY),
      storageArea: localStorage,
    }),
  );

beforeEach(() => {
  vi.useFakeTimers();
  stubLocks();
  localStorage.clear();
  signIn(farmer);
});
afterEach(() => {
  stopWatchingAnswers();
  noteRefusedList(false);
  store.set(storedAnswersAtom, []);
  store.set(refusedAnswersAtom, []);
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

describe('an acceptance that outlives its page', () => {
  it('is sent at once and reported when it is past its time', async () => {
    const calls = stubNetwork({ [PATH]: accepts() });
    const success = vi.spyOn(toast, 'success');
    closeWith([anOrder(1), anOrder(2)]);
    await vi.advanceTimersByTimeAsync(HOUR_MS);
    expect(calls).toEqual([]);
    watchAnswers(cache);
    await vi.waitFor(() => expect(calls.map(idsOf)).toEqual([[anOrder(1)._id, anOrder(2)._id]]));
    await vi.waitFor(() =>
      expect(success.mock.calls).toEqual([['Order status updated to accepted for 2 orders']]),
    );
    expect(localStorage.getItem(KEY)).toBe('[]');
  });

  it('can still be undone when the page is opened in time', async () => {
    const calls = stubNetwork({ [PATH]: accepts() });
    closeWith([anOrder(1)]);
    watchAnswers(cache);
    expect(takeBack(queued()[0]?.id ?? '')).toMatchObject([{ _id: anOrder(1)._id }]);
    await vi.advanceTimersByTimeAsync(HOUR_MS);
    expect(calls).toEqual([]);
  });

  it('is the same command to the server when its page was closed before the answer', async () => {
    const calls = stubNetwork({ [PATH]: () => new Promise<Reply>(() => undefined) });
    const tab = await openTab();
    tab.queueAcceptance([anOrder(1)], cache);
    await vi.advanceTimersByTimeAsync(UNDO_MS);
    // A browser frees the locks of a tab that is closed.
    tab.stopWatchingAnswers();
    stubLocks();
    const again = stubNetwork({ [PATH]: accepts() });
    watchAnswers(cache);
    await vi.waitFor(() => expect(again).toHaveLength(1));
    expect(calls).toHaveLength(1);
    expect(keysOf(again)).toEqual(keysOf(calls));
    expect(calls[0]?.key).toMatch(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/);
  });

  it('is sent by the other tab when its own was closed, and cannot be undone while it is', async () => {
    const replies: ((reply: Reply) => void)[] = [];
    const calls = stubNetwork({ [PATH]: () => new Promise((resolve) => replies.push(resolve)) });
    const tab = await openTab();
    tab.watchAnswers(cache);
    closeWith([anOrder(1)]);
    dispatchStorageEvent();
    expect(tab.queued()).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(UNDO_MS * 2);
    expect(calls).toHaveLength(1);
    expect(takeBack(tab.queued()[0]?.id ?? '')).toEqual([]);
    for (const reply of replies) reply(accepts()(calls[0] as Call));
    await vi.waitFor(() => expect(tab.queued()).toEqual([]));
    tab.stopWatchingAnswers();
  });

  it('reports what was refused on whatever page', async () => {
    stubNetwork({ [PATH]: accepts(many(2)) });
    const error = vi.spyOn(toast, 'error');
    closeWith(many(3));
    await vi.advanceTimersByTimeAsync(HOUR_MS);
    watchAnswers(cache);
    await vi.waitFor(() =>
      expect(error.mock.calls.map(([words]) => words)).toEqual([
        '2 orders could not be accepted. Orders says why.',
      ]),
    );
    expect(store.get(refusedAnswersAtom)).toHaveLength(2);
  });

  it('belongs to the person who decided it, for the farm they work for', async () => {
    const calls = stubNetwork({ [PATH]: accepts() });
    const error = vi.spyOn(toast, 'error');
    closeWith([anOrder(1)]);
    signIn(aUser('farmer', 'Gus Grower'));
    store.set(userAtom, { ...aUser('farmer'), _id: anOrder(9)._id });
    watchAnswers(cache);
    await vi.advanceTimersByTimeAsync(HOUR_MS);
    expect(queued()).toEqual([]);
    expect(calls).toEqual([]);
    signIn({ ...farmer, membership: { farmId: anOrder(8)._id, role: 'owner' } });
    await vi.advanceTimersByTimeAsync(HOUR_MS);
    expect(calls).toEqual([]);
    expect(error.mock.calls).toEqual([
      ['1 order could not be answered: you no longer work for that farm.'],
    ]);
    expect(storedAnswersAtom.readStored()).toEqual([]);
  });
});

describe('more orders than one call takes', () => {
  it('are reported once, and line by line where they could not be accepted', async () => {
    noteRefusedList(true);
    const orders = many(250);
    const refused = [orders[3], orders[130], orders[249]].flatMap((order) => order ?? []);
    stubNetwork({ [PATH]: accepts(refused) });
    const success = vi.spyOn(toast, 'success');
    queueAcceptance(orders, cache);
    await vi.advanceTimersByTimeAsync(UNDO_MS);
    expect(store.get(refusedAnswersAtom).map(({ order }) => order._id)).toEqual(
      refused.map(({ _id }) => _id),
    );
    expect(success.mock.calls).toEqual([['Order status updated to accepted for 247 orders']]);
  });

  it('go on where the connection was lost, under a key for each part', async () => {
    const replies: (Reply | undefined)[] = [undefined, 'no answer', 'no answer'];
    const calls = stubNetwork({ [PATH]: (call) => replies.shift() ?? accepts()(call) });
    const success = vi.spyOn(toast, 'success');
    queueAcceptance(many(250), cache);
    await vi.advanceTimersByTimeAsync(UNDO_MS);
    expect(queued()).toMatchObject([{ state: 'unsent' }]);
    expect(queued()[0]?.orders).toHaveLength(150);
    await vi.advanceTimersByTimeAsync(HOUR_MS);
    expect(calls.map((call) => idsOf(call).length)).toEqual([100, 100, 100, 100, 50]);
    const [first, second, , , last] = keysOf(calls);
    expect(keysOf(calls)).toEqual([first, second, second, second, last]);
    expect(new Set([first, second, last]).size).toBe(3);
    expect(success.mock.calls).toEqual([['Order status updated to accepted for 250 orders']]);
  });
});

it('repeats a single answer under the key it was sent with, and leaves others of the same press', async () => {
  const [one, other] = many(2);
  if (!one || !other) throw new Error('Two orders are needed.');
  const calls = stubNetwork({ [`PUT /orders/${one._id}`]: 'no answer', [PATH]: accepts() });
  queueAcceptance([one, other], cache);
  const id = '9ae1a05f-1090-4489-9be3-d6b5971741e8';
  queueAnswer(one, { status: 'rejected' }, cache, { id });
  await vi.advanceTimersByTimeAsync(UNDO_MS);
  const [single, together] = calls;
  expect(single).toMatchObject({ path: `/orders/${one._id}`, key: id });
  expect(idsOf(together as Call)).toEqual([other._id]);
});

it('asks before a page is closed only where nothing can be kept', async () => {
  const isAsked = () => {
    const closing = new Event('beforeunload', { cancelable: true });
    window.dispatchEvent(closing);
    return closing.defaultPrevented;
  };
  stubNetwork({ [PATH]: 'no answer' });
  queueAcceptance([anOrder(1)], cache);
  await vi.advanceTimersByTimeAsync(UNDO_MS);
  expect(queued()[0]?.state).toBe('unsent');
  expect(isAsked()).toBe(false);
  const forbidden = () => {
    throw new Error('Forbidden');
  };
  vi.stubGlobal('localStorage', {
    getItem: forbidden,
    setItem: forbidden,
    removeItem: forbidden,
  });
  store.set(storedAnswersAtom, queued());
  expect(isAsked()).toBe(true);
});
