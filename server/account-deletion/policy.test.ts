import { describe, expect, it } from 'vitest';
import { ROLES } from '#contract/http';
import { canDeleteUser, decideFarmOutcome, needsSuccessor, type Staff } from './policy.ts';

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
    ['the founder', farm(founder, second), 'farm', true],
    ['another owner', farm(founder, second), 'second', false],
    ['the last owner, once the founder has left', farm(second, packer), 'second', true],
    ['a packer', farm(second, packer), 'packer', false],
  ])('needs a successor of %s', (_, staffed, userId, expected) => {
    expect(needsSuccessor(staffed, userId)).toBe(expected);
  });

  it.each([
    ['closes with its founder', farm(founder, second), 'farm', undefined, { kind: 'closes' }],
    [
      'goes on under the successor',
      farm(founder, packer),
      'farm',
      'm3',
      { kind: 'goesOn', successor: packer },
    ],
    [
      'goes on without one of its people',
      farm(founder, packer),
      'packer',
      undefined,
      { kind: 'goesOn', successor: null },
    ],
    ['has no successor in who leaves', farm(founder, packer), 'farm', 'm1', { kind: 'refused' }],
    ['has none of another farm', farm(founder, packer), 'farm', 'm9', { kind: 'refused' }],
    ['is none for others', null, 'consumer', undefined, { kind: 'none' }],
    ['is none to take over', null, 'consumer', 'm1', { kind: 'refused' }],
  ])('%s', (_, staffed, userId, successor, outcome) => {
    expect(decideFarmOutcome(staffed, userId, successor)).toEqual(outcome);
  });
});
