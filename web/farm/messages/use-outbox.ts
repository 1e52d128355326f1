import { useQueryClient } from '@tanstack/react-query';
import { useAtomValue } from 'jotai';
import { useEffect, useMemo } from 'react';
import { clockMs } from '#contract/platform/time/constants';
import { newId } from '../../platform/api/new-id.ts';
import { voiceIdOf } from '../../platform/session/farm-work.ts';
import { useAuth } from '../../platform/session/use-auth.ts';
import {
  cannotBeSent,
  isWaitingAtom,
  removeUnsent,
  retryUnsent,
  sendThroughOutbox,
  type Unsent,
  unsentAtom,
} from './outbox.ts';

/** An unsent message: on its way, waiting for the line, or refused by the server. */
export type OutboxEntry = Unsent & { state: 'sending' | 'waiting' | 'failed' };

/** Returns the unsent messages to one person, oldest first, and functions to send, retry and discard. */
export function useOutbox(
  { _id: receiver, name: receiverName }: { _id: string; name: string },
  arrived: ReadonlySet<string>,
) {
  const cache = useQueryClient();
  const { user } = useAuth();
  const unsent = useAtomValue(unsentAtom);
  const isWaiting = useAtomValue(isWaitingAtom);

  const entries = useMemo(
    () =>
      unsent
        .filter(
          (entry) =>
            user?._id === entry.owner &&
            entry.receiver === receiver &&
            !cannotBeSent(entry, user) &&
            !arrived.has(entry._id),
        )
        .map((entry): OutboxEntry => {
          if (entry.refusal !== undefined) return { ...entry, state: 'failed' };
          return { ...entry, state: isWaiting ? 'waiting' : 'sending' };
        }),
    [unsent, isWaiting, user, receiver, arrived],
  );

  // The response was lost, but the message was delivered.
  useEffect(() => {
    for (const { _id } of unsent) if (arrived.has(_id)) removeUnsent(_id);
  }, [unsent, arrived]);

  return {
    entries,
    /** Sends a new message. */
    send: (content: string) => {
      if (!user) return;
      const createdAt = new Date(clockMs()).toISOString();
      sendThroughOutbox(cache, {
        _id: newId(),
        owner: user._id,
        voice: voiceIdOf(user),
        receiver,
        receiverName,
        content,
        createdAt,
      });
    },
    retry: (id: string) => retryUnsent(cache, id),
    discard: (id: string) => removeUnsent(id),
  };
}
