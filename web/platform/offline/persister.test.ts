// @vitest-environment happy-dom
// @long It keeps many pages and reads them again.
import { randomUUID } from 'node:crypto';
import { type QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ApiError } from '../api/api-error.ts';
import { connectionAtom } from '../api/connection.ts';
import { createQueryClient } from '../queries/query-client.ts';
import { refetch } from '../realtime/in-flight.ts';
import { notifyCaughtUp, positionOf, setPosition } from '../realtime/position.ts';
import { store as clientState } from '../session/session.ts';
import { asOfAtom, hasKeptReadsAtom } from './kept-reads.ts';
import { keepReads } from './persister.ts';
import type { KeptGroup } from './records.ts';
import { createMemoryStore, type MemoryStore } from './testing/memory-store.ts';

const groups: KeptGroup[] = [
  { name: 'orders', prefix: ['orders'], max: 60, isCovered: true },
  { name: 'products', prefix: ['products'], max: 60, isCovered: false },
];
const FORMAT = 'of this build';
const TOKEN = 'aaa.bbb.ccc';
const EPOCH = 'first';

let storage: MemoryStore;
/** Each test has its own user, because positions are kept per user and module. */
let userId: string;
const stops: (() => void)[] = [];

beforeEach(() => {
  storage = createMemoryStore();
  userId = randomUUID();
  localStorage.setItem('token', TOKEN);
  clientState.set(connectionAtom, { state: 'connecting', since: 0 });
});
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
  localStorage.clear();
  vi.restoreAllMocks();
});

/** Opens a tab: a cache with a persister. `as` is the signed-in user, null a visitor. */
function open({ as = userId, format = FORMAT }: { as?: string | null; format?: string } = {}) {
  const cache = createQueryClient();
  const token = as === null ? null : TOKEN;
  const reader = { owner: as ?? 'visitor', userId: as, token };
  const stop = keepReads(cache, { store: storage, groups, format, reader });
  stops.push(stop);
  return { cache, stop };
}

const fetchData = (cache: QueryClient, queryKey: string[], data: unknown) =>
  cache.fetchQuery({ queryKey, queryFn: () => data, staleTime: 0 });
const noteOf = (key: unknown[]) => storage.head?.notes[JSON.stringify(key)];
const setVisibility = (state: 'hidden' | 'visible') => {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state);
  document.dispatchEvent(new Event('visibilitychange'));
};

/** The end of a catch-up of this user, at a place in the log. */
function catchUp(seq: number, isReplayed: boolean, epoch = EPOCH): void {
  setPosition(userId, { seq, epoch });
  clientState.set(connectionAtom, { state: 'live', since: Date.now() });
  notifyCaughtUp({ userId, isReplayed });
}

/** Another page of the same user that ends: what it has read is kept. */
async function earlierVisit(data: Record<string, unknown> = { mine: 'orders' }, seq = 7) {
  const { cache, stop } = open();
  await fetchData(cache, ['orders', 'mine'], data.mine);
  await fetchData(cache, ['products', 'pear'], 'a pear');
  catchUp(seq, false);
  await vi.waitFor(() => expect(noteOf(['orders', 'mine'])?.isCovered).toBe(true));
  stop();
  // As if the page had been closed: this module outlives it.
  userId = renameOwner(userId);
}

/** Gives the same user's kept reads to an id that this module does not know yet. */
function renameOwner(known: string): string {
  const fresh = randomUUID();
  if (storage.head) storage.head.owner = storage.head.owner.replace(known, fresh);
  return fresh;
}

/** Shows a query, as a page does. */
function show(cache: QueryClient, queryKey: string[], queryFn: () => unknown) {
  const observer = new QueryObserver(cache, { queryKey, queryFn, retry: false, staleTime: 30_000 });
  stops.push(observer.subscribe(() => {}));
  return observer;
}

