import type { Query, QueryClient } from '@tanstack/react-query';
import { store } from '../session/session.ts';
import { asOfAtom } from './kept-reads.ts';

/** An answer of an earlier visit that nothing has confirmed yet. */
type Unconfirmed = { isCovered: boolean; asOf: number };

/** The answers of an earlier visit that are in the query cache and may be out of date. */
export class UnconfirmedReads {
  readonly #cache: QueryClient;
  readonly #byHash = new Map<string, Unconfirmed>();

  constructor(cache: QueryClient) {
    this.#cache = cache;
  }

  add(hash: string, { isCovered, asOf }: Unconfirmed): void {
    this.#byHash.set(hash, { isCovered, asOf });
  }

  get(hash: string): Unconfirmed | undefined {
    return this.#byHash.get(hash);
  }

  /** Call when the server has answered the query, or it left the cache. */
  confirm(hash: string): void {
    if (this.#byHash.delete(hash)) this.publish();
  }

  /**
   * Call after a catch-up. A replay confirms what events cover; everything else is fetched again, at once where it is
   * shown.
   */
  settle(isReplayed: boolean): void {
    for (const [hash, { isCovered }] of this.#byHash) {
      const query = this.#query(hash);
      if (isReplayed && isCovered) this.#byHash.delete(hash);
      // Without a line, the fetch that a page began has failed.
      const isDue = !(isReplayed && isCovered) || query?.state.status === 'error';
      if (query && isDue) this.refetch(query);
    }
    this.publish();
  }

  /** Fetches the query again if it is shown, and otherwise when it is next shown. */
  refetch({ queryKey }: Query): void {
    void this.#cache.invalidateQueries({ queryKey, exact: true }, { cancelRefetch: false });
  }

  /** Publishes the time of the oldest data that is shown unconfirmed. */
  publish(): void {
    let asOf: number | null = null;
    for (const [hash, unconfirmed] of this.#byHash) {
      if (!this.#query(hash)?.isActive()) continue;
      asOf = Math.min(asOf ?? Number.POSITIVE_INFINITY, unconfirmed.asOf);
    }
    store.set(asOfAtom, asOf);
  }

  clear(): void {
    this.#byHash.clear();
    store.set(asOfAtom, null);
  }

  #query(hash: string): Query | undefined {
    return this.#cache.getQueryCache().get(hash);
  }
}
