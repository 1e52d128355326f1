import { hash } from '../hooks/seeded-random.ts';

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
