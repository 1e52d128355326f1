/**
 * How Node runs the built programs. Errors name the sources. Pages that are being rendered outlive the room of short-lived
 * objects, and are garbage among the long-lived ones then; V8 looks through those only when they have become four times
 * as many, which let a busy server grow to 500 MB around 110 MB that are in use. At 1.2 times it stays below 300 MB
 * (`npm run bench -- mixed`).
 */
export const NODE_FLAGS = [
  '--enable-source-maps',
  '--max-semi-space-size=4',
  '--heap-growing-percent=20',
];

/** glibc keeps memory per thread for itself; two such pools are enough for the threads that compress responses. */
export const MEMORY_ENV = { MALLOC_ARENA_MAX: '2' };
