// @vitest-environment happy-dom

import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { FarmerStats } from '#contract/ordering/orders/orders';
import { farmer, product } from '../../app/testing/world.ts';
import { stockLevel } from '../../catalogue/products/LowStockTable.tsx';
import { stubNetwork } from '../../platform/testing/network.ts';
import { anOrder } from '../../platform/testing/orders.ts';
import { beginAs, one, open } from '../testing/page.tsx';
import FarmerDashboardPage from './FarmerDashboardPage.tsx';

beginAs(farmer);

it.each([
  [0, 'empty'],
  [1, 'scarce'],
  [4, 'scarce'],
  [5, 'low'],
  [9, 'low'],
])('calls a stock of %i %s', (quantity, level) => {
  expect(stockLevel(quantity)).toBe(level);
});

const kale = product(1, { name: 'Kale', unit: 'bunch', quantityAvailable: 3 });
const stats: FarmerStats = {
  productCount: 1204,
  pendingOrders: 7,
  ordersByStatus: { pending: 7, accepted: 1, rejected: 0, completed: 2, cancelled: 0 },
  unreadMessages: 3,
  totalRevenue: 1234567.5,
  days: [
    { date: '2026-11-01', orders: 0, revenue: 0 },
    { date: '2026-11-02', orders: 3, revenue: 2500.75 },
  ],
  recentOrders: [anOrder(2), anOrder(1)],
  lowStock: [kale],
};

it('shows figures, chart tables, recent orders and low stock', async () => {
  stubNetwork({ 'GET /orders/stats/farmer': one(stats) });
  open(<FarmerDashboardPage />);
  const revenue = await screen.findByText('₨1,234,567.50');
  expect(revenue.closest('div')?.textContent).toContain('Total revenue');
  const card = (name: string) => screen.getByRole('link', { name: new RegExp(`^${name}`) });
  expect(card('Products').textContent).toBe('Products1,204');
  expect(card('Pending orders').textContent).toBe('Pending orders7');
  expect(card('Unread messages').textContent).toBe('Unread messages3');

  const chart = within(screen.getByRole('table', { name: 'Revenue, last 30 days' }));
  expect(chart.getByRole('row', { name: 'Nov 2 ₨2,500.75' })).toBeDefined();
  const shares = screen.getByLabelText('Orders by status').textContent;
  expect(shares).toContain('Pending770%');

  const recent = within(screen.getByRole('table', { name: 'Recent orders' }));
  expect(recent.getByText('#abcdef02')).toBeDefined();
  const low = within(screen.getByRole('table', { name: 'Low stock' }));
  expect(low.getByText(/3 bunch/).className).toContain('orange');
  expect(low.getByRole('link', { name: 'Update Stock of Kale' }).getAttribute('href')).toBe(
    `/farmer/products?view=stock&product=${kale._id}`,
  );
});

it('shows a new farm its steps, and no zeros', async () => {
  const none = { pending: 0, accepted: 0, rejected: 0, completed: 0, cancelled: 0 };
  stubNetwork({
    'GET /orders/stats/farmer': one({
      ...{ productCount: 0, pendingOrders: 0, unreadMessages: 0, totalRevenue: 0 },
      ...{ ordersByStatus: none, days: [], recentOrders: [], lowStock: [] },
    } satisfies FarmerStats),
    'GET /farm/opening': one({
      state: 'approved',
      reason: null,
      steps: [{ step: 'profile', isDone: false }],
      further: [{ step: 'place', isDone: false, isSetAside: false }],
    }),
  });
  open(<FarmerDashboardPage />);
  const steps = await screen.findByRole('region', { name: 'Before you open' });
  expect(within(steps).getByRole('link', { name: 'Describe your farm' })).toBeDefined();
  expect(within(steps).getByRole('link', { name: 'Add a pickup place' })).toBeDefined();
  for (const figure of ['Total revenue', 'Recent Orders', 'Low Stock'])
    expect(screen.queryByText(figure)).toBeNull();
});
