import { type QueryKey, queryOptions } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import {
  type Market,
  marketApi,
  type SentMarket,
  setMarket,
  theMarket,
} from '#contract/platform/market/constants';
import { call } from '../api/api.ts';
import { createListeners } from '../hooks/listen.ts';
import { tryStorage } from '../session/stored-atom.ts';

/** In localStorage: the settings as last known, for the first screen of the next visit. */
const KEPT_KEY = 'market';
/** The query key of the settings. */
const MARKET_KEY = ['market'] as const;
/** How long the first screen waits for settings that nothing else has, in milliseconds. */
const FIRST_FETCH_MS = 4000;

const listeners = createListeners();
/** The newest version that the server sent to this page. */
let newestVersion = 0;

/** Makes settings from the server the ones of every screen, unless newer ones have arrived already. */
export function showMarket(sent: SentMarket): void {
  if (sent.version < newestVersion) return;
  newestVersion = sent.version;
  const market = completed(sent);
  const text = JSON.stringify(market);
  // Without storage the next visit asks the server before it shows anything.
  tryStorage(() => localStorage.setItem(KEPT_KEY, text));
  // Every screen renders again with other settings, and only with those.
  if (text === JSON.stringify(theMarket())) return;
  setMarket(market);
  listeners.notify();
}

/** Returns settings in which what a server of a former release leaves out stays. */
export const completed = (market: SentMarket): Market => ({ ...theMarket(), ...market });

/** Renders every screen again, for a reader of another language. */
export function renderAgain(): void {
  setMarket({ ...theMarket() });
  listeners.notify();
}

/** Takes the next settings that the server sends, whichever version they have: it was restored from a backup. */
export function resetMarketVersion(): void {
  newestVersion = 0;
}

/**
 * Returns the settings of the market, and renders again when they change. The whole page does by itself; what is
 * memoized calls this where it shows amounts, dates or units.
 */
export const useMarket = (): Market => useSyncExternalStore(listeners.add, theMarket, theMarket);

/** The settings of the market, which events keep current. */
export const marketQuery = () =>
  queryOptions({
    queryKey: MARKET_KEY,
    queryFn: async ({ signal }) => {
      const { data } = await call(marketApi.read, { signal });
      showMarket(data);
      return completed(data);
    },
    // What the server sent with this page need not be asked for again.
    ...(newestVersion > 0 ? { initialData: theMarket } : {}),
    staleTime: Number.POSITIVE_INFINITY,
  });

/**
 * Finds the settings for the first screen: in what the server sent with the page, else as the last visit kept
 * them, else from the server. The page begins with those of a new market if it cannot be reached.
 */
export async function beginMarket(
  dehydrated: readonly (readonly [QueryKey, unknown])[] = [],
): Promise<void> {
  const [, given] = dehydrated.find(([[name]]) => name === MARKET_KEY[0]) ?? [];
  if (given) return showMarket(given as SentMarket);
  const kept = readKept();
  // They may have changed since: the page asks for the present ones while it shows these.
  if (kept) return setMarket(kept);
  await call(marketApi.read, { signal: AbortSignal.timeout(FIRST_FETCH_MS) }).then(
    ({ data }) => showMarket(data),
    () => undefined,
  );
}

/** Returns the settings as last known; what another release did not keep is as in a new market. */
function readKept(): Market | undefined {
  const kept: Partial<Market> | null | undefined = tryStorage(() =>
    JSON.parse(localStorage.getItem(KEPT_KEY) ?? 'null'),
  );
  return kept?.version === undefined ? undefined : { ...theMarket(), ...kept };
}

/**
 * Sets the document title: '<title> · Farmgate' by the market's name, or the name alone for an empty one. A page may
 * call it to replace the title of its route.
 */
export function useTitle(title: string | undefined): void {
  const market = useMarket();
  // Again in another language: the title of the route comes before that of the page.
  useEffect(() => {
    const { name } = market;
    if (title !== undefined) document.title = title === '' ? name : `${title} · ${name}`;
  }, [title, market]);
}
