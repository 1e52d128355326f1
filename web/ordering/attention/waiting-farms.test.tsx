// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Attention } from '#contract/ordering/attention/attention';
import { Providers } from '../../app/Providers.tsx';
import { store, tokenAtom, userAtom } from '../../platform/session/session.ts';
import { anAttention } from '../../platform/testing/attentions.ts';
import { aToken, aUser, stubNetwork } from '../../platform/testing/network.ts';
import { UnreachableFarms, WaitingFarms } from './WaitingFarms.tsx';

const ann = { _id: 'ann', name: 'Ann Miller' };
let open: Attention[];

beforeEach(() => {
  store.set(tokenAtom, aToken);
  store.set(userAtom, aUser('admin'));
  stubNetwork({
    'GET /attention': () => ({ status: 200, body: { success: true, data: open } }),
  });
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const show = () =>
  render(
    <Providers>
      <UnreachableFarms href="/admin/orders" />
      <WaitingFarms
        hrefOfFarm={({ _id }) => `/admin/users/${_id}`}
        hrefOfOrder={({ _id }) => `/admin/orders/${_id}`}
      />
    </Providers>,
  );

it('shows what waits at every farm, and who was told when', async () => {
  open = [
    anAttention(1, {
      step: 2,
      round: 2,
      told: [{ channel: 'push', to: ann, at: '2026-11-02T10:02:00.000Z' }],
    }),
    anAttention(2, {
      state: 'acknowledged',
      acknowledged: { by: ann, at: '2026-11-02T10:02:00.000Z' },
    }),
    // A customer's own is none of the farm's.
    anAttention(3, { kind: 'order.changeProposed', customer: ann }),
  ];
  show();
  await screen.findByRole('heading', { name: /Waiting for farms/ });
  expect(screen.getAllByRole('row')).toHaveLength(3);
  expect(screen.getByText('Step 2, time 2')).toBeTruthy();
  expect(screen.getByText('Ann Miller is on it')).toBeTruthy();
  expect(screen.queryByText('Nobody can be reached')).toBeNull();
  const [told] = screen.getAllByRole('button', { name: /Who was told/ });
  fireEvent.click(told as HTMLElement);
  expect(screen.getByText('Ann Miller')).toBeTruthy();
});

it('turns red within a minute where nobody can be reached any more, without an event', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  open = [anAttention(1), anAttention(2)];
  show();
  await screen.findByRole('heading', { name: /Waiting for farms/ });
  expect(screen.queryByText('Nobody can be reached')).toBeNull();
  open = [anAttention(1), anAttention(2, { isUnreachable: true })];
  await act(() => vi.advanceTimersByTimeAsync(31_000));
  await waitFor(() => expect(screen.getByText('Nobody can be reached')).toBeTruthy());
  // It comes first.
  expect(screen.getAllByRole('row')[1]?.textContent).toMatch(/Nobody can be reached/);
  expect(screen.getByRole('alert').textContent).toMatch(/^Nobody can be reached at a farm/);
});
