import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { Provider as StoreProvider } from 'jotai';
import { type ComponentProps, type ReactNode, useState } from 'react';
import { createQueryClient } from '../platform/queries/query-client.ts';
import { store } from '../platform/session/session.ts';

/**
 * Provides the query cache and the store of client state to every page: those of this browser, unless the server
 * gives those of the page that it renders.
 */
export function Providers({
  client: given,
  state = store,
  children,
}: {
  client?: QueryClient;
  state?: NonNullable<ComponentProps<typeof StoreProvider>['store']>;
  children: ReactNode;
}) {
  const [client] = useState(() => given ?? createQueryClient());
  return (
    <StoreProvider store={state}>
      <QueryClientProvider client={client}>{children}</QueryClientProvider>
    </StoreProvider>
  );
}
