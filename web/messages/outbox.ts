import { atom, useAtomValue } from 'jotai';
import { useEffect, useMemo } from 'react';
import { useAuth } from '../auth/use-auth.ts';
import { isListOf, isObjectOf, isText } from '../lib/check.ts';
import { newId } from '../lib/new-id.ts';
import { store } from '../lib/store.ts';
import { storedAtom } from '../lib/stored-atom.ts';
import { useSendMessage } from './queries.ts';

/** A message that the server has not confirmed yet. */
export type Unsent = {
  _id: string;
  /** The id of the sender, because several people may use one browser. */
  owner: string;
  receiver: string;
  content: string;
  createdAt: string;
};

const isUnsent = isObjectOf<Unsent>({
  _id: isText,
  owner: isText,
  receiver: isText,
  content: isText,
  createdAt: isText,
});

/** The messages that this page is sending. */
const sendingAtom = atom<readonly Unsent[]>([]);

/** The messages that failed; kept in localStorage until they are sent or discarded. */
const failedAtom = storedAtom<readonly Unsent[]>('unsent-messages', isListOf(isUnsent), []);

const without = (list: readonly Unsent[], id: string) => list.filter(({ _id }) => _id !== id);

/** Removes a message that was delivered or discarded from the outbox. */
function removeFromOutbox(id: string): void {
  for (const list of [sendingAtom, failedAtom]) {
    if (store.get(list).some(({ _id }) => _id === id)) store.set(list, (old) => without(old, id));
  }
}

/** Returns the unsent messages to one person, oldest first, and functions to send, retry and discard. */
export function useOutbox(receiver: string, arrived: ReadonlySet<string>) {
  const owner = useAuth().user?._id;
  const sending = useAtomValue(sendingAtom);
  const failed = useAtomValue(failedAtom);
  const { mutateAsync } = useSendMessage(receiver);

  const entries = useMemo(() => {
    const belongsToThread = (unsent: Unsent) =>
      unsent.owner === owner && unsent.receiver === receiver && !arrived.has(unsent._id);
    const sendingIds = new Set(sending.map(({ _id }) => _id));
    return [
      ...failed
        .filter((unsent) => belongsToThread(unsent) && !sendingIds.has(unsent._id))
        .map((unsent) => ({ ...unsent, state: 'failed' as const })),
      ...sending
        .filter(belongsToThread)
        .map((unsent) => ({ ...unsent, state: 'sending' as const })),
    ].sort((a, b) => (a.createdAt < b.createdAt ? -1 : 1));
  }, [failed, sending, owner, receiver, arrived]);

  // The response was lost, but the message was delivered.
  useEffect(() => {
    for (const { _id } of failed) if (arrived.has(_id)) removeFromOutbox(_id);
  }, [failed, arrived]);

  const deliver = async (unsent: Unsent) => {
    store.set(sendingAtom, (old) => [...without(old, unsent._id), unsent]);
    try {
      await mutateAsync({ _id: unsent._id, content: unsent.content });
      removeFromOutbox(unsent._id);
    } catch {
      // The bubble shows the failure, and a toast the reason.
      store.set(failedAtom, (old) => [...without(old, unsent._id), unsent]);
      store.set(sendingAtom, (old) => without(old, unsent._id));
    }
  };

  return {
    entries,
    /** Sends a new message. */
    send: (content: string) => {
      if (owner === undefined) return;
      void deliver({ _id: newId(), owner, receiver, content, createdAt: new Date().toISOString() });
    },
    /** Retries a failed message with the same id, so that it is delivered once. */
    retry: (id: string) => {
      const unsent = store.get(failedAtom).find(({ _id }) => _id === id);
      if (unsent) void deliver(unsent);
    },
    discard: removeFromOutbox,
  };
}
