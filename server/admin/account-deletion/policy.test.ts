import { describe, expect, it } from 'vitest';
import { ROLES } from '#contract/platform/http/constants';
import {
  canDeleteUser,
  decideFarmOutcome,
  type FarmChoice,
  needsSuccessor,
  type Staff,
} from './policy.ts';

it('lets admins delete everyone but admins, and nobody else anyone', () => {
  const allowed = ROLES.flatMap((role) =>
    ROLES.filter((target) => canDeleteUser({ role }, { role: target })).map(
      (target) => `${role} deletes ${target}`,
    ),
  );
  expect(allowed).toEqual(['admin deletes consumer', 'admin deletes farmer']);
});

describe('the farm of an account that is deleted', () => {
  const founder = { id: 'm1', userId: 'farm', role: 'owner' } as const;
  const second = { id: 'm2', userId: 'second', role: 'owner' } as const;
  const packer = { id: 'm3', userId: 'packer', role: 'packer' } as const;
  const farm = (...staff: Staff[]) => ({ id: 'farm', staff });

  it.each([
    ['the founder beside another owner', farm(founder, second), 'farm', false],
    ['the founder alone', farm(founder, packer), 'farm', true],
    ['another owner', farm(founder, second), 'second', false],
    ['the last owner, once the founder has left', farm(second, packer), 'second', true],
    ['a packer', farm(second, packer), 'packer', false],
  ])('needs a successor of %s', (_, staffed, userId, expected) => {
    expect(needsSuccessor(staffed, userId)).toBe(expected);
  });

  const onward = (successor: Staff | null) => ({ kind: 'goesOn', successor });
  const refused = (field: string) => ({ kind: 'refused', field });

  it.each<[string, ReturnType<typeof farm> | null, string, FarmChoice, object]>([
    ['goes on under its other owners', farm(founder, second), 'farm', {}, onward(null)],
    [
      'closes if its founder says so',
      farm(founder, second),
      'farm',
      { closes: true },
      { kind: 'closes' },
    ],
    [
      'closes if another owner says so',
      farm(founder, second),
      'second',
      { closes: true },
      { kind: 'closes' },
    ],
    ['closes with its last owner', farm(founder, packer), 'farm', {}, { kind: 'closes' }],
    [
      'goes on under the successor',
      farm(founder, packer),
      'farm',
      { successorId: 'm3' },
      onward(packer),
    ],
    ['goes on without one of its people', farm(founder, packer), 'packer', {}, onward(null)],
    [
      'has no successor in who leaves',
      farm(founder, packer),
      'farm',
      { successorId: 'm1' },
      refused('successor'),
    ],
    [
      'has none of another farm',
      farm(founder, packer),
      'farm',
      { successorId: 'm9' },
      refused('successor'),
    ],
    [
      'is not closed by a packer',
      farm(founder, packer),
      'packer',
      { closes: true },
      refused('closes'),
    ],
    [
      'is not both handed over and closed',
      farm(founder, packer),
      'farm',
      { closes: true, successorId: 'm3' },
      refused('closes'),
    ],
    ['is none for others', null, 'consumer', {}, { kind: 'none' }],
    ['is none to take over', null, 'consumer', { successorId: 'm1' }, refused('successor')],
    ['is none to close', null, 'consumer', { closes: true }, refused('closes')],
  ])('%s', (_, staffed, userId, preference, outcome) => {
    expect(decideFarmOutcome(staffed, userId, preference)).toEqual(outcome);
  });
});
