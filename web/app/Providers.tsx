import { QueryClientProvider } from '@tanstack/react-query';
import { Provider as StoreProvider } from 'jotai';
import { type ReactNode, useState } from 'react';
import { createQueryClient } from '../lib/query-client.ts';
import { store } from '../lib/store.ts';

/** Provides the query cache and the store of client state to every page. */
export function Providers({ children }: { children: ReactNode }) {
  const [client] = useState(createQueryClient);
  return (
    <StoreProvider store={store}>
      <QueryClientProvider client={client}>{children}</QueryClientProvider>
    </StoreProvider>
  );
}
