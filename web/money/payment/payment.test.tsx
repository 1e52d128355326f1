// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { FarmPayment } from '#contract/money/payment/payment';
import { Providers } from '../../app/Providers.tsx';
import { store, tokenAtom, userAtom } from '../../platform/session/session.ts';
import { aToken, aUser, type Reply, stubNetwork } from '../../platform/testing/network.ts';
import { PaymentPart } from './PaymentPart.tsx';

const one = (data: FarmPayment): Reply => ({ status: 200, body: { success: true, data } });
const user = aUser('farmer');
const open = (role: 'owner' | 'manager') =>
  render(
    <Providers>
      <PaymentPart me={{ ...user, membership: { farmId: user._id, role } }} />
    </Providers>,
  );

beforeEach(() => {
  store.set(tokenAtom, aToken);
  store.set(userAtom, user);
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it('lets an owner say how to pay the farm, over the version that was read', async () => {
  const calls = stubNetwork({
    'GET /farm/payment': one({ details: 'Old account', version: 3 }),
    'PUT /farm/payment': one({ details: 'New account', version: 4 }),
  });
  open('owner');
  const field = await screen.findByLabelText(/^Bank account/);
  await userEvent.clear(field);
  await userEvent.type(field, 'New account');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await vi.waitFor(() =>
    expect(calls.find(({ method }) => method === 'PUT')?.body).toEqual({
      details: 'New account',
      expectedVersion: 3,
    }),
  );
});

it('is not there for who may not write it', () => {
  const calls = stubNetwork({});
  open('manager');
  expect(screen.queryByRole('region')).toBeNull();
  expect(calls).toEqual([]);
});