it('shows what was known at the last visit, says of when, and is confirmed by a replay', async () => {
  await earlierVisit();
  const { cache } = open();
  await vi.waitFor(() => expect(cache.getQueryData(['orders', 'mine'])).toBe('orders'));
  expect(clientState.get(hasKeptReadsAtom)).toBe(true);
  expect(positionOf(userId)).toEqual({ seq: 7, epoch: EPOCH });
  const fetched = vi.fn(() => new Promise(() => {}));
  show(cache, ['orders', 'mine'], fetched);
  expect(clientState.get(asOfAtom)).toBeGreaterThan(Date.now() - 60_000);
  catchUp(9, true);
  expect(clientState.get(asOfAtom)).toBeNull();
});

it('fetches what no event covers, though the replay is complete', async () => {
  await earlierVisit();
  const { cache } = open();
  await vi.waitFor(() => expect(cache.getQueryData(['products', 'pear'])).toBe('a pear'));
  let answer: unknown = Promise.reject(new ApiError('Away', { status: 0, code: 'NETWORK' }));
  const fetched = vi.fn(() => answer);
  show(cache, ['products', 'pear'], fetched);
  await vi.waitFor(() => expect(cache.getQueryState(['products', 'pear'])?.status).toBe('error'));
  expect(clientState.get(asOfAtom)).not.toBeNull();
  expect(cache.getQueryData(['products', 'pear'])).toBe('a pear');

  answer = 'a ripe pear';
  catchUp(9, true);
  await vi.waitFor(() => expect(cache.getQueryData(['products', 'pear'])).toBe('a ripe pear'));
  expect(clientState.get(asOfAtom)).toBeNull();
});

it('refetches everything when nothing could be replayed', async () => {
  await earlierVisit();
  const { cache } = open();
  await vi.waitFor(() => expect(cache.getQueryData(['orders', 'mine'])).toBe('orders'));
  const observer = show(cache, ['orders', 'mine'], () => 'fresh orders');
  catchUp(900, false);
  await vi.waitFor(() => expect(observer.getCurrentResult().data).toBe('fresh orders'));
  expect(clientState.get(asOfAtom)).toBeNull();
});

it.each([
  ['another epoch', 12, 'second'],
  ['a log that has lost events', 3, EPOCH],
])('removes what was kept on %s', async (_, seq, epoch) => {
  await earlierVisit();
  const { cache } = open();
  await vi.waitFor(() => expect(cache.getQueryData(['products', 'pear'])).toBe('a pear'));
  catchUp(seq, false, epoch);
  expect(cache.getQueryData(['products', 'pear'])).toBeUndefined();
  await vi.waitFor(() => expect(storage.head?.position).toEqual({ seq, epoch }));
  expect(storage.head?.notes).toEqual({});
});

it('takes what the server has after a restore, though what was kept has higher versions', async () => {
  const lost = { _id: 'pear', name: 'of the lost future', version: 9 };
  await earlierVisit({ mine: [lost] });
  const { cache } = open();
  await vi.waitFor(() => expect(cache.getQueryData(['orders', 'mine'])).toEqual([lost]));
  const restored = { ...lost, name: 'of the backup', version: 5 };
  const observer = show(cache, ['orders', 'mine'], () => [restored]);
  catchUp(3, false, 'second');
  await vi.waitFor(() => expect(observer.getCurrentResult().data).toEqual([restored]));
  expect(clientState.get(asOfAtom)).toBeNull();
});

it('leaves what was kept before a restore that the page knows of already', async () => {
  await earlierVisit();
  setPosition(userId, { seq: 3, epoch: 'second' });
  const { cache } = open();
  await vi.waitFor(() => expect(storage.head).toBeUndefined());
  expect(cache.getQueryData(['orders', 'mine'])).toBeUndefined();
});

