import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useAtomValue } from 'jotai';
import { useEffect, useMemo } from 'react';
import { messagesApi } from '#contract/farm/messages/constants';
import type { User } from '#contract/people/users/users';
import { clockMs } from '#contract/platform/time/constants';
import { call, newId } from '../../platform/api/api.ts';
import { isObjectOf, isText, isUndefinedOr } from '../../platform/api/check.ts';
import { createOutbox } from '../../platform/offline/outbox.ts';
import { readOwner } from '../../platform/session/owned.ts';
import {
  hasConversations,
  senderIdOf,
  store,
  useAuth,
  userAtom,
} from '../../platform/session/session.ts';
import { toastError } from '../../platform/ui/feedback/toast.ts';
import { mergeMessage } from './merge.ts';

/** A message that the server has not confirmed yet. */
export type Unsent = {
  /** Made here, so that a repeat is the same message to the server. */
  _id: string;
  /** The id of the sender. */
  owner: string;
  /** As whom it was written: a farm, or its owner. Absent of messages that were stored before it was kept. */
  identity?: string | undefined;
  receiver: string;
  /** The receiver's name, where it was known. */
  receiverName?: string | undefined;
  content: string;
  createdAt: string;
  /** The id of the order that the message is about. */
  relatedOrder?: string | undefined;
  /** Why the server refused it. It is sent again only on request. */
  refusal?: string | undefined;
};

const isUnsent = isObjectOf<Unsent>({
  _id: isText,
  owner: isText,
  identity: isUndefinedOr(isText),
  receiver: isText,
  receiverName: isUndefinedOr(isText),
  content: isText,
  createdAt: isText,
  relatedOrder: isUndefinedOr(isText),
  refusal: isUndefinedOr(isText),
});

/** Returns a message that its writer, who is signed in, has just written. */
export const unsentOf = (
  writer: User,
  message: Omit<Unsent, 'owner' | 'voice' | 'createdAt'>,
): Unsent => ({
  ...message,
  owner: writer._id,
  identity: senderIdOf(writer),
  createdAt: new Date(clockMs()).toISOString(),
});

/** Returns whether a message can't be sent any more, because its writer no longer writes for that farm. */
export const cannotBeSent = ({ identity }: Unsent, writer: User): boolean =>
  !hasConversations(writer) || (identity !== undefined && identity !== senderIdOf(writer));

const outbox = createOutbox<Unsent>({
  key: 'unsent-messages',
  isEntry: isUnsent,
  idOf: ({ _id }) => _id,
  isSendable: (unsent, writer) => unsent.refusal === undefined && !cannotBeSent(unsent, writer),
  send: async ({ _id, receiver, content, relatedOrder }, { cache, token }) => {
    const writer = senderIdOf(store.get(userAtom));
    const { data } = await call(messagesApi.send, {
      body: { _id, receiver, content, ...(relatedOrder === undefined ? {} : { relatedOrder }) },
      token,
      idempotencyKey: _id,
      isKept: true,
    });
    // Somebody else may have signed in, who reads as another.
    const reader = senderIdOf(store.get(userAtom));
    if (reader !== undefined && reader === writer) mergeMessage(cache, data, reader);
    return undefined;
  },
  onRefused: (_, error, { isSignedIn }) => {
    if (isSignedIn()) toastError(error);
    return { refusal: error.message };
  },
});

/** The messages that the signed-in person has not sent yet, oldest first. */
export const unsentAtom = outbox.entriesAtom;

export const { isWaitingAtom, watch: watchOutbox } = outbox;

/** Removes a message that arrived, or that its writer discards. */
export const removeUnsent = (id: string): void => outbox.remove(id, readOwner());

/** Sends a message after the ones before it, now or when the connection is back. */
export const sendThroughOutbox = outbox.add;

/** Sends a refused message again with the same id, so that it is delivered once. */
export function retryUnsent(cache: QueryClient, id: string): void {
  outbox.watch(cache);
  outbox.patch(id, readOwner(), { refusal: undefined });
  outbox.resume();
}

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
      sendThroughOutbox(cache, unsentOf(user, { _id: newId(), receiver, receiverName, content }));
    },
    retry: (id: string) => retryUnsent(cache, id),
    discard: (id: string) => removeUnsent(id),
  };
}
