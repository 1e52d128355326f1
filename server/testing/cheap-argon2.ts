import { createRequire } from 'node:module';

/** The package itself; an import would lead back here. */
const argon2 = createRequire(import.meta.url)(
  '@node-rs/argon2',
) as typeof import('@node-rs/argon2');

/**
 * Stands in for the package in server tests, which register thousands of people: a hash of the same form that takes
 * half a millisecond instead of twenty.
 */
export const hash = (password: string): Promise<string> =>
  argon2.hash(password, { memoryCost: 1024, timeCost: 1 });

/** Checks a password against a hash, whose cost stands in it. */
export const verify: typeof argon2.verify = (hashed, password) => argon2.verify(hashed, password);
