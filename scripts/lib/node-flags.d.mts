/** The types of `node-flags.mjs`, for tests that start the built programs. */
export const NODE_FLAGS: string[];
export const MEMORY_ENV: { MALLOC_ARENA_MAX: string };
