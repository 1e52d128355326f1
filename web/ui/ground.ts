import { hash } from '../lib/seeded.ts';

const grounds = [
  'bg-ground-leaf',
  'bg-ground-tomato',
  'bg-ground-straw',
  'bg-ground-plum',
  'bg-ground-sky',
  'bg-ground-clay',
] as const;

/** The tinted ground that belongs to a name (of a category, a person): always the same one. */
export function groundClass(name: string): string {
  return grounds[hash(name) % grounds.length] ?? grounds[0];
}
