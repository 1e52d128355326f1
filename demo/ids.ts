import { createHash } from 'node:crypto';
import { type FarmKey, farms } from './data/farms.ts';

/**
 * Returns the id of a demo record: a version 4 UUID that is the same on every run and machine, so that links and
 * pictures stay valid after a new seed.
 */
export function idOf(kind: string, key: string): string {
  const bytes = createHash('sha256').update(`farmgate demo ${kind} ${key}`).digest();
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return hex.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** Returns the id of a farm, which is that of its farmer. */
export const farmIdOf = (farm: FarmKey): string =>
  idOf('user', farms.find(({ key }) => key === farm)?.farmer.email ?? '');
