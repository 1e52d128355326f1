// @vitest-environment happy-dom

import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactElement } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Route } from 'wouter';
import type { Party } from '#contract/ordering/orders/constants';
import type { OrderStatus } from '#contract/ordering/orders/order-timeline';
import type { Order } from '#contract/ordering/orders/orders';
import { DEFAULT_MARKET } from '#contract/platform/market/constants';
import { ORDER_STATUSES } from '#contract/platform/orders/constants';
import { Providers } from '../../app/Providers.tsx';
import FarmerOrdersPage from '../../pages/ordering/FarmerOrdersPage.tsx';
import OrderPage from '../../pages/ordering/OrderPage.tsx';
import OrdersPage from '../../pages/ordering/OrdersPage.tsx';
import { store, tokenAtom, userAtom } from '../../platform/session/session.ts';
import {
  aToken,
  aUser,
  type Call,
  emptyList,
  type Reply,
  refusal,
  stubNetwork,
} from '../../platform/testing/network.ts';
import { anOrder } from '../../platform/testing/orders.ts';
import { ToasterHost } from '../../platform/ui/feedback/ToasterHost.tsx';
import { formatItems } from '../model/order-items.ts';
import { Waiting } from '../model/order-parts.tsx';
import { offeredSteps } from './answers/OrderActions.tsx';

const list = (orders: Order[]): Reply => ({
  status: 200,
  body: { success: true, data: orders, count: orders.length, nextCursor: null },
});
const one = (order: Order): Reply => ({ status: 200, body: { success: true, data: order } });

function open(role: 'consumer' | 'farmer', address: string, page: ReactElement) {
  window.history.replaceState(null, '', address);
  store.set(tokenAtom, aToken);
  store.set(userAtom, aUser(role));
  render(
    <Providers>
      {page}
      <ToasterHost />
    </Providers>,
  );
}

const openOrder = (role: 'consumer' | 'farmer', path: string) =>
  open(role, path, <Route path="/orders/:id" component={OrderPage} />);

beforeEach(() => localStorage.clear());
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe('the offered steps', () => {
  it.each<[OrderStatus, Party, OrderStatus[]]>([
    ['pending', 'consumer', ['cancelled']],
    ['pending', 'farmer', ['rejected', 'accepted']],
    ['pending', 'admin', ['rejected', 'accepted']],
    ['accepted', 'consumer', []],
    ['accepted', 'farmer', ['cancelled', 'completed']],
    ['completed', 'farmer', []],
    ['rejected', 'admin', []],
    ['cancelled', 'consumer', []],
  ])('on a %s order to the %s', (status, party, steps) => {
    expect(offeredSteps({ status }, party)).toEqual(steps);
  });

  it('follow what the server says of cancelling, for the customer alone', () => {
    const order = { status: 'accepted', mayCancel: true } as const;
    expect(offeredSteps(order, 'consumer')).toEqual(['cancelled']);
    expect(offeredSteps({ ...order, mayCancel: false }, 'consumer')).toEqual([]);
    expect(offeredSteps(order, 'farmer')).toEqual(['cancelled', 'completed']);
    expect(offeredSteps({ ...order, mayCancel: false }, 'admin')).toEqual([
      'cancelled',
      'completed',
    ]);
  });
});

it('lists the ordered items', () => {
  const item = (name: string) => ({ product: { name } }) as Order['items'][number];
  expect(formatItems([item('Kale'), item('Plums')])).toBe('Kale, Plums');
  expect(formatItems(['Kale', 'Plums', 'Figs', 'Leek'].map(item))).toBe('Kale, Plums and 2 more');
});

