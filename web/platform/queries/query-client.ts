import { QueryClient, replaceEqualDeep } from '@tanstack/react-query';
import { ApiError } from '../api/api-error.ts';

/** An entity with an id and a version that grows with every change. */
type Versioned = { _id: string; version: number };

const isVersioned = (value: object): value is Versioned => {
  const { _id, version } = value as Partial<Versioned>;
  return typeof _id === 'string' && typeof version === 'number';
};

function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function collect(value: unknown, known: Map<string, Versioned>): void {
  if (Array.isArray(value)) {
    for (const item of value) collect(item, known);
  } else if (isPlain(value)) {
    if (isVersioned(value)) {
      const before = known.get(value._id);
      if (!before || before.version < value.version) known.set(value._id, value);
    }
    for (const item of Object.values(value)) collect(item, known);
  }
}

/** Returns `value` with every entity in it replaced by the one in `known` that has a higher version, if any. */
export function withNewer(value: unknown, known: ReadonlyMap<string, Versioned>): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item) => withNewer(item, known));
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  if (!isPlain(value)) return value;
  if (isVersioned(value)) {
    const before = known.get(value._id);
    if (before && before.version > value.version) return before;
  }
  let changed: Record<string, unknown> | undefined;
  for (const [key, item] of Object.entries(value)) {
    const next = withNewer(item, known);
    if (next === item) continue;
    changed ??= { ...value };
    changed[key] = next;
  }
  return changed ?? value;
}

/**
 * Returns `fresh` with every entity (same `_id`) replaced by the one in `old` if that has a higher
 * `version`: an event may have updated `old` during the fetch. Membership and order are those of
 * `fresh`. Handles lists, pages and nested entities.
 */
export function keepNewer<Data>(old: unknown, fresh: Data): Data {
  const known = new Map<string, Versioned>();
  collect(old, known);
  return known.size === 0 ? fresh : (withNewer(fresh, known) as Data);
}

const MAX_RETRIES = 2;

/** Returns whether to retry a failed request: only for temporary errors. */
export function shouldRetry(failures: number, error: unknown): boolean {
  return failures < MAX_RETRIES && error instanceof ApiError && error.isTemporary;
}

/** Returns the retry delay in milliseconds: the server's Retry-After (at most 10 s), or 0.5 s, 1 s, … */
export function retryDelay(failures: number, error: unknown): number {
  const asked = error instanceof ApiError ? error.retryAfter : undefined;
  return asked === undefined ? Math.min(500 * 2 ** failures, 8_000) : Math.min(asked, 10) * 1_000;
}

/** Creates the cache of server data, which events and refetches keep up to date. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // Events update the cache; refetches cover what no event reports.
        staleTime: 30_000,
        gcTime: 10 * 60_000,
        retry: shouldRetry,
        retryDelay,
        // Without this, a page opened offline would stay pending instead of showing an error.
        networkMode: 'always',
        structuralSharing: (old, fresh) => replaceEqualDeep(old, keepNewer(old, fresh)),
      },
      mutations: { networkMode: 'always' },
    },
  });
}
