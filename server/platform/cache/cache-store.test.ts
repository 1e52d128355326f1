import { describe, expect, it } from 'vitest';
import { createCacheStore, type Stored } from './response-cache.ts';

const entry = (key: string, bytes = 10, invalidatedBy: string[] = []): Stored => ({
  key,
  bytes,
  invalidatedBy,
  urls: new Set(),
});

const filled = (limits: { entries?: number; bytes?: number; urls?: number }, keys: string[]) => {
  const store = createCacheStore<Stored>({ entries: 100, bytes: 1000, urls: 100, ...limits });
  for (const key of keys) store.add(entry(key));
  return store;
};

describe('the cache store', () => {
  it('evicts the least recently used entry, not the oldest', () => {
    const store = filled({ entries: 3 }, ['a', 'b', 'c']);
    store.get('a');
    store.add(entry('d'));
    expect(['a', 'b', 'c', 'd'].filter((key) => store.get(key))).toEqual(['a', 'c', 'd']);
  });

  it('counts a use by URL as a use of the entry and of the URL', () => {
    const store = filled({ entries: 3, urls: 2 }, ['a', 'b', 'c']);
    const a = store.get('a') as Stored;
    const b = store.get('b') as Stored;
    store.addUrl('/a', a);
    store.addUrl('/b', b);
    expect(store.getByUrl('/a')).toBe(a);
    store.addUrl('/b?', b);
    expect(store.getByUrl('/b')).toBeUndefined();
    expect(store.getByUrl('/a')).toBe(a);
    expect(b.urls).toEqual(new Set(['/b?']));
  });

  it('evicts until the bytes fit, also when an entry grows later', () => {
    const store = filled({ bytes: 50 }, ['a', 'b', 'c']);
    const c = store.get('c') as Stored;
    store.grow(c, 25);
    expect(store.size()).toMatchObject({ entries: 2, bytes: 45 });
    // What is larger than the whole cache evicts itself alone.
    store.grow(c, 1000);
    expect(store.size()).toEqual({ entries: 1, bytes: 10, urls: 0 });
    // A removed entry no longer counts.
    store.grow(c, 5);
    store.remove(c);
    expect(store.size()).toEqual({ entries: 1, bytes: 10, urls: 0 });
    store.add(entry('d', 51, ['category.changed']));
    store.invalidate('category.changed');
    expect(store.get('d')).toBeUndefined();
  });

  it('removes an entry from all indexes', () => {
    const store = filled({}, []);
    const one = entry('one', 10, ['product.updated 1', 'category.changed']);
    const two = entry('two', 20, ['product.updated 2', 'category.changed']);
    store.add(one);
    store.add(two);
    store.addUrl('/one', one);
    store.addUrl('/two', two);
    store.invalidate('product.updated 1');
    expect(store.getByUrl('/one')).toBeUndefined();
    expect(store.get('one')).toBeUndefined();
    expect(store.size()).toEqual({ entries: 1, bytes: 20, urls: 1 });
    store.addUrl('/one', one);
    expect(store.getByUrl('/one')).toBeUndefined();
    store.invalidate('category.changed');
    store.invalidate('nothing.of the kind');
    expect(store.size()).toEqual({ entries: 0, bytes: 0, urls: 0 });
  });

  it('replaces an entry of the same key', () => {
    const store = filled({}, ['a']);
    const old = store.get('a') as Stored;
    store.addUrl('/a', old);
    store.add(entry('a', 30));
    expect(store.has(old)).toBe(false);
    expect(store.getByUrl('/a')).toBeUndefined();
    expect(store.size()).toEqual({ entries: 1, bytes: 30, urls: 0 });
  });

  it('keeps its limits under any sequence of operations', () => {
    const limits = { entries: 20, bytes: 2000, urls: 30 };
    const store = createCacheStore<Stored>(limits);
    let seed = 7;
    const next = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return seed % below;
    };
    for (let step = 0; step < 20_000; step++) {
      const key = `k${next(60)}`;
      const known = store.get(key);
      const action = next(8);
      if (!known) store.add(entry(key, 1 + next(100), [`event ${next(10)}`]));
      else if (action < 3) store.grow(known, next(300));
      else if (action < 6) store.addUrl(`/${key}?${next(40)}`, known);
      else if (action === 6) store.invalidate(`event ${next(10)}`);
      const { entries, bytes, urls } = store.size();
      expect(entries <= limits.entries && bytes <= limits.bytes && urls <= limits.urls).toBe(true);
      expect(bytes >= entries).toBe(true);
    }
  });
});