it('says of when a page is that the service worker kept, until its data are fetched again', async () => {
  const asOf = Date.now() - 60 * 60_000;
  document.documentElement.dataset.asOf = String(asOf);
  try {
    const cache = createQueryClient();
    let answer: unknown = Promise.reject(new ApiError('Away', { status: 0, code: 'NETWORK' }));
    // What is not kept otherwise came with the page too.
    for (const key of [['products', 'pear'], ['market']]) {
      cache.setQueryData(key, 'as it was', { updatedAt: asOf });
      void cache.invalidateQueries();
      show(cache, key, () => answer);
    }
    localStorage.removeItem('token');
    const reader = { owner: 'visitor', userId: null, token: null };
    stops.push(keepReads(cache, { store: storage, groups, format: FORMAT, reader }));
    await vi.waitFor(() => expect(clientState.get(asOfAtom)).toBe(asOf));
    answer = 'a ripe pear';
    await cache.refetchQueries();
    expect(clientState.get(asOfAtom)).toBeNull();
  } finally {
    delete document.documentElement.dataset.asOf;
  }
});

it('does not vouch for what is about to be fetched again, nor for what is being changed', async () => {
  const { cache } = open();
  await fetchData(cache, ['orders', 'mine'], 'orders');
  catchUp(7, false);
  await vi.waitFor(() => expect(noteOf(['orders', 'mine'])?.isCovered).toBe(true));
  // An event whose effect only a fetch brings: the fetch is scheduled, and has not begun.
  refetch(cache, ['orders']);
  setPosition(userId, { seq: 8, epoch: EPOCH });
  setVisibility('hidden');
  await vi.waitFor(() => expect(storage.head?.position?.seq).toBe(8));
  expect(noteOf(['orders', 'mine'])?.isCovered).toBe(false);

  await cache.resetQueries();
  await fetchData(cache, ['orders', 'mine'], 'orders again');
  const saving = cache.getMutationCache().build(cache, {
    mutationFn: () => new Promise(() => {}),
  });
  void saving.execute(undefined);
  setPosition(userId, { seq: 9, epoch: EPOCH });
  setVisibility('hidden');
  await vi.waitFor(() => expect(storage.head?.position?.seq).toBe(9));
  expect(noteOf(['orders', 'mine'])?.isCovered).toBe(false);
});

it('keeps the first page of a long list', async () => {
  const { cache } = open();
  const pages = Array.from({ length: 42 }, (_, page) => ({ data: [page], nextCursor: `${page}` }));
  await fetchData(cache, ['orders', 'mine'], { pages, pageParams: pages.map((_, page) => page) });
  await vi.waitFor(() => expect(storage.entries.size).toBe(1));
  expect([...storage.entries.values()][0]?.data).toEqual({ pages: [pages[0]], pageParams: [0] });
  expect(cache.getQueryData<{ pages: unknown[] }>(['orders', 'mine'])?.pages).toHaveLength(42);
});

it('keeps nothing but its groups', async () => {
  const { cache } = open();
  await fetchData(cache, ['auth', 'me', TOKEN], { name: 'Ana' });
  await fetchData(cache, ['products', 'pear'], 'a pear');
  await vi.waitFor(() => expect(storage.entries.size).toBe(1));
  expect(JSON.stringify([...storage.entries])).not.toContain(TOKEN);
});

it('removes everything when the session ends here', async () => {
  await earlierVisit();
  const { cache, stop } = open();
  await vi.waitFor(() => expect(cache.getQueryData(['orders', 'mine'])).toBe('orders'));
  localStorage.removeItem('token');
  stop();
  await vi.waitFor(() => expect(storage.head).toBeUndefined());
  expect(storage.entries.size).toBe(0);
  expect(clientState.get(hasKeptReadsAtom)).toBe(false);
});

it('does not bring back what a sign-out in another tab has just removed', async () => {
  const { cache } = open();
  await fetchData(cache, ['orders', 'mine'], 'orders');
  await vi.waitFor(() => expect(storage.entries.size).toBe(1));
  // The other tab's storage event is on its way.
  localStorage.removeItem('token');
  await storage.wipe();
  await fetchData(cache, ['orders', 'mine'], 'newer orders');
  const write = vi.spyOn(storage, 'write');
  setVisibility('hidden');
  expect(write).toHaveBeenCalledTimes(1);
  await write.mock.results[0]?.value;
  expect(storage.head).toBeUndefined();
});

