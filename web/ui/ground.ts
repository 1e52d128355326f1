import { hash } from '../lib/seeded.ts';

const grounds = [
  'bg-ground-sky',
  'bg-ground-tomato',
  'bg-ground-plum',
  'bg-ground-straw',
  'bg-ground-clay',
  'bg-ground-leaf',
] as const;

/** The tinted ground that belongs to a name (of a category, a person): always the same one. */
export function groundClass(name: string): string {
  // The upper bits of the hash are the well mixed ones: short names differ little in the lower.
  return grounds[(hash(name) >>> 26) % grounds.length] ?? grounds[0];
}
