import type { Query, QueryClient, QueryKey } from '@tanstack/react-query';
import type { EventName } from '#contract/platform/events/event';
import type { Envelope } from '#contract/platform/events/socket';
import { withNewer } from '../queries/query-client.ts';
import { protectFromStaleFetch, refetch } from './in-flight.ts';

/**
 * Applies one event to the cache. It must be idempotent, and ignore an event that is older than the
 * cached data.
 */
export type Reducer<Name extends EventName> = (cache: QueryClient, event: Envelope<Name>) => void;

/** The reducers of one feature, for the events that it handles. */
export type FeatureReducers = { readonly [Name in EventName]?: Reducer<Name> };

/** Anything with an id, and a version if it can change. */
type Entity = { _id: string; version?: number | undefined };

/** One page of a list, as the API returns it. */
type Page = { data: readonly Entity[]; count?: number; nextCursor?: string | null };

/** A compare function as for `Array.sort`. */
export type Order<Item> = (a: Item, b: Item) => number;

/**
 * Returns a compare function by a field, then by `_id` in the same direction, as the server orders
 * its lists.
 */
export function byField<Field extends string>(
  field: Field,
  direction: 'asc' | 'desc',
): Order<{ _id: string } & Record<Field, string | number>> {
  const sign = direction === 'asc' ? 1 : -1;
  return (a, b) => sign * (compare(a[field], b[field]) || compare<string | number>(a._id, b._id));
}

function compare<Value extends string | number>(a: Value, b: Value): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Returns whether `fresh` replaces `old`: if its version is higher, or one has no version. */
function isNewer(fresh: Entity, old: Entity): boolean {
  return fresh.version === undefined || old.version === undefined || fresh.version > old.version;
}

/** Options of {@link upsert}. */
export type UpsertOptions<Item> = {
  /** The order of the list. Without it an item keeps its position, and a new one goes to the top. */
  order?: Order<Item>;
  /**
   * Returns whether the list under this key, which may be filtered, contains the item. If undefined,
   * only the server knows, and the list is refetched.
   */
  belongs?: (item: Item, queryKey: QueryKey) => boolean | undefined;
  /** Returns the replacement of an older item; by default the fresh one. */
  merge?: (old: Item, fresh: Item) => Item;
};

/**
 * Inserts or replaces `item` in every cached list under `queryKey`, and replaces it where it is
 * cached alone. Handles bare lists, `{ data, count, nextCursor }`, `{ data }` of one entity, and the
 * pages of infinite queries. An item behind the loaded part of a list is not inserted.
 */
export function upsert<Item extends Entity>(
  cache: QueryClient,
  queryKey: QueryKey,
  item: Item,
  options: UpsertOptions<Item> = {},
): void {
  rewrite(cache, queryKey, (data, query) => {
    const belongs = options.belongs ? options.belongs(item, query.queryKey) : true;
    if (belongs === undefined) refetch(cache, query.queryKey, true);
    return onLists(data, (parts) =>
      upserted(parts as readonly ListPart<Item>[], item, belongs, options),
    );
  });
}

/**
 * Changes the item with this id wherever it is cached under `queryKey`, in lists and alone. `change`
 * returns the same object to leave it unchanged.
 */
export function patch<Item extends Entity>(
  cache: QueryClient,
  queryKey: QueryKey,
  id: string,
  change: (item: Item) => Item,
): void {
  patchWhere<Item>(cache, queryKey, (item) => (item._id === id ? change(item) : item));
}

/** Like {@link patch}, for every item that is cached under `queryKey`. */
export function patchWhere<Item extends Entity>(
  cache: QueryClient,
  queryKey: QueryKey,
  change: (item: Item) => Item,
): void {
  rewriteItems<Item>(cache, queryKey, (items) => mapped(items, change));
}

/** Removes the item with this id from every cached list under `queryKey`. */
export function remove(cache: QueryClient, queryKey: QueryKey, id: string): void {
  removeWhere(cache, queryKey, (item) => item._id === id);
}

/** Removes all items that match `isGone` from every cached list under `queryKey`. */
export function removeWhere<Item extends Entity>(
  cache: QueryClient,
  queryKey: QueryKey,
  isGone: (item: Item) => boolean,
): void {
  rewriteItems<Item>(cache, queryKey, (items) => without(items, isGone));
}

function rewriteItems<Item extends Entity>(
  cache: QueryClient,
  queryKey: QueryKey,
  change: (items: readonly Item[]) => readonly Item[],
): void {
  rewrite(cache, queryKey, (data) =>
    onLists(data, (parts) =>
      parts.map((part) => ({ ...part, items: change(part.items as readonly Item[]) })),
    ),
  );
}

/**
 * Refetches each query under `queryKey` whose data contains `id` anywhere or that is being fetched.
 */
export function refetchAbout(cache: QueryClient, queryKey: QueryKey, id: string): void {
  for (const query of cache.getQueryCache().findAll({ queryKey })) {
    const { data, fetchStatus } = query.state;
    if (fetchStatus !== 'idle' || containsId(data, id)) refetch(cache, query.queryKey, true);
  }
}

function containsId(value: unknown, id: string): boolean {
  if (typeof value !== 'object' || value === null) return value === id;
  return Object.values(value).some((item) => containsId(item, id));
}

