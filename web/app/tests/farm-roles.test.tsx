// @vitest-environment happy-dom

import { cleanup, render, screen, waitFor } from '@testing-library/react';
import type { ComponentType } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { FarmerStats } from '#contract/ordering/orders/orders';
import type { FarmRole } from '#contract/platform/session/constants';
import { writeMessage } from '#contract/platform/text/constants/texts';
import { addDays } from '#contract/platform/time/constants';
import FarmerProductsPage from '../../pages/catalogue/FarmerProductsPage.tsx';
import FarmerDashboardPage from '../../pages/farm/FarmerDashboardPage.tsx';
import PicklistPage from '../../pages/ordering/PicklistPage.tsx';
import { localToday } from '../../platform/format/format.ts';
import { store, tokenAtom, userAtom } from '../../platform/session/session.ts';
import { aToken, aUser, type Reply, stubNetwork } from '../../platform/testing/network.ts';
import { menuItemsOf } from '../frame/SignedInItems.tsx';
import { Providers } from '../Providers.tsx';
import { product } from '../testing/world.ts';

// What the screens of a farm offer follows from the role of who reads them.

const farmer = aUser('farmer');
const as = (role: FarmRole) => ({ ...farmer, membership: { farmId: farmer._id, role } });
const one = (data: unknown): Reply => ({ status: 200, body: { success: true, data } });
const kale = product(1, { name: 'Kale', quantityAvailable: 3 });
const stats: FarmerStats = {
  productCount: 1,
  pendingOrders: 2,
  ordersByStatus: { pending: 2, accepted: 0, rejected: 0, completed: 0, cancelled: 0 },
  recentOrders: [],
  lowStock: [kale],
};
const sales = { totalRevenue: 12, days: [{ date: '2026-11-02', orders: 1, revenue: 12 }] };

beforeEach(() => store.set(tokenAtom, aToken));
afterEach(() => {
  vi.unstubAllGlobals();
  window.history.replaceState(null, '', '/');
});

function open(Page: ComponentType, role: FarmRole, replies: Parameters<typeof stubNetwork>[0]) {
  stubNetwork(replies);
  store.set(userAtom, as(role));
  render(
    <Providers>
      <Page />
    </Providers>,
  );
}

const link = (name: RegExp) => screen.queryByRole('link', { name }) !== null;

describe.each<[FarmRole, { sales: boolean; messages: boolean; products: boolean }]>([
  ['owner', { sales: true, messages: true, products: true }],
  ['manager', { sales: true, messages: true, products: true }],
  ['seller', { sales: false, messages: true, products: false }],
  ['packer', { sales: false, messages: false, products: false }],
])('a %s', (role, offered) => {
  it('finds on the dashboard what their role shows', async () => {
    const shown = {
      ...stats,
      ...(offered.sales ? sales : {}),
      ...(offered.messages ? { unreadMessages: 3 } : {}),
    };
    open(FarmerDashboardPage, role, { 'GET /orders/stats/farmer': one(shown) });
    expect(await screen.findByText('Kale')).toBeDefined();
    expect(screen.queryByText('Total revenue') !== null).toBe(offered.sales);
    const chart = screen.queryByRole('table', { name: 'Revenue, last 30 days' });
    expect(chart !== null).toBe(offered.sales);
    expect(link(/^Unread messages/)).toBe(offered.messages);
    expect(link(/^Update Stock of Kale/)).toBe(offered.products);
  });

  it('is offered what they may do with products', async () => {
    const list = { success: true, data: [kale], count: 1, nextCursor: null };
    const view = offered.products ? '' : '?view=stock';
    window.history.replaceState(null, '', `/farmer/products${view}`);
    open(FarmerProductsPage, role, { 'GET /products/farmer/me': { status: 200, body: list } });
    if (!offered.products) {
      expect(await screen.findByRole('link', { name: 'View Kale' })).toBeDefined();
      expect(screen.queryByRole('button', { name: 'Delete Kale' })).toBeNull();
      expect(link(/^(Edit Kale|Add product)$/)).toBe(false);
      return;
    }
    expect(await screen.findByRole('link', { name: 'Edit Kale' })).toBeDefined();
    expect(screen.getByRole('button', { name: 'Delete Kale' })).toBeDefined();
    expect(link(/^Add product$/)).toBe(true);
  });

  it('finds messages in their menu if they may write them', () => {
    const labels = menuItemsOf(as(role)).map(({ label }) => writeMessage(label));
    expect(labels.includes('Messages')).toBe(offered.messages);
  });
});

it('opens the list of the next day with orders, and of today where there is none', async () => {
  const next = addDays(localToday(), 3);
  for (const [days, search] of [
    [
      [
        { date: next, orders: 0, pending: 1 },
        { date: addDays(next, 1), orders: 2, pending: 0 },
      ],
      `?date=${addDays(next, 1)}`,
    ],
    [[{ date: next, orders: 0, pending: 1 }], `?date=${next}`],
    [[], ''],
  ] as const) {
    window.history.replaceState(null, '', '/farmer/picklist?date=next');
    open(PicklistPage, 'packer', { 'GET /farm/picklist/days': one(days) });
    await waitFor(() => expect(window.location.search).toBe(search));
    cleanup();
  }
});
