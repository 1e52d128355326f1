import type { Query, QueryClient, QueryKey } from '@tanstack/react-query';
import type { Envelope, EventName } from '#contract/realtime';
import { refetch, touched } from './in-flight.ts';

/**
 * Works one event into the cache. It must bear being given the same event twice, and an event that
 * is older than what is cached. A mutation's own answer goes through the same reducer.
 */
export type Reducer<Name extends EventName> = (cache: QueryClient, event: Envelope<Name>) => void;

/** The reducers of one feature: those of the events it cares for. */
export type FeatureReducers = { readonly [Name in EventName]?: Reducer<Name> };

/** Anything with an id; what changes carries a version too. */
type Entity = { _id: string; version?: number };

/** One fetched part of a list, as the API answers it. */
type Page = { data: readonly Entity[]; count?: number; nextCursor?: string | null };

/** `a` before `b` is negative, as for `Array.sort`. */
export type Order<Item> = (a: Item, b: Item) => number;

/**
 * Orders by a field, then by `_id`, so that two of the same moment stand as the server has them:
 * both ascending or both descending.
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

/** True when `fresh` is to stand where `old` does: versions decide where there are any. */
function isNewer(fresh: Entity, old: Entity): boolean {
  return fresh.version === undefined || old.version === undefined || fresh.version > old.version;
}

/** How {@link upsert} finds what to do with each cached list. */
export type UpsertOptions<Item> = {
  /** Where it belongs among the others. Without it: where it was, or at the top. */
  order?: Order<Item>;
  /**
   * Whether the list under this key should hold it (it may have a filter): true, false, or
   * undefined where only the server can say, in which case the list is asked for again.
   */
  belongs?: (item: Item, queryKey: QueryKey) => boolean | undefined;
  /** What stands in the place of an older one; the fresh one itself unless told otherwise. */
  merge?: (old: Item, fresh: Item) => Item;
};

/**
 * Puts `item` in its place in every cached list under `queryKey`, in the place of its older self
 * where it is there already, and replaces it where it is cached alone. Knows bare lists, the API's
 * `{ data, count, nextCursor }`, `{ data }` of one thing, and the pages of infinite queries. An
 * item that belongs behind the loaded part of a list is left for the server to bring.
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
 * Changes the one with this id wherever it is cached under `queryKey`, in lists and alone. Give
 * `change` back what it was given to leave it as it is.
 */
export function patch<Item extends Entity>(
  cache: QueryClient,
  queryKey: QueryKey,
  id: string,
  change: (item: Item) => Item,
): void {
  patchWhere<Item>(cache, queryKey, (item) => (item._id === id ? change(item) : item));
}

/** Like {@link patch}, for each cached under `queryKey`; `change` answers the same for the others. */
export function patchWhere<Item extends Entity>(
  cache: QueryClient,
  queryKey: QueryKey,
  change: (item: Item) => Item,
): void {
  rewrite(cache, queryKey, (data) =>
    onLists(data, (parts) =>
      parts.map((part) => ({ ...part, items: mapped(part.items as readonly Item[], change) })),
    ),
  );
}

/** Takes the one with this id out of every cached list under `queryKey`. */
export function remove(cache: QueryClient, queryKey: QueryKey, id: string): void {
  rewrite(cache, queryKey, (data) =>
    onLists(data, (parts) => parts.map((part) => without(part, id))),
  );
}

/**
 * Puts `entity` in the place of every older version of it, wherever it is cached under `queryKey`
 * and however deep: in lists, alone, in a dashboard's figures. Adds it nowhere.
 */
export function renew(
  cache: QueryClient,
  entity: Entity & { version: number },
  queryKey: QueryKey = [],
): void {
  for (const query of cache.getQueryCache().findAll({ queryKey })) {
    const fresh = renewed(query.state.data, entity);
    if (fresh === query.state.data) continue;
    write(cache, query, fresh);
    touched(cache, query.queryKey, true);
  }
}

/**
 * Gives everything cached under `queryKey` to `change`, and keeps what comes back. For what the
 * helpers above do not know how to say.
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
  touched(cache, queryKey);
}

/** An event makes data truer, but not younger: what was to be asked for again still is. */
function write(cache: QueryClient, query: Query, data: unknown): void {
  const { dataUpdatedAt, isInvalidated } = query.state;
  cache.setQueryData(query.queryKey, data, { updatedAt: dataUpdatedAt });
  if (isInvalidated) query.invalidate();
}

