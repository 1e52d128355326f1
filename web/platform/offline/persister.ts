import {
  type InfiniteData,
  partialMatchKey,
  type Query,
  type QueryCacheNotifyEvent,
  type QueryClient,
} from '@tanstack/react-query';
import { newId } from '../api/api.ts';
import { ApiError } from '../api/api-error.ts';
import { connectionAtom, isUpToDate } from '../api/connection.ts';
import { beginOtherHistory, isOutdated } from '../realtime/in-flight.ts';
import {
  type CaughtUp,
  onCaughtUp,
  type Position,
  positionOf,
  resumeFrom,
} from '../realtime/position.ts';
import { readOwner } from '../session/owned.ts';
import { store as clientState, isStoredToken, readToken } from '../session/session.ts';
import { hasKeptReadsAtom, keptPageAt, noteRestored } from './kept-reads.ts';
import { planRestore, planWrite, type Restorable, type Snapshot } from './plan.ts';
import type { KeptEntry, KeptGroup, KeptNote, KeptStore } from './records.ts';
import { UnconfirmedReads } from './unconfirmed.ts';

/** Changes within this time are written together. */
const WRITE_DELAY_MS = 1_000;
/** How often what is kept is noted to be still true, while nothing changes. */
const HEARTBEAT_MS = 60_000;
/** After so many failures one after the other nothing is written any more: the storage is full or broken. */
const FAILURES_MAX = 3;
/** How long kept queries stay in memory when no page shows them, so that they are readable without a connection. */
const GC_TIME_MS = 12 * 3_600_000;

/** Whose reads are kept. */
export type Reader = {
  /** Changes with everything that decides on what this person may see. */
  owner: string;
  /** Null for a visitor. */
  userId: string | null;
  token: string | null;
};

type Options = { store: KeptStore; groups: readonly KeptGroup[]; format: string; reader: Reader };

/**
 * Puts what was kept for the reader into the query cache, and keeps from then on what the cache holds of the groups.
 * What was kept for somebody else, or in another format, is removed. Returns how to stop.
 */
export function keepReads(cache: QueryClient, options: Options): () => void {
  const persister = new Persister(cache, options);
  void persister.start();
  return () => persister.stop();
}

class Persister {
  readonly #cache: QueryClient;
  readonly #options: Options;
  readonly #unconfirmed: UnconfirmedReads;
  /** The version of each query's data that is stored, or about to be. */
  readonly #stamps = new WeakMap<Query, { data: unknown; stamp: string }>();
  /** What was in the cache before: it may be another reader's. */
  readonly #foreign: WeakSet<Query>;
  readonly #gone = new Set<string>();
  readonly #stops: (() => void)[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #restoredFrom: Position | null = null;
  #isRestored = false;
  #isStopped = false;
  #failures = 0;

  constructor(cache: QueryClient, options: Options) {
    this.#cache = cache;
    this.#options = options;
    this.#unconfirmed = new UnconfirmedReads(cache);
    const queries = cache.getQueryCache().findAll();
    this.#foreign = new WeakSet(queries.filter(({ state }) => state.data !== undefined));
    for (const { prefix } of options.groups) {
      cache.setQueryDefaults(prefix, { gcTime: GC_TIME_MS });
    }
  }

  async start(): Promise<void> {
    this.#stops.push(this.#cache.getQueryCache().subscribe((event) => this.#onChange(event)));
    this.#stops.push(onCaughtUp((caughtUp) => this.#onCaughtUp(caughtUp)));
    this.#addKeptPage();
    await this.#restore();
    if (this.#isStopped) return;
    this.#unconfirmed.publish();
    this.#isRestored = true;
    noteRestored();
    const heartbeat = setInterval(() => this.#isLive && this.#schedule(), HEARTBEAT_MS);
    const onHide = () => {
      if (document.visibilityState === 'hidden') void this.#write();
    };
    document.addEventListener('visibilitychange', onHide);
    this.#stops.push(
      () => clearInterval(heartbeat),
      () => document.removeEventListener('visibilitychange', onHide),
    );
    this.#schedule();
  }

  /** Stops, and removes what is kept if the session has ended. */
  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    for (const stop of this.#stops.splice(0)) stop();
    this.#unconfirmed.clear();
    clientState.set(hasKeptReadsAtom, false);
    const { token, userId } = this.#options.reader;
    // Under another token the same person goes on.
    const goesOn = readToken() !== null && readOwner() === userId;
    if (!isStoredToken(token) && !goesOn) void this.#wipe();
  }

  get #isLive(): boolean {
    return isUpToDate(clientState.get(connectionAtom));
  }

