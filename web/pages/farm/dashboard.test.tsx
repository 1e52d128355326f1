// @vitest-environment happy-dom

import { cleanup, render, screen, within } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import type { Product } from '#contract/catalogue/products/product';
import type { FarmerStats } from '#contract/ordering/orders/orders';
import { Providers } from '../../app/Providers.tsx';
import { stockLevel } from '../../catalogue/products/LowStockTable.tsx';
import { store, userAtom } from '../../platform/session/session.ts';
import { stubNetwork } from '../../platform/testing/network.ts';
import { anOrder } from '../../platform/testing/orders.ts';
import { aUser } from '../../platform/testing/people.ts';
import FarmerDashboardPage from './FarmerDashboardPage.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it.each([
  [0, 'empty'],
  [1, 'scarce'],
  [4, 'scarce'],
  [5, 'low'],
  [9, 'low'],
])('calls a stock of %i %s', (quantity, level) => {
  expect(stockLevel(quantity)).toBe(level);
});

const farmer = aUser('farmer', 'Finn Grower');
const product: Product = {
  _id: '22222222-0000-4000-8000-000000000001',
  name: 'Kale',
  description: '',
  category: null,
  price: 2,
  unit: 'bunch',
  soldBy: 'unit',
  quantityAvailable: 3,
  images: [],
  isOrganic: false,
  harvestDate: null,
  availableUntil: null,
  isActive: true,
  farmer: { _id: farmer._id, name: farmer.name, farmName: 'Green Valley', address: farmer.address },
  createdAt: '2026-11-01T10:00:00.000Z',
  version: 1,
};
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
  lowStock: [product],
};

it('shows figures, chart tables, recent orders and low stock', async () => {
  stubNetwork({
    'GET /orders/stats/farmer': { status: 200, body: { success: true, data: stats } },
  });
  store.set(userAtom, farmer);
  render(
    <Providers>
      <FarmerDashboardPage />
    </Providers>,
  );
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
    `/farmer/products?view=stock&product=${product._id}`,
  );
});
