import { expect, it } from 'vitest';
import type { Guard } from '#contract/edge/constants';
import type { Role } from '#contract/platform/http/http';
import type { FarmRole } from '#contract/platform/session/constants';
import { aUser } from '../platform/testing/network.ts';
import {
  guardTarget,
  homePathOf,
  landingPath,
  pathWithoutFarm,
  pathWithoutForms,
  startPathOf,
} from './guards.ts';

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
])('redirects everybody who may not see a %s route', (guard, expected) => {
  const targets = Object.fromEntries(
    Object.keys(expected).map((who) => [
      who,
      guardTarget(guard, who === 'visitor' ? null : (who as Role)),
    ]),
  );
  expect(targets).toEqual(expected);
});

it("leads farmers without a farm from a farm's pages to their dashboard, and nobody else", () => {
  const targetOf = (guard: Guard, path: string, hasFarm = false) =>
    pathWithoutFarm({ guard, path }, hasFarm);
  expect(targetOf('farmer', '/farmer/picklist')).toBe('/farmer/dashboard');
  expect(targetOf('farmer', '/farmer/dashboard')).toBe(null);
  expect(targetOf('member', '/orders/:id')).toBe(null);
  expect(targetOf('farmer', '/farmer/picklist', true)).toBe(null);
});

it('never redirects in a loop', () => {
  for (const role of ['consumer', 'farmer', 'admin'] as const) {
    // The sign-in redirects every role to its home page, which must not redirect again.
    expect(guardTarget('guest', role)).toBe(homePathOf(role));
  }
});

it.each<[string | null, Record<Role, string>]>([
  [null, { consumer: '/', farmer: '/farmer/dashboard', admin: '/admin/dashboard' }],
  [
    '/orders/1?from=mail#top',
    {
      consumer: '/orders/1?from=mail#top',
      farmer: '/orders/1?from=mail#top',
      admin: '/admin/dashboard',
    },
  ],
  ['/checkout', { consumer: '/checkout', farmer: '/farmer/dashboard', admin: '/admin/dashboard' }],
  ['/admin/users', { consumer: '/', farmer: '/farmer/dashboard', admin: '/admin/users' }],
  ['/products/2', { consumer: '/products/2', farmer: '/products/2', admin: '/products/2' }],
  ['/login', { consumer: '/', farmer: '/farmer/dashboard', admin: '/admin/dashboard' }],
  ['/nowhere', { consumer: '/', farmer: '/farmer/dashboard', admin: '/admin/dashboard' }],
])(
  'leads from the sign-in to %s anyone who may see it, others to their home page',
  (next, expected) => {
    const guards: Record<string, Guard> = {
      '/orders/1': 'member',
      '/checkout': 'consumer',
      '/admin/users': 'admin',
      '/products/2': 'public',
      '/login': 'guest',
    };
    for (const role of ['consumer', 'farmer', 'admin'] as const) {
      expect(landingPath(role, next, (path) => guards[path])).toBe(expected[role]);
    }
  },
);

it('begins the work of those of a farm where their role has it, and nobody else elsewhere than before', () => {
  const startOf = (role: FarmRole | null) =>
    startPathOf({
      ...aUser('farmer'),
      membership: role && { farmId: 'f', role },
    });
  expect(startOf('packer')).toBe('/farmer/picklist?date=next');
  expect(startOf('seller')).toBe('/farmer/orders?day=today');
  for (const role of ['owner', 'manager', null] as const) {
    expect(startOf(role)).toBe('/farmer/dashboard');
  }
  expect(startPathOf(aUser('consumer'))).toBe('/');
  expect(startPathOf(aUser('admin'))).toBe('/admin/dashboard');
  expect(landingPath('farmer', null, () => undefined, startOf('packer'))).toBe(startOf('packer'));
});

it('leads those who may not change products from the forms for it to the list', () => {
  const targetOf = (path: string, role: FarmRole) =>
    pathWithoutForms({ path }, { ...aUser('farmer'), membership: { farmId: 'f', role } });
  for (const path of ['/farmer/products/add', '/farmer/products/edit/:id']) {
    for (const role of ['packer', 'seller'] as const) {
      expect(targetOf(path, role)).toBe('/farmer/products');
    }
    for (const role of ['owner', 'manager'] as const) expect(targetOf(path, role)).toBe(null);
  }
  expect(targetOf('/farmer/products', 'packer')).toBe(null);
});
