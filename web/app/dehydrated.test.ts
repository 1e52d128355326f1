// @vitest-environment happy-dom
import { InfiniteQueryObserver, QueryObserver } from '@tanstack/react-query';
import { expect, it, vi } from 'vitest';
import { ApiError } from '../platform/api/api-error.ts';
import { createQueryClient } from '../platform/queries/query-client.ts';
import {
  DEHYDRATED_ID,
  dehydrateQueries,
  hydrateQueries,
  readDehydrated,
  releaseRefusals,
} from './dehydrated.ts';

/** Hands a cache over as the server and the browser do, as text. */
async function handOver() {
  const server = createQueryClient();
  await server.prefetchQuery({ queryKey: ['categories'], queryFn: async () => [{ _id: 'a' }] });
  await server.prefetchInfiniteQuery({
    queryKey: ['products'],
    queryFn: async () => ({ data: [1, 2], nextCursor: 'next' }),
    initialPageParam: null,
    getNextPageParam: () => null,
  });
  await server.prefetchQuery({
    queryKey: ['product', 'gone'],
    queryFn: () =>
      Promise.reject(new ApiError('Product not found', { status: 404, code: 'NOT_FOUND' })),
  });
  server.getQueryCache().build(server, { queryKey: ['me'] });
  const dehydrated = JSON.parse(JSON.stringify(dehydrateQueries(server)));
  const client = createQueryClient();
  hydrateQueries(client, { route: '/', moment: { now: 0, timeZone: undefined }, ...dehydrated });
  return client;
}

it('hands over answers and pages, which are not asked for again', async () => {
  const client = await handOver();
  const queryFn = vi.fn(async () => ({ data: [3], nextCursor: null }));
  const one = new QueryObserver(client, { queryKey: ['categories'], queryFn });
  const pages = new InfiniteQueryObserver(client, {
    queryKey: ['products'],
    queryFn,
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }: { nextCursor: string | null }) => nextCursor,
  });
  const stops = [one.subscribe(() => {}), pages.subscribe(() => {})];
  expect(one.getCurrentResult()).toMatchObject({ status: 'success', data: [{ _id: 'a' }] });
  expect(pages.getCurrentResult().hasNextPage).toBe(true);
  expect(queryFn).not.toHaveBeenCalled();
  await pages.fetchNextPage();
  expect(queryFn).toHaveBeenCalledOnce();
  expect(pages.getCurrentResult().data?.pages).toHaveLength(2);
  for (const stop of stops) stop();
  expect(client.getQueryData(['me'])).toBeUndefined();
});

it('shows a refusal without asking again, until the page is taken over', async () => {
  const client = await handOver();
  const queryFn = vi.fn(async () => 'there');
  const key = { queryKey: ['product', 'gone'], queryFn };
  const watch = () => new QueryObserver(client, client.defaultQueryOptions(key));
  const first = watch();
  const stop = first.subscribe(() => {});
  expect(first.getCurrentResult().error).toMatchObject({
    status: 404,
    message: 'Product not found',
  });
  expect(queryFn).not.toHaveBeenCalled();
  stop();

  releaseRefusals(client, false);
  expect(queryFn).not.toHaveBeenCalled();
  const second = watch();
  const stopSecond = second.subscribe(() => {});
  await vi.waitFor(() => expect(second.getCurrentResult().data).toBe('there'));
  stopSecond();
});

it('asks again for anyone who is signed in and may see more', async () => {
  const client = await handOver();
  const queryFn = vi.fn(async () => 'mine');
  const observer = new QueryObserver(
    client,
    client.defaultQueryOptions({ queryKey: ['product', 'gone'], queryFn }),
  );
  const stop = observer.subscribe(() => {});
  releaseRefusals(client, true);
  await vi.waitFor(() => expect(observer.getCurrentResult().data).toBe('mine'));
  stop();
});

it('takes a page that the service worker kept for what it was then, and asks again', () => {
  const asOf = Date.now() - 60 * 60_000;
  const product = { _id: 'pear', name: 'Pears', version: 9 };
  const dehydrated = {
    route: '/',
    moment: { now: asOf, timeZone: 'UTC' },
    queries: [[['products', 'pear'], product]],
    refusals: [],
  };
  document.body.innerHTML = `<script type="application/json" id="${DEHYDRATED_ID}">${JSON.stringify(dehydrated)}</script>`;
  const take = () => {
    const client = createQueryClient();
    const read = readDehydrated();
    if (read) hydrateQueries(client, read);
    return client;
  };
  const state = (client: ReturnType<typeof take>) => client.getQueryState(['products', 'pear']);
  expect(state(take())).toMatchObject({ data: product, isInvalidated: false });

  document.documentElement.dataset.asOf = String(asOf);
  const client = take();
  delete document.documentElement.dataset.asOf;
  expect(state(client)).toMatchObject({ dataUpdatedAt: asOf, isInvalidated: true });
  // What the server says now counts, though it was restored to an older version.
  const restored = { ...product, name: 'Plums', version: 5 };
  client.setQueryData(['products', 'pear'], restored);
  expect(state(client)?.data).toEqual(restored);
});
