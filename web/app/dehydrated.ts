import type { QueryClient, QueryKey } from '@tanstack/react-query';
import { ApiError } from '../platform/api/api-error.ts';
import type { RenderMoment } from '../platform/hooks/hydration.ts';
import { keptPageAt } from '../platform/offline/kept-reads.ts';

/** The id of the element that holds the dehydrated queries of a page, as JSON. */
export const DEHYDRATED_ID = 'dehydrated';

/** Dispatched for `first-paint.js` once buttons work, so that it presses those that were pressed before. */
export const SETTLED_EVENT = 'farmgate:settled';

/** The queries that the server sends with a page that it has rendered. */
export type Dehydrated = {
  /** The path of the route in `routes.tsx`, with its parameters: `/products/:id`. */
  route: string;
  moment: RenderMoment;
  /** Key and data of each query that was answered. */
  queries: readonly (readonly [QueryKey, unknown])[];
  /** Key and error of each query that was refused. */
  refusals: readonly (readonly [QueryKey, { message: string; status: number; code: string }])[];
};

/** Returns the dehydrated queries of this page, or null if the server did not render it. */
export function readDehydrated(): Dehydrated | null {
  const text = document.getElementById(DEHYDRATED_ID)?.textContent;
  // Whatever the server says is newer than a kept page, also after it was restored from a backup.
  const asKept = (key: string, value: unknown) => (key === 'version' ? 0 : value);
  return text ? JSON.parse(text, keptPageAt() ? asKept : undefined) : null;
}

/** Returns the queries of a cache, to be sent with a page. Those that have neither data nor an error are left out. */
export function dehydrateQueries(client: QueryClient): Pick<Dehydrated, 'queries' | 'refusals'> {
  const all = client.getQueryCache().getAll();
  return {
    queries: all
      .filter(({ state }) => state.data !== undefined)
      .map(({ queryKey, state }) => [queryKey, state.data]),
    refusals: all.flatMap(({ queryKey, state: { data, error } }) =>
      data === undefined && error instanceof ApiError
        ? [[queryKey, { message: error.message, status: error.status, code: error.code }] as const]
        : [],
    ),
  };
}

/**
 * Puts dehydrated queries into the cache: what comes with a kept page is asked for again. What was refused is not
 * asked again by showing it.
 */
export function hydrateQueries(client: QueryClient, { queries, refusals }: Dehydrated): void {
  const updatedAt = keptPageAt();
  for (const [key, data] of queries)
    client.setQueryData(key, data, updatedAt ? { updatedAt } : undefined);
  if (updatedAt) void client.invalidateQueries();
  for (const [queryKey, { message, ...rest }] of refusals) {
    holdRefusal(client, queryKey);
    const query = client.getQueryCache().build(client, { queryKey });
    query.setState({
      status: 'error',
      error: new ApiError(message, rest),
      errorUpdateCount: 1,
      errorUpdatedAt: Date.now(),
      fetchFailureCount: 1,
    });
  }
}

/** Shows the refusal of a query wherever it is used, instead of asking again. */
export function holdRefusal(client: QueryClient, queryKey: QueryKey): void {
  client.setQueryDefaults(queryKey, { retryOnMount: false });
}

/** Ends {@link holdRefusal} for all queries, and asks again for anyone who may see more than a visitor. */
export function releaseRefusals(client: QueryClient, isSignedIn: boolean): void {
  for (const { queryKey, state } of client.getQueryCache().getAll()) {
    if (state.status !== 'error') continue;
    client.setQueryDefaults(queryKey, { retryOnMount: true });
    if (isSignedIn) void client.resetQueries({ queryKey, exact: true });
  }
}
