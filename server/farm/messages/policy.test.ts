import { expect, it } from 'vitest';
import type { Role } from '#contract/platform/http/http';
import { canMessage, type MessagingHistory } from './people.ts';

const stranger: MessagingHistory = { hasWritten: false, hasOrdered: false };
const wrote: MessagingHistory = { hasWritten: true, hasOrdered: false };
const ordered: MessagingHistory = { hasWritten: false, hasOrdered: true };

const TABLE: [from: Role, to: Role, history: MessagingHistory, allowed: boolean][] = [
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

it.each(TABLE)('%s to %s, %o: %s', (from, to, history, allowed) => {
  const writer = { id: 'writer', role: from };
  const addressee = { id: 'addressee', role: to };
  const person = { isDeleted: false, isOfStaff: false };
  expect(canMessage(writer, { ...addressee, ...person }, history)).toBe(allowed);
  // Nobody writes to a deleted account, to those who work for a farm, or to themselves, whatever else holds.
  expect(canMessage(writer, { ...addressee, ...person, isDeleted: true }, history)).toBe(false);
  expect(canMessage(writer, { ...addressee, ...person, isOfStaff: true }, history)).toBe(false);
  expect(canMessage(writer, { ...writer, ...person }, history)).toBe(false);
});
