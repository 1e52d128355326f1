import type { QueryClient } from '@tanstack/react-query';
import { atom } from 'jotai';
import { messagesApi } from '#contract/farm/messages/constants';
import type { User } from '#contract/people/users/users';
import { call } from '../../platform/api/api.ts';
import { ApiError, errorMessage } from '../../platform/api/api-error.ts';
import { isListOf, isObjectOf, isText, isUndefinedOr } from '../../platform/api/check.ts';
import { onReturn } from '../../platform/hooks/on-return.ts';
import { userAtom } from '../../platform/session/atoms.ts';
import { hasConversations, voiceIdOf } from '../../platform/session/farm-work.ts';
import { inOneTab } from '../../platform/session/in-one-tab.ts';
import { ownedAtom, readOwner } from '../../platform/session/owned.ts';
import { store } from '../../platform/session/store.ts';
import { mergeMessage } from './merge.ts';

/** The name under which a person's unsent messages are kept. */
export const UNSENT_KEY = 'unsent-messages';

/** The delay before the first repeat without an answer; each further one waits twice as long. */
const FIRST_RETRY_DELAY_MS = 1_000;
const MAX_RETRY_DELAY_MS = 30_000;

/** A message that the server has not confirmed yet. */
export type Unsent = {
  /** Made here, so that a repeat is the same message to the server. */
  _id: string;
  /** The id of the sender. */
  owner: string;
  /** As whom it was written: a farm, or its owner. Absent of messages that were stored before it was kept. */
  voice?: string | undefined;
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
  voice: isUndefinedOr(isText),
  receiver: isText,
  receiverName: isUndefinedOr(isText),
  content: isText,
  createdAt: isText,
  relatedOrder: isUndefinedOr(isText),
  refusal: isUndefinedOr(isText),
});

/**
 * The messages that the signed-in person has not sent yet, oldest first. Kept in localStorage, so that they also go
 * out after a reload.
 */
export const unsentAtom = ownedAtom<readonly Unsent[]>(UNSENT_KEY, isListOf(isUnsent), []);

/** Whether the last attempt had no answer: what is unsent waits for the connection. */
export const isWaitingAtom = atom(false);

/** Returns whether a message can't be sent any more, because its writer no longer writes for that farm. */
export const cannotBeSent = ({ voice }: Unsent, writer: User): boolean =>
  !hasConversations(writer) || (voice !== undefined && voice !== voiceIdOf(writer));

let failures = 0;
let retry: ReturnType<typeof setTimeout> | undefined;
let running: Promise<void> | undefined;

function change(id: string, values: Partial<Unsent>, owner = readOwner()): void {
  store.set(unsentAtom.of(owner), (all) =>
    all.map((unsent) => (unsent._id === id ? { ...unsent, ...values } : unsent)),
  );
}

/** Removes a message that arrived, or that its writer discards. */
export function removeUnsent(id: string, owner = readOwner()): void {
  const kept = unsentAtom.of(owner);
  if (!store.get(kept).some(({ _id }) => _id === id)) return;
  store.set(kept, (all) => all.filter(({ _id }) => _id !== id));
}

/** Keeps a message and sends it after the ones before it, now or when the connection is back. */
export function sendThroughOutbox(cache: QueryClient, unsent: Unsent): void {
  store.set(unsentAtom, (all) => [...all.filter(({ _id }) => _id !== unsent._id), unsent]);
  void sendUnsent(cache);
}

/** Sends a refused message again with the same id, so that it is delivered once. */
export function retryUnsent(cache: QueryClient, id: string): void {
  change(id, { refusal: undefined });
  void sendUnsent(cache);
}

/**
 * Sends what the signed-in user has not sent yet, one after the other in the order of writing, and repeats
 * what has no answer. One tab at a time does it; a message that two tabs send is still one to the server.
 */
export function sendUnsent(cache: QueryClient): Promise<void> {
  clearTimeout(retry);
  running ??= inOneTab(UNSENT_KEY, () => sendAll(cache))
    .finally(() => {
      running = undefined;
    })
    .then(async () => {
      // Written after the last look, and before this.
      const isLeft = nextUnsent(store.get(userAtom)) !== undefined;
      if (isLeft && !store.get(isWaitingAtom)) await sendUnsent(cache);
    });
  return running;
}

function nextUnsent(writer: User | null): Unsent | undefined {
  if (!writer) return undefined;
  return store
    .get(unsentAtom)
    .find(
      (unsent) =>
        unsent.owner === writer._id &&
        unsent.refusal === undefined &&
        !cannotBeSent(unsent, writer),
    );
}

async function sendAll(cache: QueryClient): Promise<void> {
  for (;;) {
    const me = store.get(userAtom);
    const next = nextUnsent(me);
    if (!next) return;
    const { _id, owner, receiver, content, relatedOrder } = next;
    try {
      const { data } = await call(messagesApi.send, {
        body: { _id, receiver, content, ...(relatedOrder === undefined ? {} : { relatedOrder }) },
        isKept: true,
      });
      // Somebody else may have signed in meanwhile, who reads as another.
      const reader = voiceIdOf(store.get(userAtom));
      if (reader !== undefined && reader === voiceIdOf(me)) mergeMessage(cache, data, reader);
      removeUnsent(_id, owner);
    } catch (error) {
      const isRefused = error instanceof ApiError && !error.isTemporary && error.status !== 401;
      if (!isRefused) {
        waitForConnection(cache, error);
        return;
      }
      change(_id, { refusal: errorMessage(error) }, owner);
    }
    failures = 0;
    store.set(isWaitingAtom, false);
  }
}

function waitForConnection(cache: QueryClient, error: unknown): void {
  store.set(isWaitingAtom, true);
  const askedMs = ((error instanceof ApiError && error.retryAfter) || 0) * 1_000;
  const delayMs = Math.min(FIRST_RETRY_DELAY_MS * 2 ** failures++, MAX_RETRY_DELAY_MS);
  clearTimeout(retry);
  retry = setTimeout(() => void sendUnsent(cache), Math.max(askedMs, delayMs));
}

/**
 * Sends what is unsent now, when the connection is back, and when another tab leaves something behind. Returns
 * how to stop.
 */
export function watchOutbox(cache: QueryClient): () => void {
  const send = () => {
    failures = 0;
    void sendUnsent(cache);
  };
  // Subscribed, so that the messages of other tabs are seen.
  const stopStore = store.sub(unsentAtom, () => {
    if (!store.get(isWaitingAtom)) void sendUnsent(cache);
  });
  const stopReturn = onReturn(send);
  send();
  return () => {
    stopStore();
    stopReturn();
    clearTimeout(retry);
  };
}
