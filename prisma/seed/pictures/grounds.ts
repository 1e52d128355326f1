import type { Ground } from './pen.ts';

/** The tinted ground of each category, by the category's key. */
export const grounds = {
  vegetables: { wall: '#dbe6cf', disc: '#e9f0df', table: '#bfd1ab', shadow: '#a3b98c' },
  fruit: { wall: '#fadcd3', disc: '#fdeae3', table: '#f1bfb0', shadow: '#dfa08f' },
  dairy: { wall: '#d5e5ee', disc: '#e6f1f6', table: '#b5cfde', shadow: '#95b5c8' },
  greens: { wall: '#f3ecd4', disc: '#faf5e4', table: '#e3d5a8', shadow: '#cbb983' },
  pantry: { wall: '#f2dcc0', disc: '#f9ead6', table: '#dfba8c', shadow: '#c59c6a' },
  flowers: { wall: '#e4dcf0', disc: '#f0eaf7', table: '#c9badf', shadow: '#ae9bc9' },
} as const satisfies Record<string, Ground>;

/** The key of a category and of its ground. */
export type GroundKey = keyof typeof grounds;
