import { expect, it } from 'vitest';
import type { Role } from '#contract/platform';
import { canMessage, type Ties } from './policy.ts';

const stranger: Ties = { hasWritten: false, hasOrdered: false };
const wrote: Ties = { hasWritten: true, hasOrdered: false };
const ordered: Ties = { hasWritten: false, hasOrdered: true };

const TABLE: [from: Role, to: Role, ties: Ties, allowed: boolean][] = [
  ['consumer', 'farmer', stranger, true],
  ['consumer', 'consumer', stranger, false],
  ['consumer', 'admin', stranger, false],
  ['consumer', 'admin', wrote, true],
  ['consumer', 'consumer', wrote, true],
  ['farmer', 'consumer', stranger, false],
  ['farmer', 'consumer', ordered, true],
  ['farmer', 'consumer', wrote, true],
  ['farmer', 'farmer', stranger, false],
  ['farmer', 'farmer', ordered, false],
  ['farmer', 'farmer', wrote, true],
  ['farmer', 'admin', stranger, false],
  ['farmer', 'admin', wrote, true],
  ['admin', 'consumer', stranger, true],
  ['admin', 'farmer', stranger, true],
  ['admin', 'admin', stranger, true],
];

it.each(TABLE)('%s to %s, %o: %s', (from, to, ties, allowed) => {
  const writer = { id: 'writer', role: from };
  const addressee = { id: 'addressee', role: to };
  expect(canMessage(writer, { ...addressee, isDeleted: false }, ties)).toBe(allowed);
  // Nobody writes to a deleted account or to themselves, whatever else holds.
  expect(canMessage(writer, { ...addressee, isDeleted: true }, ties)).toBe(false);
  expect(canMessage(writer, { ...writer, isDeleted: false }, ties)).toBe(false);
});
