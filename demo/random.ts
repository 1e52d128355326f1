/** A repeatable source of random numbers, so that each seed creates the same market. */
export interface Random {
  /** A number from 0 (included) to 1 (excluded). */
  next(): number;
  /** A number from `low` (included) to `high` (excluded). */
  between(low: number, high: number): number;
  /** A whole number from `low` to `high`, both included. */
  whole(low: number, high: number): number;
  /** True with the given probability (0 to 1). */
  chance(probability: number): boolean;
  /** One entry of a list. Throws if the list is empty. */
  pick<T>(list: readonly T[]): T;
  /** Returns a shuffled copy of a list. */
  shuffled<T>(list: readonly T[]): T[];
}

/** Creates a source of random numbers with the same sequence for the same seed (mulberry32). */
export function makeRandom(seed: number): Random {
  let state = seed >>> 0;

  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  }

  function whole(low: number, high: number): number {
    return low + Math.floor(next() * (high - low + 1));
  }

  function pick<T>(list: readonly T[]): T {
    if (list.length === 0) throw new Error('Cannot pick from an empty list.');
    return list[whole(0, list.length - 1)] as T;
  }

  function shuffled<T>(list: readonly T[]): T[] {
    const rest = [...list];
    const result: T[] = [];
    while (rest.length > 0) result.push(...rest.splice(whole(0, rest.length - 1), 1));
    return result;
  }

  return {
    next,
    between: (low, high) => low + next() * (high - low),
    whole,
    chance: (probability) => next() < probability,
    pick,
    shuffled,
  };
}
