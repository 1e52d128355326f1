import { createStore } from 'jotai';
import { StrictMode } from 'react';
import { renderToString } from 'react-dom/server';
import { Router } from 'wouter';
import { type Reader, setReader } from '#contract/platform/text/constants/reader';
import { clockMs } from '#contract/platform/time/constants';
import { App } from './app/App.tsx';
import { type Dehydrated, dehydrateQueries, holdRefusal } from './app/dehydrated.ts';
import { Providers } from './app/Providers.tsx';
import { routes } from './app/routes.tsx';
import { setTransport } from './platform/api/api.ts';
import { marketQuery } from './platform/format/market.ts';
import { isHydratedAtom, setRenderMoment } from './platform/hooks/hydration.ts';
import { createQueryClient } from './platform/queries/query-client.ts';

/** Answers a GET of the API, `/api/products?limit=8`, in this process. */
export type Read = (url: string) => Promise<{ status: number; text: string }>;

/**
 * A page to render: `route` is its path in the table of pages, `search` the query of its address with the `?`, or
 * empty.
 */
export type PageRequest = {
  route: string;
  path: string;
  params: Readonly<Record<string, string>>;
  search: string;
  /** For whom it is rendered. */
  reader: Reader;
};

/** A rendered page. */
export type RenderedPage = {
  /** The content of the root element. */
  html: string;
  /** The queries that the browser hydrates, for the element with the id `dehydrated`. */
  dehydrated: Dehydrated;
};

/** Sets what answers the calls of the pages. Call it once, before the first page. */
export function answerCallsWith(read: Read): void {
  setTransport(async (url) => {
    const { status, text } = await read(url);
    return new Response(text, { status });
  });
}

/**
 * Renders a page as a visitor sees it first, with all of its data.
 *
 * @throws when a part of the page throws, or a query fails for another reason than a refusal of what was asked
 */
export async function renderPage({
  route,
  path,
  params,
  search,
  reader,
}: PageRequest): Promise<RenderedPage> {
  const found = routes.find((each) => each.path === route);
  if (!found) throw new Error(`There is no route ${route}.`);
  const client = createQueryClient();
  client.setDefaultOptions({ queries: { ...client.getDefaultOptions().queries, retry: false } });
  const state = createStore();
  state.set(isHydratedAtom, false);

  // Always asked for, so that a change of the settings invalidates the page.
  const { initialData: _, ...market } = marketQuery();
  const [page] = await Promise.all([found.preload(), client.prefetchQuery(market)]);
  await page.prefetch?.(client, params, search, reader.language);
  const { queries, refusals } = dehydrateQueries(client);
  for (const { state: outcome } of client.getQueryCache().getAll()) requireAnswer(outcome.error);
  for (const [key] of refusals) holdRefusal(client, key);

  const moment = {
    now: clockMs(),
    timeZone: client.getQueryData(marketQuery().queryKey)?.timeZone,
  };
  // Nothing else is rendered before this is done: it does not wait.
  setRenderMoment(moment);
  setReader(() => reader);
  const html = renderToString(
    <StrictMode>
      <Router ssrPath={path} ssrSearch={search.replace(/^\?/, '')}>
        <Providers client={client} state={state}>
          <App />
        </Providers>
      </Router>
    </StrictMode>,
  );
  client.clear();
  return { html, dehydrated: { route, moment, queries, refusals } };
}

/** Throws an error that the same request may not meet again: a browser would try once more. */
function requireAnswer(error: unknown): void {
  const status = (error as { status?: unknown } | null)?.status;
  const isRefusal = typeof status === 'number' && status >= 400 && status < 500 && status !== 429;
  if (error && !isRefusal) throw error;
}
