import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { WATCH_MAX } from '#contract/products';
import type { WatchedVersions } from '#contract/realtime';
import { refetch } from './in-flight.ts';
import { isUp, onUp, say } from './line.ts';

/** The contract's figure, held equal by its type: its module would bring all schemas along. */
const WATCHED_AT_MOST: typeof WATCH_MAX = 200;
/** Milliseconds in which the wishes of several components become one. */
const TOGETHER = 30;

/** What all components together want to hear of, the latest wish first when there are too many. */
class Wishes {
  readonly #count = new Map<string, number>();
  readonly #tell: (ids: string[]) => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #told = '';

  constructor(tell: (ids: string[]) => void) {
    this.#tell = tell;
    onUp(() => {
      this.#told = '';
      this.#soon();
    });
  }

  add(ids: readonly string[]): () => void {
    for (const id of ids) {
      const wanted = this.#count.get(id) ?? 0;
      // Set anew, so that it comes last in the map's order: the latest wish.
      this.#count.delete(id);
      this.#count.set(id, wanted + 1);
    }
    this.#soon();
    return () => {
      for (const id of ids) {
        const wanted = this.#count.get(id) ?? 0;
        if (wanted > 1) this.#count.set(id, wanted - 1);
        else this.#count.delete(id);
      }
      this.#soon();
    };
  }

  #soon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      const ids = [...this.#count.keys()].slice(-WATCHED_AT_MOST);
      const asText = [...ids].sort().join();
      if (!isUp() || asText === this.#told) return;
      this.#told = asText;
      this.#tell(ids);
    }, TOGETHER);
  }
}

const caches = new Set<QueryClient>();
const products = new Wishes((productIds) =>
  say('products.watch', { productIds }, (versions) => {
    for (const cache of caches) compareVersions(cache, productIds, versions);
  }),
);
const people = new Wishes((userIds) => say('presence.watch', { userIds }));

/**
 * While the component is there, changes of these products arrive. What changed between the reading
 * and the watching is asked for again. At most 200 products are watched, the latest wishes.
 */
export function useWatchProducts(ids: readonly string[]): void {
  const cache = useQueryClient();
  const asText = ids.join();
  useEffect(() => {
    if (asText === '') return;
    caches.add(cache);
    return products.add(asText.split(','));
  }, [cache, asText]);
}

/** While the component is there, it is heard who of these people comes and goes. */
export function useWatchPresence(ids: readonly string[]): void {
  const asText = ids.join();
  useEffect(() => (asText === '' ? undefined : people.add(asText.split(','))), [asText]);
}

/** Asks again for every cached answer that holds a product older than the server has it now. */
export function compareVersions(
  cache: QueryClient,
  watched: readonly string[],
  versions: WatchedVersions,
): void {
  const ids = new Set(watched);
  for (const query of cache.getQueryCache().getAll()) {
    if (holdsOlder(query.state.data, ids, versions)) refetch(cache, query.queryKey, true);
  }
}

function holdsOlder(value: unknown, ids: Set<string>, versions: WatchedVersions): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some((item) => holdsOlder(item, ids, versions));
  const { _id, version } = value as { _id?: unknown; version?: unknown };
  if (typeof _id === 'string' && typeof version === 'number' && ids.has(_id)) {
    const now = versions[_id];
    if (now === undefined || now > version) return true;
  }
  return Object.values(value).some((item) => holdsOlder(item, ids, versions));
}
