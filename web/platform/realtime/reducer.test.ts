import { notifyManager, QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { keepNewer } from '../queries/query-client.ts';
import { refetch } from './in-flight.ts';
import { byField, patch, remove, replaceEverywhere, upsert } from './reducer.ts';

type Row = { _id: string; at: number; version: number; note?: string };
const row = (id: string, at: number, version = 1): Row => ({ _id: id, at, version });
const latestFirst = byField('at', 'desc');
const page = (rows: Row[], nextCursor: string | null = null) => ({
  success: true as const,
  data: rows,
  count: rows.length,
  nextCursor,
});
const ids = (rows: readonly Row[] | undefined) => rows?.map((one) => one._id);
const pageIds = (cache: QueryClient, key: unknown[]) =>
  cache
    .getQueryData<{ pages: { data: Row[] }[] }>(key)
    ?.pages.map((one) => one.data.map((item) => item._id));

afterEach(() => vi.useRealTimers());

describe('upsert', () => {
  it('inserts an item in order into every form of list, once', () => {
    const cache = new QueryClient();
    cache.setQueryData(['rows', 'bare'], [row('c', 3), row('a', 1)]);
    cache.setQueryData(['rows', 'answer'], page([row('c', 3), row('a', 1)]));
    cache.setQueryData(['rows', 'pages'], {
      pages: [page([row('d', 4), row('c', 3)], 'x'), page([row('a', 1)])],
      pageParams: [undefined, 'x'],
    });
    for (let time = 0; time < 2; time++) {
      upsert(cache, ['rows'], row('b', 2), { order: latestFirst });
    }
    expect(ids(cache.getQueryData(['rows', 'bare']))).toEqual(['c', 'b', 'a']);
    expect(cache.getQueryData(['rows', 'answer'])).toEqual(
      page([row('c', 3), row('b', 2), row('a', 1)]),
    );
    expect(pageIds(cache, ['rows', 'pages'])).toEqual([
      ['d', 'c'],
      ['b', 'a'],
    ]);
  });

  it('does not insert an item behind the loaded part', () => {
    const cache = new QueryClient();
    cache.setQueryData(['rows'], page([row('c', 3)], 'more'));
    upsert(cache, ['rows'], row('a', 1), { order: latestFirst });
    expect(ids(cache.getQueryData<{ data: Row[] }>(['rows'])?.data)).toEqual(['c']);
    cache.setQueryData(['rows'], page([row('c', 3)]));
    upsert(cache, ['rows'], row('a', 1), { order: latestFirst });
    expect(ids(cache.getQueryData<{ data: Row[] }>(['rows'])?.data)).toEqual(['c', 'a']);
  });

  it('replaces and moves an older version, and ignores an older item', () => {
    const cache = new QueryClient();
    cache.setQueryData(['rows'], [row('a', 3), row('b', 2)]);
    upsert(cache, ['rows'], row('a', 1, 2), { order: latestFirst });
    expect(cache.getQueryData(['rows'])).toEqual([row('b', 2), row('a', 1, 2)]);
    upsert(cache, ['rows'], row('a', 3, 1), { order: latestFirst });
    expect(cache.getQueryData(['rows'])).toEqual([row('b', 2), row('a', 1, 2)]);
  });

  it('respects which lists an item belongs to, and refetches where that is unknown', async () => {
    const cache = new QueryClient();
    const fetched = vi.fn(async () => page([row('new', 9)]));
    const observer = new QueryObserver(cache, {
      queryKey: ['rows', { search: 'x' }],
      queryFn: fetched,
      initialData: page([]),
      staleTime: Number.POSITIVE_INFINITY,
    });
    const stop = observer.subscribe(() => {});
    cache.setQueryData(['rows', { odd: true }], [row('a', 1)]);
    cache.setQueryData(['rows', { odd: false }], [row('b', 2)]);
    upsert(cache, ['rows'], row('a', 2, 2), {
      belongs: (item, [, filter]) =>
        'odd' in (filter as object)
          ? (filter as { odd: boolean }).odd === (item.at % 2 === 1)
          : undefined,
    });
    expect(cache.getQueryData(['rows', { odd: true }])).toEqual([]);
    expect(ids(cache.getQueryData(['rows', { odd: false }]))).toEqual(['a', 'b']);
    await vi.waitFor(() => expect(fetched).toHaveBeenCalledTimes(1));
    stop();
  });

  it('replaces an item that is cached alone, but not another one', () => {
    const cache = new QueryClient();
    cache.setQueryData(['row', 'a'], { success: true, data: row('a', 1) });
    cache.setQueryData(['row', 'b'], row('b', 1));
    upsert(cache, ['row'], row('a', 1, 2));
    expect(cache.getQueryData(['row', 'a'])).toEqual({ success: true, data: row('a', 1, 2) });
    expect(cache.getQueryData(['row', 'b'])).toEqual(row('b', 1));
  });

  it('keeps the age and the invalidation of the query', () => {
    const cache = new QueryClient();
    cache.setQueryData(['rows'], [row('a', 1)], { updatedAt: 1000 });
    void cache.invalidateQueries({ queryKey: ['rows'] });
    upsert(cache, ['rows'], row('b', 2));
    expect(cache.getQueryState(['rows'])).toMatchObject({
      isInvalidated: true,
      dataUpdatedAt: 1000,
    });
  });
});

describe('the other helpers', () => {
  it('patches in lists and alone', () => {
    const cache = new QueryClient();
    cache.setQueryData(['rows'], page([row('a', 1), row('b', 2)]));
    cache.setQueryData(['rows', 'a'], row('a', 1));
    patch<Row>(cache, ['rows'], 'a', (item) => ({ ...item, note: 'seen' }));
    expect(cache.getQueryData(['rows', 'a'])).toMatchObject({ note: 'seen' });
    expect(cache.getQueryData<{ data: Row[] }>(['rows'])?.data).toEqual([
      { ...row('a', 1), note: 'seen' },
      row('b', 2),
    ]);
  });

  it('removes from lists, and counts', () => {
    const cache = new QueryClient();
    cache.setQueryData(['rows'], page([row('a', 1), row('b', 2)]));
    cache.setQueryData(['rows', 'a'], row('a', 1));
    remove(cache, ['rows'], 'a');
    expect(cache.getQueryData(['rows'])).toEqual(page([row('b', 2)]));
    expect(cache.getQueryData(['rows', 'a'])).toEqual(row('a', 1));
  });

  it('replaces an entity at any depth and changes nothing else', () => {
    const cache = new QueryClient();
    const stats = { sum: 1, low: [row('a', 1), row('b', 1)], deep: { one: row('a', 1) } };
    const other = page([row('b', 1)]);
    cache.setQueryData(['stats'], stats);
    cache.setQueryData(['rows'], other);
    replaceEverywhere(cache, row('a', 7, 2));
    expect(cache.getQueryData(['stats'])).toEqual({
      sum: 1,
      low: [row('a', 7, 2), row('b', 1)],
      deep: { one: row('a', 7, 2) },
    });
    expect(cache.getQueryData(['rows'])).toBe(other);
  });
});

/** Observes a query whose responses the test resolves one by one. */
function slowQuery(cache: QueryClient, initialData?: Row[]) {
  const answers: ((rows: Row[]) => void)[] = [];
  const queryFn = () => new Promise<Row[]>((resolve) => answers.push(resolve));
  const seen: (Row[] | undefined)[] = [];
  const observer = new QueryObserver<Row[]>(cache, {
    queryKey: ['rows'],
    queryFn,
    ...(initialData ? { initialData, initialDataUpdatedAt: 0 } : {}),
  });
  // Reads the current result in a batched callback, as React does.
  const stop = observer.subscribe(
    notifyManager.batchCalls(() => seen.push(observer.getCurrentResult().data)),
  );
  return { answers, seen, stop };
}

describe('a fetch in flight', () => {
  it('keeps the change of an event when its observer unsubscribes before the response', async () => {
    const cache = new QueryClient();
    cache.setQueryData(['rows'], [row('a', 1)], { updatedAt: 0 });
    const observer = new QueryObserver<Row[]>(cache, {
      queryKey: ['rows'],
      queryFn: ({ signal }) =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    });
    const stop = observer.subscribe(() => {});
    upsert(cache, ['rows'], row('b', 2));
    stop();
    await vi.waitFor(() => expect(cache.getQueryState(['rows'])?.isInvalidated).toBe(true));
    expect(ids(cache.getQueryData(['rows']))).toEqual(['b', 'a']);
  });

  it('keeps a version in the response that is newer than the event', async () => {
    const cache = new QueryClient({
      defaultOptions: { queries: { structuralSharing: (old, fresh) => keepNewer(old, fresh) } },
    });
    const { answers, stop } = slowQuery(cache, [row('a', 1)]);
    await vi.waitFor(() => expect(answers).toHaveLength(1));
    upsert(cache, ['rows'], row('a', 2, 2));
    answers[0]?.([row('a', 3, 3)]);
    await vi.waitFor(() => expect(cache.getQueryData(['rows'])).toEqual([row('a', 3, 3)]));
    stop();
  });

  it('throttles many refetches', async () => {
    vi.useFakeTimers();
    const cache = new QueryClient();
    const queryFn = vi.fn(async () => [row('a', 1)]);
    const observer = new QueryObserver<Row[]>(cache, { queryKey: ['rows'], queryFn });
    const stop = observer.subscribe(() => {});
    await vi.advanceTimersByTimeAsync(10);
    for (let time = 0; time < 100; time++) {
      refetch(cache, ['rows']);
      await vi.advanceTimersByTimeAsync(10);
    }
    await vi.advanceTimersByTimeAsync(1000);
    expect(queryFn.mock.calls.length).toBeGreaterThanOrEqual(3);
    expect(queryFn.mock.calls.length).toBeLessThanOrEqual(5);
    stop();
  });
});
