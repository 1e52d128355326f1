import { expect, it } from 'vitest';
import type { Role } from '#contract/platform';
import { type Guard, guardTarget, homeOf } from './guards.ts';

const stays = null;

it.each<[Guard, Record<Role | 'visitor', string | null>]>([
  ['public', { visitor: stays, consumer: stays, farmer: stays, admin: stays }],
  [
    'guest',
    { visitor: stays, consumer: '/', farmer: '/farmer/dashboard', admin: '/admin/dashboard' },
  ],
  ['signed-in', { visitor: '/login', consumer: stays, farmer: stays, admin: stays }],
  ['member', { visitor: '/login', consumer: stays, farmer: stays, admin: '/admin/dashboard' }],
  ['consumer', { visitor: '/login', consumer: stays, farmer: '/login', admin: '/login' }],
  ['farmer', { visitor: '/login', consumer: '/login', farmer: stays, admin: '/login' }],
  ['admin', { visitor: '/login', consumer: '/login', farmer: '/login', admin: stays }],
])('sends away from a %s route those who may not see it', (guard, expected) => {
  const sent = Object.fromEntries(
    Object.keys(expected).map((who) => [
      who,
      guardTarget(guard, who === 'visitor' ? null : (who as Role)),
    ]),
  );
  expect(sent).toEqual(expected);
});

it('never sends in a circle', () => {
  for (const role of ['consumer', 'farmer', 'admin'] as const) {
    // A role that is sent to the sign-in is led on from there, and must be able to stay.
    expect(guardTarget('guest', role)).toBe(homeOf(role));
  }
});
