import { atom, useAtomValue } from 'jotai';
import { useEffect, useMemo } from 'react';
import { useAuth } from '../auth/use-auth.ts';
import { newId } from '../lib/new-id.ts';
import { store } from '../lib/store.ts';
import { storedAtom } from '../lib/stored-atom.ts';
import { useSendMessage } from './queries.ts';

/** A message that was written here and of which the server has not said yet that it has it. */
export type Unsent = {
  _id: string;
  /** Who wrote it, and to whom: several people may use one browser. */
  owner: string;
  receiver: string;
  content: string;
  createdAt: string;
};

function isUnsent(value: unknown): value is Unsent {
  const unsent = value as Partial<Unsent> | null;
  return [unsent?._id, unsent?.owner, unsent?.receiver, unsent?.content, unsent?.createdAt].every(
    (field) => typeof field === 'string',
  );
}

/** What is on its way from this page. */
const sendingAtom = atom<readonly Unsent[]>([]);

/** What did not arrive; kept with the browser until it does, or is thrown away. */
const failedAtom = storedAtom<readonly Unsent[]>(
  'unsent-messages',
  {
    safeParse: (value) =>
      Array.isArray(value) && value.every(isUnsent)
        ? { success: true, data: value }
        : { success: false },
  },
  [],
);

const without = (list: readonly Unsent[], id: string) => list.filter(({ _id }) => _id !== id);

/** Takes a message off the outbox: it has arrived, or is not to be sent after all. */
export function takeOff(id: string): void {
  for (const list of [sendingAtom, failedAtom]) {
    if (store.get(list).some(({ _id }) => _id === id)) store.set(list, (old) => without(old, id));
  }
}

/** What was written to one person and has not arrived, oldest first, and what to do with it. */
export function useOutbox(receiver: string, arrived: ReadonlySet<string>) {
  const owner = useAuth().user?._id;
  const sending = useAtomValue(sendingAtom);
  const failed = useAtomValue(failedAtom);
  const { mutateAsync } = useSendMessage(receiver);

  const entries = useMemo(() => {
    const isHere = (unsent: Unsent) =>
      unsent.owner === owner && unsent.receiver === receiver && !arrived.has(unsent._id);
    const onTheirWay = new Set(sending.map(({ _id }) => _id));
    return [
      ...failed
        .filter((unsent) => isHere(unsent) && !onTheirWay.has(unsent._id))
        .map((unsent) => ({ ...unsent, state: 'failed' as const })),
      ...sending.filter(isHere).map((unsent) => ({ ...unsent, state: 'sending' as const })),
    ].sort((a, b) => (a.createdAt < b.createdAt ? -1 : 1));
  }, [failed, sending, owner, receiver, arrived]);

  // The answer was lost, but the message was not.
  useEffect(() => {
    for (const { _id } of failed) if (arrived.has(_id)) takeOff(_id);
  }, [failed, arrived]);

  const deliver = async (unsent: Unsent) => {
    store.set(sendingAtom, (old) => [...without(old, unsent._id), unsent]);
    try {
      await mutateAsync({ _id: unsent._id, content: unsent.content });
      takeOff(unsent._id);
    } catch {
      // Its bubble says so, and a toast has said why.
      store.set(failedAtom, (old) => [...without(old, unsent._id), unsent]);
      store.set(sendingAtom, (old) => without(old, unsent._id));
    }
  };

  return {
    entries,
    /** Sends new words. */
    send: (content: string) => {
      if (owner === undefined) return;
      void deliver({ _id: newId(), owner, receiver, content, createdAt: new Date().toISOString() });
    },
    /** Sends again what did not arrive: the same message, so that it arrives once. */
    retry: (id: string) => {
      const unsent = store.get(failedAtom).find(({ _id }) => _id === id);
      if (unsent) void deliver(unsent);
    },
    discard: takeOff,
  };
}
