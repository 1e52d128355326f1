import { expect, it } from 'vitest';
import type { Member } from '#contract/farm/members/members';
import type { DeletionOutlook } from '#contract/people/users/users';
import { readIn } from '../../platform/testing/network.ts';
import { farmOutcome, whatGoes, whatStays } from './DeleteAccountDialog.tsx';

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

const none = { count: 0, ids: [] };
const nothing: DeletionOutlook = { orders: { pending: none, accepted: none }, farmOrders: null };
const some = (count: number, first: string) => ({
  count,
  ids: [`${first}0000000-0000-4000-8000-000000000000`],
});

it('says that a farm goes on under its other owners, and needs a successor without them', () => {
  const founder = member('me', 'owner', { isFounder: true });
  const [other, packer] = [member('other', 'owner'), member('hand', 'packer')];
  expect(farmOutcome(me, null)).toEqual({ kind: 'none' });
  expect(farmOutcome(me, [founder, invited])).toEqual({ kind: 'needsSuccessor', successors: [] });
  expect(farmOutcome(me, [founder, packer])).toEqual({
    kind: 'needsSuccessor',
    successors: [packer],
  });
  expect(farmOutcome(me, [founder, other])).toEqual({ kind: 'goesOn', mayClose: true });
  const own = member('me', 'owner');
  expect(farmOutcome(me, [own, other])).toEqual({ kind: 'goesOn', mayClose: true });
  expect(farmOutcome(me, [own, packer, invited])).toEqual({
    kind: 'needsSuccessor',
    successors: [packer],
  });
  expect(farmOutcome(me, [member('me', 'packer'), founder])).toEqual({
    kind: 'goesOn',
    mayClose: false,
  });
});

it('names orders in the language of their reader', async () => {
  const orders = { pending: some(1, 'a'), accepted: none };
  // Without the marks that set numbers apart from what is read from the right.
  const gone = () =>
    whatGoes({ role: 'consumer' }, false, { ...nothing, orders })
      .at(-1)
      ?.replace(/[\u2066-\u2069]/g, '');
  await readIn('de');
  expect(gone()).toBe('Offene Bestellungen; sie werden storniert: #a0000000.');
  await readIn('ur');
  expect(gone()).toBe('زیرِ التوا آرڈرز، جو منسوخ ہو جاتے ہیں: #a0000000۔');
});

it('names orders to customers and the farm to farmers', () => {
  const orders = { pending: some(1, 'a'), accepted: some(3, 'b') };
  const farmOrders = { pending: some(2, 'c'), accepted: some(1, 'd') };
  expect(whatGoes({ role: 'consumer' }, false, { ...nothing, orders })).toContain(
    'Pending orders, which are cancelled: #a0000000.',
  );
  expect(whatStays({ role: 'consumer' }, false, { ...nothing, orders })).toContain(
    '3 accepted orders (#b0000000 and 2 more): the farms are told that you have left.',
  );
  expect(whatGoes({ role: 'consumer' }, false, nothing)).toContain(
    'Pending orders, which are cancelled.',
  );
  const ofFarm = { ...nothing, farmOrders };
  expect(whatGoes({ role: 'farmer' }, true, ofFarm)).toEqual(
    expect.arrayContaining([
      'Your farm and its products. Its open orders are cancelled.',
      'Cancelled, and the customers are told: #d0000000, #c0000000 and 1 more.',
    ]),
  );
  expect(whatStays({ role: 'farmer' }, false, ofFarm)).toContain(
    'The farm, its products and its orders, also 3 open orders (#d0000000, #c0000000 and 1 more).',
  );
  expect(whatStays({ role: 'farmer' }, false, nothing)).toContain(
    'The farm, its products and its orders.',
  );
  expect(whatStays({ role: 'admin' }, false, nothing)).toEqual([
    'What you did as an admin, in the audit, under “Deleted user”.',
    'Messages you wrote, with the person who got them.',
  ]);
});
