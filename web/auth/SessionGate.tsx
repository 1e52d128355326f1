import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useAtom, useAtomValue } from 'jotai';
import { Fragment, type ReactNode, useEffect, useRef } from 'react';
import { ApiError } from '../lib/api-error.ts';
import { useHydrated } from '../lib/hydration.ts';
import { hasKeptReadsAtom } from '../lib/kept-reads.ts';
import { onSessionEnded, readToken, tokenAtom } from '../lib/session.ts';
import { store } from '../lib/store.ts';
import { toast } from '../ui/toast.ts';
import { userAtom } from './atoms.ts';
import { meQuery } from './queries.ts';
import { dropReads, endSession, followOtherTabs, isOtherWork, noteOpenSession } from './session.ts';

/**
 * Checks a stored session with the server before the pages render, and ends it if the server rejects
 * it. Pages that were read before render at once. On temporary errors the stored user is kept, so that a server restart
 * signs nobody out. With `showsPage` the page is there meanwhile: what the server has rendered is not taken away again.
 */
export function SessionGate({
  fallback,
  showsPage = false,
  children,
}: {
  fallback: ReactNode;
  showsPage?: boolean;
  children: ReactNode;
}) {
  const client = useQueryClient();
  const token = useAtomValue(tokenAtom);
  const [user, setUser] = useAtom(userAtom);
  const me = useQuery(meQuery(token));

  useEffect(() => followOtherTabs(client), [client]);

  useEffect(() => {
    if (!me.data) return;
    const before = store.get(userAtom);
    setUser(me.data);
    if (before?._id === me.data._id && isOtherWork(before, me.data)) dropReads(client);
  }, [me.data, setUser, client]);

  const isRejected =
    me.isError && (!(me.error instanceof ApiError) || !me.error.isTemporary || user === null);
  useEffect(() => {
    if (token !== null && isRejected) endSession(client);
  }, [token, isRejected, client]);

  const isSignedIn = token !== null && user !== null;
  // After the guards of the pages, which ask whether the session was ended in another tab.
  useEffect(() => noteOpenSession(isSignedIn), [isSignedIn]);

  // What was known at the last visit is shown while the session is being checked.
  const hasKeptReads = useAtomValue(hasKeptReadsAtom) && isSignedIn && !isRejected;

  const isConfirmed = token !== null && me.isSuccess;
  const wasConfirmed = useRef(false);
  useEffect(() => {
    wasConfirmed.current = isConfirmed;
  }, [isConfirmed]);
  useEffect(
    () =>
      onSessionEnded(() => {
        // No message at page load; only when a confirmed session ends.
        if (wasConfirmed.current) toast.info('Your session has ended. Please sign in again.');
        endSession(client);
      }),
    [client],
  );

  const waiting =
    token !== null &&
    !hasKeptReads &&
    (me.isPending || isRejected || (me.isSuccess && user === null));
  // Remounts the pages for another user, so that no form state is shared between users.
  // The token that will be known once the page is taken over is no other session.
  const session = useHydrated() ? token : readToken();
  return waiting && !showsPage ? fallback : <Fragment key={session}>{children}</Fragment>;
}
