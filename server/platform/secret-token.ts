import { createHash } from 'node:crypto';

/** What is kept of a secret that was mailed: its SHA-256 in hex, of no use to whoever reads it. */
export const hashSecretToken = (token: string): string =>
  createHash('sha256').update(token).digest('hex');
