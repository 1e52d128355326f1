import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { atom } from 'jotai';
import { type ReactNode, useEffect } from 'react';
import { navigate } from 'wouter/use-browser-location';
import { endOnServer } from '../auth/logouts.ts';
import { endSession } from '../auth/session.ts';
import { isListKept } from '../lib/is-list-kept.ts';
import { readToken } from '../lib/session.ts';
import { store } from '../lib/store.ts';
import { toast } from '../ui/toast.ts';

/** What is kept until it is sent: messages, answers to orders, work of a pick list, shortages. */
const KEPT_LISTS = ['unsent-messages', 'kept-answers', 'kept-pick-work', 'shortage-runs'] as const;

/** Whether the person is asked before they sign out, because of what they have not sent. */
export const isLogoutAskedAtom = atom(false);

/** Signs out, here and on the server, and navigates to the home page. */
export function logOut(client: QueryClient): void {
  const token = readToken();
  // Navigates first, because the guard of the current page would redirect to the sign-in.
  navigate('/');
  endSession(client);
  if (token !== null) endOnServer(token);
  toast.success('Logged out successfully!');
}

/** Returns a function that signs out, after a question if something is not sent. */
export function useLogout(): () => void {
  const client = useQueryClient();
  return () => {
    if (KEPT_LISTS.some(isListKept)) store.set(isLogoutAskedAtom, true);
    else logOut(client);
  };
}

/** Stands for the question where its file cannot be fetched: without it nothing is lost either. */
export function LogOutUnasked(): ReactNode {
  const client = useQueryClient();
  useEffect(() => {
    store.set(isLogoutAskedAtom, false);
    logOut(client);
  }, [client]);
  return null;
}