describe('my orders', () => {
  it('keeps its filter in the URL', async () => {
    const requested: string[] = [];
    stubNetwork({});
    const answer = globalThis.fetch;
    vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
      requested.push(url);
      return url.includes('/orders/consumer')
        ? Promise.resolve(new Response(JSON.stringify((emptyList as { body: unknown }).body)))
        : answer(url, init);
    });
    open('consumer', '/orders?status=completed', <OrdersPage />);
    expect(await screen.findByText('No Orders Found')).toBeDefined();
    expect(requested.some((url) => url.includes('status=completed'))).toBe(true);
    const pressed = () => screen.getByRole('button', { pressed: true }).textContent;
    expect(pressed()).toBe('Completed');
    await userEvent.click(screen.getByRole('button', { name: 'Rejected' }));
    expect(window.location.search).toBe('?status=rejected');
    await userEvent.click(screen.getByRole('button', { name: 'All' }));
    expect(window.location.search).toBe('');
    expect(pressed()).toBe('All');
  });

  it('shows all specified fields on each card', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-04T09:00:00') });
    stubNetwork({ 'GET /orders/consumer': list([anOrder(1)]) });
    open('consumer', '/orders', <OrdersPage />);
    const card = within(await screen.findByRole('listitem'));
    expect(card.getByRole('heading').textContent).toBe('Green Valley #abcdef01');
    for (const text of [
      'Mon, Nov 2',
      'Tomorrow, 4:30 PM',
      '1 item',
      '₨1,234.50',
      'Pending',
      'Cora Buyer',
    ]) {
      expect(card.getByText(text)).toBeDefined();
    }
    const link = card.getByRole('link', { name: /View Details/ });
    expect(link.getAttribute('href')).toBe(`/orders/${anOrder(1)._id}`);
  });
});

const updateButton = () => screen.getByRole<HTMLButtonElement>('button', { name: /Update Status/ });

