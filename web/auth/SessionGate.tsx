import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useAtom, useAtomValue } from 'jotai';
import { Fragment, type ReactNode, useEffect, useRef } from 'react';
import { ApiError } from '../lib/api-error.ts';
import { onSessionEnded, tokenAtom } from '../lib/session.ts';
import { toast } from '../ui/toast.ts';
import { userAtom } from './atoms.ts';
import { meQuery } from './queries.ts';
import { endSession, followOtherTabs } from './session.ts';

/**
 * Checks a stored session with the server before the pages show, and ends it when the server no
 * longer knows it. Only when no answer comes at all (the server or the network is away) does the
 * user from the storage stand, so that a restart of the server signs nobody out.
 */
export function SessionGate({ fallback, children }: { fallback: ReactNode; children: ReactNode }) {
  const client = useQueryClient();
  const token = useAtomValue(tokenAtom);
  const [user, setUser] = useAtom(userAtom);
  const me = useQuery(meQuery(token));

  useEffect(() => followOtherTabs(client), [client]);

  useEffect(() => {
    if (me.data) setUser(me.data);
  }, [me.data, setUser]);

  const unknown =
    me.isError && (!(me.error instanceof ApiError) || !me.error.isTemporary || user === null);
  useEffect(() => {
    if (token !== null && unknown) endSession(client);
  }, [token, unknown, client]);

  const checked = token !== null && me.isSuccess;
  const wasChecked = useRef(false);
  useEffect(() => {
    wasChecked.current = checked;
  }, [checked]);
  useEffect(
    () =>
      onSessionEnded(() => {
        // Silent at the start; in the middle of things one deserves a word.
        if (wasChecked.current) toast.info('Your session has ended. Please sign in again.');
        endSession(client);
      }),
    [client],
  );

  const waiting = token !== null && (me.isPending || unknown || (me.isSuccess && user === null));
  // For somebody else every page begins anew: what one had begun to write is one's own.
  return waiting ? fallback : <Fragment key={token}>{children}</Fragment>;
}
