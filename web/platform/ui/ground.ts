/** Returns a 32-bit hash of a text (FNV-1a). */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) {
    value ^= text.charCodeAt(i);
    value = Math.imul(value, 0x01000193);
  }
  return value >>> 0;
}

/** Returns a generator of numbers in [0, 1) that is seeded with the text (mulberry32). */
export function seededRandom(text: string): () => number {
  let state = hash(text);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const grounds = [
  'bg-ground-sky',
  'bg-ground-tomato',
  'bg-ground-plum',
  'bg-ground-straw',
  'bg-ground-clay',
  'bg-ground-leaf',
] as const;

/** Returns the class of a tinted background, the same one for the same name. */
export function groundClass(name: string): string {
  // Uses the upper bits of the hash: the lower ones differ little between short names.
  return grounds[(hash(name) >>> 26) % grounds.length] ?? grounds[0];
}
