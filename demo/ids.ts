import { createHash } from 'node:crypto';

/**
 * Returns the id of a demo record: a version 4 UUID that is the same on every run and machine, so that links and
 * pictures stay valid after a new seed.
 */
export function idOf(kind: string, key: string): string {
  const bytes = createHash('sha256').update(`farmgate demo ${kind} ${key}`).digest();
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20, 32),
  ].join('-');
}