  /** What came with a page that the service worker kept is no newer than that. */
  #addKeptPage(): void {
    for (const query of this.#cache.getQueryCache().getAll()) {
      if (!isOfKeptPage(query)) continue;
      this.#unconfirmed.add(query.queryHash, { isCovered: false, asOf: query.state.dataUpdatedAt });
    }
  }

  async #restore(): Promise<void> {
    const { store, reader, format } = this.#options;
    try {
      const kept = await store.read();
      if (this.#isStopped || !kept) return;
      const restorable = readable(() =>
        planRestore(kept, { format, owner: reader.owner, now: Date.now() }),
      );
      if (!restorable) {
        await this.#wipe();
        return;
      }
      const { position } = kept.head;
      const known = positionOf(reader.userId);
      // Another tab may be further in the same log.
      if (known && position && known.epoch !== position.epoch) {
        await this.#wipe();
        return;
      }
      this.#restoredFrom = position;
      const canReplay =
        reader.userId !== null && position !== null && resumeFrom(reader.userId, position);
      for (const entry of restorable) this.#putIntoCache(entry, canReplay);
      clientState.set(hasKeptReadsAtom, reader.userId !== null);
    } catch {
      // The storage is forbidden or broken: the page works without it.
    }
  }

  #putIntoCache({ hash, key, data, stamp, updatedAt, ...entry }: Restorable, canReplay: boolean) {
    const cached = this.#cache.getQueryCache().get(hash);
    const isOlder = cached && isOfKeptPage(cached) && cached.state.dataUpdatedAt < updatedAt;
    if (cached?.state.data !== undefined && !isOlder) return;
    const isCovered = entry.isCovered && canReplay;
    this.#unconfirmed.add(hash, { isCovered, asOf: entry.asOf });
    this.#cache.setQueryData(key, data, { updatedAt });
    const query = this.#cache.getQueryCache().get(hash);
    if (!query) return;
    this.#stamps.set(query, { data: query.state.data, stamp });
    // Fetched again when it is shown; while a fetch is on its way there is no need.
    if (!isCovered && query.state.fetchStatus === 'idle') query.invalidate();
  }

  #onChange(event: QueryCacheNotifyEvent): void {
    const { query } = event;
    const isUnconfirmed = this.#unconfirmed.get(query.queryHash) !== undefined;
    if (isUnconfirmed && event.type.startsWith('observer')) this.#unconfirmed.publish();
    if (event.type === 'removed') this.#unconfirmed.confirm(query.queryHash);
    if (event.type === 'observerAdded' && isUnconfirmed && this.#isLive) {
      if (query.state.fetchStatus === 'idle') this.#unconfirmed.refetch(query);
    }
    if (event.type !== 'updated') return;
    const isAnswered = event.action.type === 'success' && !event.action.manual;
    if (isAnswered) this.#unconfirmed.confirm(query.queryHash);
    if (!this.#groupOf(query)) return;
    if (isAnswered) {
      this.#foreign.delete(query);
      this.#gone.delete(query.queryHash);
    }
    if (event.action.type === 'error' && isRefused(event.action.error)) {
      this.#gone.add(query.queryHash);
      this.#unconfirmed.confirm(query.queryHash);
    }
    if (event.action.type !== 'fetch') this.#schedule();
  }

  #onCaughtUp({ userId, isReplayed }: CaughtUp): void {
    if (userId !== this.#options.reader.userId) return;
    const position = positionOf(userId);
    const kept = this.#restoredFrom;
    const isOtherHistory =
      kept !== null && (kept.epoch !== position?.epoch || kept.seq > (position?.seq ?? 0));
    if (isOtherHistory) {
      this.#restoredFrom = null;
      beginOtherHistory(this.#cache);
      void this.#wipe();
    }
    this.#unconfirmed.settle(isReplayed);
    this.#schedule();
  }

  #groupOf({ queryKey }: Query): KeptGroup | undefined {
    return this.#options.groups.find(
      ({ prefix, matches }) => partialMatchKey(queryKey, prefix) && (matches?.(queryKey) ?? true),
    );
  }

  #schedule(): void {
    if (!this.#isRestored || this.#isStopped || this.#timer !== undefined) return;
    this.#timer = setTimeout(() => void this.#write(), WRITE_DELAY_MS);
  }

  async #write(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (!this.#isRestored || this.#isStopped || this.#failures >= FAILURES_MAX) return;
    const { store, groups, reader } = this.#options;
    const snapshot = this.#snapshot();
    try {
      await store.write((head) =>
        // Asked within the transaction: a sign-out in another tab may have removed everything meanwhile.
        this.#isStopped || !isStoredToken(reader.token) ? null : planWrite(head, snapshot, groups),
      );
      this.#failures = 0;
    } catch {
      // Nothing of it is stored, and what was stored before is still whole.
      this.#failures++;
    }
  }

  /** Taken at one moment, between two events: data and position belong together. */
  #snapshot(): Snapshot {
    const { format, reader } = this.#options;
    const position = positionOf(reader.userId);
    // A page shows at once what its mutations will do, which the server may yet refuse.
    const isSettled = this.#cache.isMutating() === 0;
    const entries = new Map<string, KeptEntry & KeptNote>();
    for (const query of this.#cache.getQueryCache().findAll()) {
      const group = this.#groupOf(query);
      const { data, dataUpdatedAt } = query.state;
      if (!group || data === undefined || this.#foreign.has(query)) continue;
      if (this.#gone.has(query.queryHash)) continue;
      const isKnown = this.#unconfirmed.get(query.queryHash)?.isCovered ?? true;
      entries.set(query.queryHash, {
        key: query.queryKey,
        data: firstPageOf(data),
        group: group.name,
        updatedAt: dataUpdatedAt,
        stamp: this.#stampOf(query),
        isCovered: group.isCovered && isKnown && isSettled && !isOutdated(this.#cache, query),
      });
    }
    return {
      format,
      owner: reader.owner,
      position,
      isLive: this.#isLive,
      at: Date.now(),
      entries,
      gone: new Set(this.#gone),
    };
  }

  #stampOf(query: Query): string {
    const { data } = query.state;
    const known = this.#stamps.get(query);
    if (known?.data === data && known) return known.stamp;
    const stamp = newId();
    this.#stamps.set(query, { data, stamp });
    return stamp;
  }

  async #wipe(): Promise<void> {
    // A browser that does not let us remove has not let us keep either.
    await this.#options.store.wipe().catch(() => undefined);
  }
}

/** Whether a query has what came with a page that the service worker kept. */
const isOfKeptPage = ({ state }: Query): boolean => state.dataUpdatedAt === keptPageAt();

/** Returns what `plan` makes of the stored records, or null if those are broken. */
function readable<Plan>(plan: () => Plan): Plan | null {
  try {
    return plan();
  } catch {
    return null;
  }
}

/** Whether the server refuses the answer to this reader, as opposed to being away. */
const isRefused = (error: unknown): boolean =>
  error instanceof ApiError && [401, 403, 404].includes(error.status);

/** Returns a list with its first page alone: what is further down is loaded again as one scrolls. */
function firstPageOf(data: unknown): unknown {
  const { pages, pageParams } = (data ?? {}) as Partial<InfiniteData<unknown>>;
  if (!Array.isArray(pages) || !Array.isArray(pageParams)) return data;
  return { ...(data as object), pages: pages.slice(0, 1), pageParams: pageParams.slice(0, 1) };
}