it.each([
  ['another user', () => ({ as: randomUUID() })],
  ['a visitor', () => ({ as: null })],
  ['another format', () => ({ format: 'of an older build' })],
])('removes what was kept for %s', async (_, options) => {
  await earlierVisit();
  const reader = options();
  if ('as' in reader && reader.as === null) localStorage.removeItem('token');
  const { cache } = open(reader);
  await vi.waitFor(() => expect(Object.keys(storage.head?.notes ?? {})).toEqual([]));
  expect(storage.entries.size).toBe(0);
  expect(cache.getQueryCache().findAll()).toEqual([]);
  expect(clientState.get(hasKeptReadsAtom)).toBe(false);
});

it('does not keep what another reader of this page had read', async () => {
  const cache = createQueryClient();
  await fetchData(cache, ['orders', 'received'], "the farm's orders");
  const reader = { owner: `${userId} consumer`, userId, token: TOKEN };
  stops.push(keepReads(cache, { store: storage, groups, format: FORMAT, reader }));
  await fetchData(cache, ['orders', 'mine'], 'own orders');
  await vi.waitFor(() => expect(storage.entries.size).toBe(1));
  expect([...storage.entries.values()][0]?.data).toBe('own orders');
});

it.each([401, 403, 404])('removes what the server refuses by now with %i', async (status) => {
  await earlierVisit();
  const { cache } = open();
  await vi.waitFor(() => expect(cache.getQueryData(['orders', 'mine'])).toBe('orders'));
  show(cache, ['orders', 'mine'], () =>
    Promise.reject(new ApiError('Gone', { status, code: 'REFUSED' })),
  );
  void cache.invalidateQueries();
  await vi.waitFor(() => expect(noteOf(['orders', 'mine'])).toBeUndefined());
  expect(clientState.get(asOfAtom)).toBeNull();
});

it('does not replace an answer that came before a slow storage', async () => {
  await earlierVisit();
  let pass = () => {};
  storage.gate = new Promise((resolve) => {
    pass = resolve;
  });
  const { cache } = open();
  await fetchData(cache, ['orders', 'mine'], 'fresh orders');
  // Connected meanwhile, without the kept position: nothing of before is replayed.
  catchUp(20, false);
  pass();
  await vi.waitFor(() => expect(cache.getQueryData(['products', 'pear'])).toBe('a pear'));
  expect(cache.getQueryData(['orders', 'mine'])).toBe('fresh orders');
  expect(positionOf(userId)?.seq).toBe(20);
});

it.each(['QuotaExceededError', 'SecurityError'])(
  'works on where storage fails: %s',
  async (name) => {
    storage.failure = new DOMException('No room.', name);
    const { cache } = open();
    const write = vi.spyOn(storage, 'write');
    // It writes only once it has tried to read.
    await vi.waitFor(() => {
      setVisibility('hidden');
      expect(write).toHaveBeenCalled();
    });
    for (let round = 1; round <= 5; round++) {
      await Promise.allSettled(write.mock.results.map(({ value }) => value));
      await fetchData(cache, ['orders', 'mine'], `orders ${round}`);
      setVisibility('hidden');
    }
    expect(cache.getQueryData(['orders', 'mine'])).toBe('orders 5');
    expect(write).toHaveBeenCalledTimes(3);
    expect(storage.entries.size).toBe(0);
  },
);

it('lets two tabs keep beside each other', async () => {
  const one = open();
  const other = open();
  await fetchData(one.cache, ['orders', 'mine'], 'orders');
  await fetchData(other.cache, ['products', 'pear'], 'a pear');
  await vi.waitFor(() => expect(storage.entries.size).toBe(2));
  catchUp(7, false);
  await vi.waitFor(() => expect(storage.head?.position?.seq).toBe(7));
  expect(Object.keys(storage.head?.notes ?? {})).toHaveLength(2);
});
