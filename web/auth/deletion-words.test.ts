import { expect, it } from 'vitest';
import type { Member } from '#contract/members';
import { farmOutcome, whatGoes, whatStays } from './deletion-words.ts';

const me = { _id: 'me' };
const member = (id: string, role: Member['role'], over: Partial<Member> = {}): Member => ({
  _id: `member ${id}`,
  user: { _id: id, name: id },
  email: `${id}@farmgate.test`,
  role,
  alerts: true,
  state: 'active',
  isFounder: false,
  invitedUntil: null,
  ...over,
});
const invited = member('later', 'owner', { user: null, state: 'invited' });

it('says that a farm needs a successor without its founder or its last owner', () => {
  const founder = member('me', 'owner', { isFounder: true });
  const [other, packer] = [member('other', 'owner'), member('hand', 'packer')];
  expect(farmOutcome(me, null)).toEqual({ kind: 'none' });
  expect(farmOutcome(me, [founder, invited])).toEqual({ kind: 'needsSuccessor', successors: [] });
  expect(farmOutcome(me, [founder, other])).toEqual({
    kind: 'needsSuccessor',
    successors: [other],
  });
  const own = member('me', 'owner');
  expect(farmOutcome(me, [own, other])).toEqual({ kind: 'goesOn' });
  expect(farmOutcome(me, [own, packer, invited])).toEqual({
    kind: 'needsSuccessor',
    successors: [packer],
  });
  expect(farmOutcome(me, [member('me', 'packer'), founder])).toMatchObject({ kind: 'goesOn' });
});

it('names orders to buyers and the farm to farmers', () => {
  expect(whatGoes({ role: 'consumer' }, false)).toContain('Pending orders, which are cancelled.');
  expect(whatGoes({ role: 'farmer' }, true).join()).toContain('Your farm and its products.');
  expect(whatStays({ role: 'farmer' }, false)).toContain('The farm, its products and its orders.');
  expect(whatStays({ role: 'admin' }, false)).toEqual([
    'What you did as an admin, in the audit, under “Deleted user”.',
    'Messages you wrote, with whoever got them.',
  ]);
});
