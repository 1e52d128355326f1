import type { QueryClient, QueryKey } from '@tanstack/react-query';
import { ApiError } from '../lib/api-error.ts';
import type { RenderMoment } from '../lib/hydration.ts';
import { keptPageAt } from '../lib/kept-reads.ts';

/** The id of the element that holds what the server hands over with a page it has rendered, as JSON. */
export const HANDED_ID = 'handed';

/** Tells `first-paint.js` that buttons work, so that it presses those that were pressed before. */
export const SETTLED_EVENT = 'farmgate:settled';

/** What the server hands over with a page. */
export type Handed = {
  /** The path of the route in `routes.tsx`, with its parameters: `/products/:id`. */
  route: string;
  moment: RenderMoment;
  /** Key and data of each query that was answered. */
  queries: readonly (readonly [QueryKey, unknown])[];
  /** Key and error of each query that was refused. */
  refusals: readonly (readonly [QueryKey, { message: string; status: number; code: string }])[];
};

/** Returns what the server handed over with this page, or null if it did not render it. */
export function readHanded(): Handed | null {
  const text = document.getElementById(HANDED_ID)?.textContent;
  // Whatever the server says is newer than a kept page, also after it was restored from a backup.
  const asKept = (key: string, value: unknown) => (key === 'version' ? 0 : value);
  return text ? JSON.parse(text, keptPageAt() ? asKept : undefined) : null;
}

/** Returns what a cache holds, to be handed over. Queries that have neither data nor an error are left out. */
export function packQueries(client: QueryClient): Pick<Handed, 'queries' | 'refusals'> {
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
 * Puts what was handed over into the cache: what comes with a kept page is asked for again. What was refused is not asked
 * again by showing it.
 */
export function unpackQueries(client: QueryClient, { queries, refusals }: Handed): void {
  const updatedAt = keptPageAt();
  for (const [key, data] of queries)
    client.setQueryData(key, data, updatedAt ? { updatedAt } : undefined);
  if (updatedAt) void client.invalidateQueries();
  for (const [queryKey, { message, ...rest }] of refusals) {
    holdRefusal(client, queryKey);
    client.getQueryCache().build(
      client,
      { queryKey },
      {
        data: undefined,
        dataUpdateCount: 0,
        dataUpdatedAt: 0,
        error: new ApiError(message, rest),
        errorUpdateCount: 1,
        errorUpdatedAt: Date.now(),
        fetchFailureCount: 1,
        fetchFailureReason: null,
        fetchMeta: null,
        isInvalidated: false,
        status: 'error',
        fetchStatus: 'idle',
      },
    );
  }
}

/** Shows the refusal of a query wherever it is used, instead of asking again. */
export function holdRefusal(client: QueryClient, queryKey: QueryKey): void {
  client.setQueryDefaults(queryKey, { retryOnMount: false });
}

/** Ends {@link holdRefusal} for all queries, and asks again for whoever may see more than a visitor. */
export function releaseRefusals(client: QueryClient, isSignedIn: boolean): void {
  for (const { queryKey, state } of client.getQueryCache().getAll()) {
    if (state.status !== 'error') continue;
    client.setQueryDefaults(queryKey, { retryOnMount: true });
    if (isSignedIn) void client.resetQueries({ queryKey, exact: true });
  }
}