function renewed(value: unknown, entity: Entity): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return mapped(value, (item: unknown) => renewed(item, entity));
  if (isEntity(value) && value._id === entity._id && typeof value.version === 'number') {
    return isNewer(entity, value) ? entity : value;
  }
  let changed: Record<string, unknown> | undefined;
  for (const [key, item] of Object.entries(value)) {
    const next = renewed(item, entity);
    if (next === item) continue;
    changed ??= { ...value };
    changed[key] = next;
  }
  return changed ?? value;
}

/** `items.map(change)`, but the same array when nothing changed. */
function mapped<Item>(items: readonly Item[], change: (item: Item) => Item): readonly Item[] {
  const next = items.map(change);
  return next.every((item, index) => item === items[index]) ? items : next;
}

/** A part of a list without its wrapping; `more` tells that the server has more behind it. */
type ListPart<Item> = { items: readonly Item[]; more: boolean };

function without<Item extends Entity>(part: ListPart<Item>, id: string): ListPart<Item> {
  return part.items.some((item) => item._id === id)
    ? { ...part, items: part.items.filter((item) => item._id !== id) }
    : part;
}

function upserted<Item extends Entity>(
  parts: readonly ListPart<Item>[],
  item: Item,
  belongs: boolean | undefined,
  { order, merge }: UpsertOptions<Item>,
): readonly ListPart<Item>[] {
  const old = parts.flatMap((part) => part.items).find((other) => other._id === item._id);
  if (old && belongs === false) {
    return isNewer(item, old) ? parts.map((part) => without(part, item._id)) : parts;
  }
  if (old) {
    if (!isNewer(item, old)) return parts;
    const fresh = merge ? merge(old, item) : item;
    const stays = !order || order(old, fresh) === 0;
    if (stays) {
      return parts.map((part) => ({
        ...part,
        items: mapped(part.items, (other) => (other._id === item._id ? fresh : other)),
      }));
    }
    return inserted(
      parts.map((part) => without(part, item._id)),
      fresh,
      order,
    );
  }
  return belongs ? inserted(parts, item, order) : parts;
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
  // Behind the end of what is loaded: the server brings it with the next part.
  if (!last || last.more) return parts;
  return parts.with(parts.length - 1, { ...last, items: [...last.items, item] });
}

function isEntity(value: unknown): value is Entity {
  return typeof (value as Partial<Entity> | null | undefined)?._id === 'string';
}

function isPage(value: unknown): value is { data: unknown } {
  return typeof value === 'object' && value !== null && 'data' in value;
}

/**
 * Unwraps whatever form a query keeps its list in, and wraps the result up again. What is neither a
 * list nor one entity is left as it is. The same data comes back when nothing changed.
 */
function onLists(
  data: unknown,
  change: (parts: readonly ListPart<Entity>[]) => readonly ListPart<Entity>[],
): unknown {
  if (Array.isArray(data)) {
    return change([{ items: data as readonly Entity[], more: false }])[0]?.items ?? data;
  }
  if (isEntity(data)) return onOne(data, change);
  if (isPage(data)) {
    if (Array.isArray(data.data)) return onPages([data as Page], change)[0];
    if (!isEntity(data.data)) return data;
    const one = onOne(data.data, change);
    return one === data.data ? data : { ...data, data: one };
  }
  const pages = (data as { pages?: unknown } | null | undefined)?.pages;
  if (!Array.isArray(pages)) return data;
  const next = onPages(pages as readonly Page[], change);
  return next === pages ? data : { ...(data as object), pages: next };
}

/** A thing cached alone is replaced or changed, but never taken away or put where another is. */
function onOne(
  data: Entity,
  change: (parts: readonly ListPart<Entity>[]) => readonly ListPart<Entity>[],
): Entity {
  const after = change([{ items: [data], more: true }])[0]?.items;
  return after?.find((item) => item._id === data._id) ?? data;
}

function onPages(
  pages: readonly Page[],
  change: (parts: readonly ListPart<Entity>[]) => readonly ListPart<Entity>[],
): readonly Page[] {
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