/**
 * Replaces every older version of `entity` that is cached under `queryKey`, at any depth: in lists,
 * alone, in a dashboard's figures. Does not insert it.
 */
export function replaceEverywhere(
  cache: QueryClient,
  entity: Entity & { version: number },
  queryKey: QueryKey = [],
): void {
  const known = new Map([[entity._id, entity]]);
  for (const query of cache.getQueryCache().findAll({ queryKey })) {
    const fresh = withNewer(query.state.data, known);
    if (fresh === query.state.data) continue;
    write(cache, query, fresh);
    protectFromStaleFetch(cache, query.queryKey, true);
  }
}

/**
 * Replaces the data of every query under `queryKey` by the result of `change`. For changes that the
 * helpers above do not cover.
 */
export function rewrite(
  cache: QueryClient,
  queryKey: QueryKey,
  change: (data: unknown, query: Query) => unknown,
): void {
  for (const query of cache.getQueryCache().findAll({ queryKey })) {
    const fresh = change(query.state.data, query);
    if (fresh !== query.state.data) write(cache, query, fresh);
  }
  protectFromStaleFetch(cache, queryKey);
}

/** Writes data without changing its age or invalidation: other parts of it may still be stale. */
function write(cache: QueryClient, query: Query, data: unknown): void {
  const { dataUpdatedAt, isInvalidated } = query.state;
  cache.setQueryData(query.queryKey, data, { updatedAt: dataUpdatedAt });
  if (isInvalidated) query.invalidate();
}

/** `items.map(change)`, but the same array when nothing changed. */
function mapped<Item>(items: readonly Item[], change: (item: Item) => Item): readonly Item[] {
  const next = items.map(change);
  return next.every((item, index) => item === items[index]) ? items : next;
}

/** The items of a list or page; `more` is true if the server has further items after them. */
type ListPart<Item> = { items: readonly Item[]; more: boolean };

const without = <Item extends Entity>(items: readonly Item[], isGone: (item: Item) => boolean) =>
  items.some(isGone) ? items.filter((item) => !isGone(item)) : items;

function upserted<Item extends Entity>(
  parts: readonly ListPart<Item>[],
  item: Item,
  belongs: boolean | undefined,
  { order, merge }: UpsertOptions<Item>,
): readonly ListPart<Item>[] {
  const isItem = (other: Item) => other._id === item._id;
  const old = parts.flatMap((part) => part.items).find(isItem);
  if (!old) return belongs ? inserted(parts, item, order) : parts;
  if (!isNewer(item, old)) return parts;
  const fresh = merge ? merge(old, item) : item;
  const stays = !order || order(old, fresh) === 0;
  if (belongs !== false && stays) {
    const replace = (other: Item) => (isItem(other) ? fresh : other);
    return parts.map((part) => ({ ...part, items: mapped(part.items, replace) }));
  }
  const rest = parts.map((part) => ({ ...part, items: without(part.items, isItem) }));
  return belongs === false ? rest : inserted(rest, fresh, order);
}

function inserted<Item extends Entity>(
  parts: readonly ListPart<Item>[],
  item: Item,
  order: Order<Item> | undefined,
): readonly ListPart<Item>[] {
  for (const [index, part] of parts.entries()) {
    const before = order ? part.items.findIndex((other) => order(item, other) < 0) : 0;
    if (before >= 0) {
      return parts.with(index, { ...part, items: part.items.toSpliced(before, 0, item) });
    }
  }
  const last = parts.at(-1);
  // The item belongs behind the loaded part; the next page will contain it.
  if (!last || last.more) return parts;
  return parts.with(parts.length - 1, { ...last, items: [...last.items, item] });
}

const isEntity = (value: unknown): value is Entity =>
  typeof (value as Partial<Entity> | null | undefined)?._id === 'string';

type Change = (parts: readonly ListPart<Entity>[]) => readonly ListPart<Entity>[];

/**
 * Applies `change` to the items in the data of a query, whatever its form. Data that is neither a
 * list nor an entity is not changed. Returns the same object if nothing changed.
 */
function onLists(data: unknown, change: Change): unknown {
  if (Array.isArray(data)) return onPages([{ data }], change)[0]?.data;
  if (isEntity(data)) {
    // Cached alone it cannot be removed.
    const after = change([{ items: [data], more: true }])[0]?.items;
    return after?.find((item) => item._id === data._id) ?? data;
  }
  const { data: held, pages } = (data ?? {}) as { data?: unknown; pages?: unknown };
  if (Array.isArray(held)) return onPages([data as Page], change)[0];
  if (isEntity(held)) {
    const one = onLists(held, change);
    return one === held ? data : { ...(data as object), data: one };
  }
  if (!Array.isArray(pages)) return data;
  const next = onPages(pages as readonly Page[], change);
  return next === pages ? data : { ...(data as object), pages: next };
}

function onPages(pages: readonly Page[], change: Change): readonly Page[] {
  const last = pages.length - 1;
  const parts = change(
    pages.map((page, index) => ({
      items: page.data,
      more: index < last || (page.nextCursor ?? null) !== null,
    })),
  );
  let index = 0;
  return mapped(pages, (page) => {
    const items = parts[index++]?.items ?? page.data;
    if (items === page.data) return page;
    return { ...page, data: items, ...(page.count === undefined ? {} : { count: items.length }) };
  });
}
