// @vitest-environment happy-dom

import { QueryClientProvider } from '@tanstack/react-query';
import { renderHook, waitFor } from '@testing-library/react';
import { Provider as StoreProvider } from 'jotai';
import type { ReactNode } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { mergeOrder } from '../ordering/model/order-cache.ts';
import { createQueryClient } from '../platform/queries/query-client.ts';
import { store, tokenAtom, userAtom } from '../platform/session/session.ts';
import { aToken, aUser, stubNetwork } from '../platform/testing/network.ts';
import { anOrder } from '../platform/testing/orders.ts';
import { useCounts } from './SignedIn.tsx';

afterEach(() => {
  store.set(userAtom, null);
  store.set(tokenAtom, null);
  vi.unstubAllGlobals();
});

it("returns the server's counts instead of counting loaded items, and follows events", async () => {
  let pendingOrders = 150;
  const farmer = aUser('farmer', 'Finn');
  store.set(userAtom, farmer);
  store.set(tokenAtom, aToken);
  const page = { success: true, data: [], count: 0, nextCursor: 'more', unreadCount: 150 };
  stubNetwork({
    'GET /messages': { status: 200, body: page },
    'GET /orders/stats/farmer/pending': () => ({
      status: 200,
      body: { success: true, data: { pendingOrders } },
    }),
  });
  const cache = createQueryClient();
  const wrapper = ({ children }: { children: ReactNode }) => (
    <StoreProvider store={store}>
      <QueryClientProvider client={cache}>{children}</QueryClientProvider>
    </StoreProvider>
  );
  const { result } = renderHook(useCounts, { wrapper });
  await waitFor(() => {
    expect(result.current.pendingOrders).toBe(150);
    expect(result.current.places['/messages']).toBe(150);
    expect(result.current.places['/farmer/orders']).toBe(150);
  });
  pendingOrders = 151;
  mergeOrder(cache, anOrder(1));
  await waitFor(() => expect(result.current.pendingOrders).toBe(151));
});
