import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { act, cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, vi } from 'vitest';
import type { Order } from '#contract/ordering/orders/orders';
import { Providers } from '../../../app/Providers.tsx';
import { noteOwnChange } from '../../../platform/queries/use-changes.ts';
import { store, tokenAtom, userAtom } from '../../../platform/session/session.ts';
import { aToken, aUser, type Reply } from '../../../platform/testing/network.ts';
import { aLine } from '../../../platform/testing/proposals.ts';
import { ToasterHost } from '../../../platform/ui/feedback/ToasterHost.tsx';
import { mergeOrder } from '../../model/order-cache.ts';
import { orderQuery } from '../../orders/queries.ts';
import type { Goods } from '../rules.ts';

/** Returns the answer with one record. */
export const one = (data: unknown): Reply => ({ status: 200, body: { success: true, data } });

/** Returns what a farm sells under the product of this line's number. */
export const goods = (number: number, over: Partial<Goods> = {}): Goods => ({
  _id: aLine(number).product._id ?? '',
  name: `Product ${number}`,
  unit: 'lb',
  price: 2.5,
  quantityAvailable: 10,
  images: [],
  category: { _id: 'roots', name: 'Roots' },
  ...over,
});

/** The answer with all that the farm sells. */
export const stock: Reply = {
  status: 200,
  body: {
    success: true,
    data: [goods(1), goods(2), goods(3), goods(7, { name: 'Chard', price: 3 })],
    count: 4,
    nextCursor: null,
  },
};

let client: QueryClient;

/** Shows an order as an event would. */
export const show = (order: Order): void => act(() => mergeOrder(client, order));

/** Shows an order as a page does, which has it from the cache. */
function Page({ order, view }: { order: Order; view: (order: Order) => ReactNode }) {
  client = useQueryClient();
  const { data } = useQuery({ ...orderQuery(order._id), initialData: order, enabled: false });
  return view(data);
}

/** Opens a view of an order, signed in as its consumer or farmer. */
export function open(role: 'consumer' | 'farmer', order: Order, view: (order: Order) => ReactNode) {
  store.set(tokenAtom, aToken);
  store.set(userAtom, aUser(role));
  render(
    <Providers>
      <main>
        <Page order={order} view={view} />
      </main>
      <ToasterHost />
    </Providers>,
  );
}

/** Presses the button of this name, once it is there. */
export const press = async (name: string | RegExp) =>
  userEvent.click(await screen.findByRole('button', { name }));

/** Begins each test of a file at ten to one, with nothing kept, and leaves nothing behind. */
export function startFresh(): void {
  beforeEach(() => {
    localStorage.clear();
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-02T12:50:00Z') });
  });
  afterEach(() => {
    cleanup();
    vi.unstubAllGlobals();
    vi.useRealTimers();
    // Forgets what was changed at the time of the test.
    noteOwnChange([]);
  });
}
