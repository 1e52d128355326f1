import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useSyncExternalStore } from 'react';
import { FARMS_WATCH_MAX, WATCH_MAX } from '#contract/platform/events/constants';
import type { WatchedVersions } from '#contract/platform/events/socket';
import { emit, isConnected, onConnect } from '../api/connection.ts';
import { createListeners, stopAll } from '../hooks/listen.ts';
import { refetch } from './in-flight.ts';
import { onPresence, type Presence, presenceOf } from './presence.ts';

/** Subscriptions of several components within this time are sent as one. */
const BATCH_MS = 30;

/** What all components together subscribe to; with too many the latest subscriptions win. */
class SubscriptionSet {
  readonly #subscribers = new Map<string, number>();
  readonly #send: (ids: string[]) => void;
  readonly #max: number;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #lastSent = '';

  constructor(max: number, send: (ids: string[]) => void) {
    this.#max = max;
    this.#send = send;
    onConnect(() => {
      this.#lastSent = '';
      this.#schedule();
    });
  }

  add(ids: readonly string[]): () => void {
    for (const id of ids) {
      const count = this.#subscribers.get(id) ?? 0;
      // Deleted first, so that it comes last in the map's order.
      this.#subscribers.delete(id);
      this.#subscribers.set(id, count + 1);
    }
    this.#schedule();
    return () => {
      for (const id of ids) {
        const count = this.#subscribers.get(id) ?? 0;
        if (count > 1) this.#subscribers.set(id, count - 1);
        else this.#subscribers.delete(id);
      }
      this.#schedule();
    };
  }

  #schedule(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      const ids = [...this.#subscribers.keys()].slice(-this.#max);
      const asText = [...ids].sort().join();
      if (!isConnected() || asText === this.#lastSent) return;
      this.#lastSent = asText;
      this.#send(ids);
    }, BATCH_MS);
  }
}

const caches = new Set<QueryClient>();
const products = new SubscriptionSet(WATCH_MAX, (productIds) =>
  emit('products.watch', { productIds }, (versions) => {
    for (const cache of caches) refetchOutdated(cache, productIds, versions);
  }),
);
const people = new SubscriptionSet(WATCH_MAX, (userIds) => emit('presence.watch', { userIds }));
/** What is called when the farms are watched, again after each reconnection. */
const farmListeners = createListeners();
const farms = new SubscriptionSet(FARMS_WATCH_MAX, (farmIds) =>
  emit('farms.watch', { farmIds }, farmListeners.notify),
);

/**
 * Subscribes to changes of these products while the component is mounted, and refetches those that
 * changed between the fetch and the subscription. At most `WATCH_MAX` are watched, the latest ones.
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

/** Subscribes to the presence of these people while the component is mounted. */
export function useWatchPresence(ids: readonly string[]): void {
  const asText = ids.join();
  useEffect(() => (asText === '' ? undefined : people.add(asText.split(','))), [asText]);
}

/**
 * Subscribes to changes of a farm's pickup slots while the component is mounted. Calls `onWatched` once the
 * subscription holds, again on each connection: what was read before may be old.
 */
export function useWatchFarm(farmId: string, onWatched: () => void): void {
  const refresh = useEffectEvent(onWatched);
  useEffect(() => {
    if (farmId === '') return;
    return stopAll(
      farmListeners.add(() => refresh()),
      farms.add([farmId]),
    );
  }, [farmId]);
}

/** Refetches every cached answer with a product older than the server's version. */
function refetchOutdated(
  cache: QueryClient,
  watched: readonly string[],
  versions: WatchedVersions,
): void {
  const ids = new Set(watched);
  for (const query of cache.getQueryCache().getAll()) {
    if (containsOlder(query.state.data, ids, versions)) refetch(cache, query.queryKey, true);
  }
}

function containsOlder(value: unknown, ids: Set<string>, versions: WatchedVersions): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some((item) => containsOlder(item, ids, versions));
  const { _id, version } = value as { _id?: unknown; version?: unknown };
  if (typeof _id === 'string' && typeof version === 'number' && ids.has(_id)) {
    const now = versions[_id];
    if (now === undefined || now > version) return true;
  }
  return Object.values(value).some((item) => containsOlder(item, ids, versions));
}

/** Returns a person's presence; undefined while it is unknown. */
export function usePresence(id: string): Presence | undefined {
  useWatchPresence([id]);
  return useSyncExternalStore(onPresence, () => presenceOf(id));
}
