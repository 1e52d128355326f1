import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useAtom, useAtomValue } from 'jotai';
import { Fragment, type ReactNode, Suspense, useEffect, useState } from 'react';
import { t } from '#contract/platform/text/constants/texts';
import { ApiError } from '../../platform/api/api-error.ts';
import { useHydrated } from '../../platform/hooks/hydration.ts';
import { hasKeptReadsAtom } from '../../platform/offline/kept-reads.ts';
import {
  heldSessionAtom,
  onSessionEnded,
  pageKeyOf,
  readToken,
  store,
  tokenAtom,
  userAtom,
} from '../../platform/session/session.ts';
import { toast } from '../../platform/ui/feedback/toast.ts';
import { lazyWithRetry } from '../../platform/ui/lazy-with-retry.tsx';
import { meQuery } from './queries.ts';
import { dropReads, endSession, followOtherTabs, isOtherWork, noteOpenSession } from './session.ts';

const SignInAgain = lazyWithRetry(() => import('./SignInAgain.tsx'));

/**
 * Checks a stored session with the server before the pages render, and ends it if the server rejects it. Pages that
 * were read before render at once. On temporary errors the stored user is kept, so that a server restart signs nobody
 * out. With `showsPage` the page is there during the check: what the server has rendered is not taken away again. A
 * session that ends later leaves its page as it is, hidden behind the sign-in.
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
  const held = useAtomValue(heldSessionAtom);
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
    if (token !== null && isRejected) endSession(client, { isLeft: false });
  }, [token, isRejected, client]);

  const isSignedIn = token !== null && user !== null;
  // What was known at the last visit is shown while the session is being checked.
  const hasKeptReads = useAtomValue(hasKeptReadsAtom) && isSignedIn && !isRejected;

  // Remounts the pages for another session, so that no form state is shared between users.
  // The token that will be known once the page is taken over is no other session.
  const page = pageKeyOf(useHydrated() ? token : readToken());
  // A page goes on under another token without being checked again.
  const [checked, setChecked] = useState<string | null>(null);
  const isAnswered = isSignedIn && (me.isSuccess || (me.isError && !isRejected));
  if (isAnswered && checked !== page) setChecked(page);
  const isChecked = isAnswered || (isSignedIn && checked === page);
  // After the guards of the pages, which ask whether the session was ended in another tab.
  useEffect(
    () => noteOpenSession(isSignedIn ? token : null, isChecked),
    [isSignedIn, isChecked, token],
  );

  useEffect(
    () =>
      onSessionEnded(() => {
        // No message at page load; only when a confirmed session ends.
        if (isChecked) toast.info(t('Your session has ended. Please sign in again.'));
        endSession(client, { isLeft: isChecked });
      }),
    [client, isChecked],
  );

  const waiting =
    token !== null &&
    !hasKeptReads &&
    !isChecked &&
    (me.isPending || isRejected || (me.isSuccess && user === null));
  return waiting && !showsPage ? (
    fallback
  ) : (
    <>
      <Fragment key={page}>{children}</Fragment>
      {held && (
        <Suspense fallback={<div className="held-page fixed inset-0 z-50 bg-paper" />}>
          <SignInAgain {...held} />
        </Suspense>
      )}
    </>
  );
}
