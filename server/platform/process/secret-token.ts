import { createHash } from 'node:crypto';

/** Returns the SHA-256 of a mailed secret in hex: only the hash is stored. */
export const hashSecretToken = (token: string): string =>
  createHash('sha256').update(token).digest('hex');
