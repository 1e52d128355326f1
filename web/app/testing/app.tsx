import { render } from '@testing-library/react';
import { vi } from 'vitest';
import { store, tokenAtom, userAtom } from '../../platform/session/session.ts';
import { aToken, aUser, emptyList, type Reply } from '../../platform/testing/network.ts';
import { App } from '../App.tsx';
import { Providers } from '../Providers.tsx';

/** What an empty market answers everybody. */
export const emptyMarket = {
  'GET /products': emptyList,
  'GET /categories': emptyList,
  'GET /users/farmers': emptyList,
  'GET /messages': emptyList,
  'GET /orders/consumer': emptyList,
} satisfies Record<string, Reply>;

export function openAt(path: string) {
  history.replaceState(null, '', path);
  return render(
    <Providers>
      <App />
    </Providers>,
  );
}

/** Signs somebody in, and returns what the server answers when it is asked who they are. */
export function signIn(user = aUser('consumer')) {
  store.set(tokenAtom, aToken);
  store.set(userAtom, user);
  return { status: 200, body: { success: true, user } } satisfies Reply;
}

/** happy-dom has no AudioContext. */
export const stubAudio = () =>
  vi.stubGlobal(
    'AudioContext',
    class {
      state = 'suspended';
      resume = async () => undefined;
    },
  );
