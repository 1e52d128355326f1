import { describe, expect, it } from 'vitest';
import { DatabaseHangsError } from '../../../prisma/client.ts';
import { isDatabaseAway } from './postgres.ts';

describe('isDatabaseAway', () => {
  it.each([
    ['a connection that hangs', new DatabaseHangsError('Postgres does not answer.')],
    [
      'a connection that hangs in a rollback',
      Object.assign(new Error('SocketTimeout'), { cause: { kind: 'SocketTimeout' } }),
    ],
    [
      'a connection that closed in a rollback',
      Object.assign(new Error('ConnectionClosed'), { cause: { kind: 'ConnectionClosed' } }),
    ],
    [
      'a statement past statement_timeout',
      Object.assign(new Error('canceling statement'), { code: '57014' }),
    ],
  ])('is true of %s', (_, error) => {
    expect(isDatabaseAway(error)).toBe(true);
  });

  it.each([
    ['a duplicate', Object.assign(new Error('duplicate key'), { code: '23505' })],
    ['a programming error', new TypeError('undefined is not a function')],
  ])('is false of %s', (_, error) => {
    expect(isDatabaseAway(error)).toBe(false);
  });
});
