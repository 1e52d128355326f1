import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { atom } from 'jotai';
import { store } from '../platform/session/session.ts';

/** The client of a person who is asked before they sign out, because of what they have not sent. */
export const askedAtom = atom<QueryClient | null>(null);

/**
 * Returns a function that signs out, after a question if something is not sent. What does it comes with the frame of
 * signed-in people, so that it is there without a network.
 */
export function useLogout(): () => void {
  const client = useQueryClient();
  return async () => {
    const { isAnythingUnsent, logOut } = await import('./log-out.ts');
    if (isAnythingUnsent()) store.set(askedAtom, client);
    else logOut(client);
  };
}