describe('the status dialog', () => {
  const order = anOrder(1);
  const path = `/orders/${order._id}`;

  async function openDialog(replies: Parameters<typeof stubNetwork>[0]): Promise<Call[]> {
    const calls = stubNetwork({ [`GET ${path}`]: one(order), ...replies });
    openOrder('farmer', path);
    await screen.findByRole('heading', { level: 1 });
    await userEvent.click(updateButton());
    return calls;
  }

  it('offers all five statuses and a reason, and confirms the change', async () => {
    const calls = await openDialog({
      [`PUT ${path}`]: one({ ...order, status: 'accepted', version: 2 }),
    });
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getAllByRole<HTMLInputElement>('radio').map((radio) => radio.value)).toEqual([
      ...ORDER_STATUSES,
    ]);
    await userEvent.click(dialog.getByRole('radio', { name: 'Accepted' }));
    await userEvent.type(dialog.getByLabelText(/Reason/), '  Ready at noon ');
    await userEvent.click(dialog.getByRole('button', { name: 'Update Status' }));
    expect(await screen.findByText('Order status updated to accepted')).toBeDefined();
    expect(calls.find((call) => call.method === 'PUT')?.body).toEqual({
      status: 'accepted',
      reason: 'Ready at noon',
    });
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    // In the header, and at the bottom on phones.
    expect(screen.getAllByRole('button', { name: /Complete/ })).toHaveLength(2);
  });

  it('shows the new status at once and reverts it when it is refused', async () => {
    let answer: (reply: Reply) => void = () => undefined;
    await openDialog({ [`PUT ${path}`]: () => new Promise((resolve) => (answer = resolve)) });
    const dialog = within(await screen.findByRole('dialog'));
    await userEvent.click(dialog.getByRole('radio', { name: 'Completed' }));
    await userEvent.click(dialog.getByRole('button', { name: 'Update Status' }));
    const head = () => document.querySelector('main header, header')?.textContent ?? '';
    await waitFor(() => expect(head()).toContain('Completed'));
    answer(refusal(409, 'A pending order cannot become completed.'));
    expect(await screen.findByText('A pending order cannot become completed.')).toBeDefined();
    await waitFor(() => expect(head()).toContain('Pending'));
    expect(screen.getByRole('dialog')).toBeDefined();
  });

  it('keeps a status that gets no answer, and lets it be taken back', async () => {
    await openDialog({ [`PUT ${path}`]: 'no answer' });
    const dialog = within(await screen.findByRole('dialog'));
    await userEvent.click(dialog.getByRole('radio', { name: 'Rejected' }));
    await userEvent.click(dialog.getByRole('button', { name: 'Update Status' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    // In the header, and at the bottom on phones.
    const notes = () => screen.queryAllByText(/^Rejected\. Not sent yet\./);
    await waitFor(() => expect(notes()).toHaveLength(2));
    expect(updateButton().disabled).toBe(true);
    expect(screen.queryByRole('button', { name: /^Accept order/ })).toBeNull();
    await userEvent.click(screen.getAllByRole('button', { name: /^Take back/ })[0] as HTMLElement);
    expect(notes()).toEqual([]);
    expect(updateButton().disabled).toBe(false);
    expect(screen.getAllByRole('button', { name: /^Accept order/ })).toHaveLength(2);
  });

  it.each<[OrderStatus, boolean]>([
    ['pending', false],
    ['accepted', false],
    ['rejected', false],
    ['completed', true],
    ['cancelled', true],
  ])('on a %s order is disabled: %s', async (status, disabled) => {
    stubNetwork({ [`GET ${path}`]: one({ ...order, status }) });
    openOrder('farmer', path);
    await screen.findByRole('heading', { level: 1 });
    expect(updateButton().disabled).toBe(disabled);
  });
});

describe('the order page', () => {
  const order = anOrder(1, {
    notes: 'Ring twice',
    timeline: [
      ...anOrder(1).timeline,
      {
        sequence: 2,
        kind: 'status',
        status: 'rejected',
        at: '2026-11-02T11:00:00.000Z',
        by: { _id: 'x', name: 'Finn Grower', role: 'farmer' },
        reason: 'Hail in the night',
      },
    ],
    status: 'rejected',
  });

  it.each([
    ['consumer', '/orders', 'Contact farmer', 'Green Valley Order #abcdef01'],
    ['farmer', '/farmer/orders', 'Contact customer', 'Cora Buyer Order #abcdef01'],
  ] as const)(
    'shows all details to the %s, with a link back to %s',
    async (role, back, contact, title) => {
      stubNetwork({ [`GET /orders/${order._id}`]: one(order) });
      openOrder(role, `/orders/${order._id}`);
      await screen.findByRole('heading', { level: 1, name: title });
      const text = document.body.textContent ?? '';
      for (const words of [
        '#abcdef01',
        'Bank transfer',
        'Ring twice',
        'The red gate',
        'Thursday, November 5, 2026',
        '4:30 PM',
        'Kale',
        '₨411.50',
        '₨1,234.50',
        'Cora Buyer',
        'consumer@farmgate.test',
        'Finn Grower',
        'farmer@farmgate.test',
        'Hail in the night',
        contact,
      ]) {
        expect(text).toContain(words);
      }
      const link = screen.getByRole('link', { name: /Back to Orders/ });
      expect(link.getAttribute('href')).toBe(back);
    },
  );

  it('lets a consumer cancel a pending order after a confirmation', async () => {
    const pending = anOrder(1);
    const path = `/orders/${pending._id}`;
    const calls = stubNetwork({
      [`GET ${path}`]: one(pending),
      [`PUT ${path}`]: one({ ...pending, status: 'cancelled', version: 2 }),
    });
    openOrder('consumer', path);
    await userEvent.click(await screen.findByRole('button', { name: /^Cancel order/ }));
    expect(calls.some((call) => call.method === 'PUT')).toBe(false);
    const question = within(await screen.findByRole('alertdialog'));
    await userEvent.click(question.getByRole('button', { name: 'Cancel order' }));
    expect(await screen.findByText('Order status updated to cancelled')).toBeDefined();
    await waitFor(() => expect(screen.queryByRole('button', { name: /^Cancel order/ })).toBeNull());
  });
});

it('shows a farmer the oldest pending order first, above answered ones', async () => {
  const answered = anOrder(9, { status: 'accepted', version: 2 });
  vi.stubGlobal('fetch', async (url: string) => {
    if (url.endsWith('/market')) return new Response(JSON.stringify({ data: DEFAULT_MARKET }));
    if (url.includes('/users/farmers/')) {
      return new Response(JSON.stringify({ data: { profile: { timeZone: 'UTC' } } }));
    }
    const orders = url.includes('status=pending')
      ? [anOrder(5), anOrder(3), anOrder(4)]
      : [answered, anOrder(5), anOrder(4), anOrder(3)];
    return new Response(JSON.stringify((list(orders) as { body: unknown }).body));
  });
  open('farmer', '/farmer/orders', <FarmerOrdersPage />);
  await screen.findByText('Waiting for your answer');
  const ids = screen
    .getAllByRole('listitem')
    .flatMap((row) => row.textContent?.match(/^#(\w{8})/)?.[1] ?? []);
  expect(ids).toEqual(['abcdef03', 'abcdef04', 'abcdef05', 'abcdef09']);
  expect(screen.getByText('3 orders are waiting for you.')).toBeDefined();
});

it.each([
  [5, true],
  [600, false],
])('shows a wait of 10 minutes with a limit of %s in red: %s', async (minutes, isRed) => {
  stubNetwork({
    'GET /market': {
      status: 200,
      body: { success: true, data: { ...DEFAULT_MARKET, unansweredMinutes: minutes } },
    },
  });
  const since = new Date(Date.now() - 10.5 * 60_000).toISOString();
  open('farmer', '/farmer/orders', <Waiting since={since} />);
  const badge = (await screen.findByText(/10 min/)).closest('[class]');
  if (isRed) await waitFor(() => expect(badge?.className).toContain('tomato'));
  else expect(badge?.className).not.toContain('tomato');
});

it("leaves the minutes of a long wait out of a phone's row, so that the time of the handover fits", async () => {
  const createdAt = new Date(Date.now() - 66 * 60_000).toISOString();
  const order = anOrder(1, { createdAt });
  const media = { addEventListener: () => undefined, removeEventListener: () => undefined };
  vi.stubGlobal('matchMedia', () => ({ ...media, matches: false }));
  stubNetwork({ 'GET /orders/farmer': list([order]) });
  open('farmer', '/farmer/orders?status=pending', <FarmerOrdersPage />);
  const row = (await screen.findByText('3 bunches Kale')).closest<HTMLElement>('[data-order]');
  if (!row) throw new Error('The order has no row.');
  expect(within(row).getByText('1 h')).toBeDefined();
});

it.each([
  ['consumer', '/orders', <OrdersPage key="page" />, 'GET /orders/consumer'],
  ['farmer', '/farmer/orders', <FarmerOrdersPage key="page" />, 'GET /orders/farmer'],
] as const)(
  'shows what is known of a filter while a %s is offline',
  async (role, path, page, read) => {
    let isAway = false;
    const orders = [
      anOrder(1, { status: 'accepted' }),
      anOrder(2, { status: 'completed', consumer: { ...anOrder(2).consumer, name: 'Olga Other' } }),
    ];
    stubNetwork({
      [read]: (call: Call) => {
        if (isAway) return 'no answer';
        return list(call.path.includes('status=pending') ? [] : orders);
      },
      'GET /orders/farmer/stats': emptyList,
      'GET /users/farmers': emptyList,
    });
    open(role, path, page);
    await screen.findAllByText(/#abcdef01/);
    isAway = true;
    const bar = screen.getByRole('group', { name: 'Order status' });
    await userEvent.click(within(bar).getByRole('button', { name: 'Completed' }));
    await screen.findByText(
      'No answer from the market. These are the orders that this device knows.',
      undefined,
      { timeout: 10_000 },
    );
    expect(screen.queryAllByText(/#abcdef02/).length).toBeGreaterThan(0);
    expect(screen.queryAllByText(/#abcdef01/)).toEqual([]);
    // Of these nothing is known.
    await userEvent.click(within(bar).getByRole('button', { name: 'Rejected' }));
    await screen.findByRole('button', { name: 'Try again' }, { timeout: 10_000 });
  },
);
