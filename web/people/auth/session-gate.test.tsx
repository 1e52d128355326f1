// @vitest-environment happy-dom
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { createQueryClient } from '../../platform/queries/query-client.ts';
import { store, tokenAtom, userAtom } from '../../platform/session/session.ts';
import { stubNetwork } from '../../platform/testing/network.ts';
import { authKeys } from './queries.ts';
import { SessionGate } from './SessionGate.tsx';

it('fails without a token, in words, and asks nobody and hides nothing', async () => {
  store.set(tokenAtom, null);
  store.set(userAtom, null);
  const calls = stubNetwork({});
  const client = createQueryClient();
  render(
    <QueryClientProvider client={client}>
      <SessionGate fallback="Loading">The market</SessionGate>
    </QueryClientProvider>,
  );
  const me = () => client.getQueryState(authKeys.me(null));
  await waitFor(() => expect(me()?.error?.message).toBe('No token found'));
  expect(me()).toMatchObject({ status: 'error', fetchStatus: 'idle', errorUpdateCount: 1 });
  expect(calls).toEqual([]);
  screen.getByText('The market');
});
