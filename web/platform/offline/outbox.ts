import type { QueryClient } from '@tanstack/react-query';
import { atom } from 'jotai';
import type { SignedInUser } from '#contract/platform/session/constants';
import { ApiError } from '../api/api-error.ts';
import { type Check, isListOf } from '../api/check.ts';
import { onReturn } from '../api/connection.ts';
import { inOneTab } from '../session/in-one-tab.ts';
import { ownedAtom } from '../session/owned.ts';
import {
  heldSessionAtom,
  isHeld,
  readToken,
  store,
  tokenAtom,
  userAtom,
} from '../session/session.ts';

/** The delay before the first retry without an answer; each further one waits twice as long. */
const FIRST_RETRY_DELAY_MS = 1_000;
const MAX_RETRY_DELAY_MS = 30_000;

type Session = { token: string; user: SignedInUser };

/** What `send` gets beside the entry. */
export type SendContext = {
  cache: QueryClient;
  /** The token of the entry's owner. */
  token: string;
  /** Returns whether the owner is still signed in, so that the answer may be shown. */
  isSignedIn: () => boolean;
};

type Options<Entry> = {
  /** The name of the list in the storage, and of the lock. */
  key: string;
  isEntry: Check<Entry>;
  idOf: (entry: Entry) => string;
  /**
   * Sends an entry, under the same idempotency key each time. Resolves to the changes of an entry that is only sent
   * in part. Throws `ApiError` for a refusal, which is final unless it is temporary or the session has ended.
   */
  send: (entry: Entry, context: SendContext) => Promise<Partial<Entry> | undefined>;
  /** Returns the changes of an entry that stays although it was refused; others are removed. */
  onRefused: (entry: Entry, error: ApiError, context: SendContext) => Partial<Entry> | undefined;
  /** Returns whether an entry is to be sent by this user. */
  isSendable?: (entry: Entry, user: SignedInUser) => boolean;
  /** Adds a new entry, or folds it into one that waits. */
  merge?: (all: readonly Entry[], entry: Entry) => readonly Entry[];
  /** Entries of one lane are sent in their order, lanes independently. There is one lane unless this is given. */
  laneOf?: (entry: Entry) => string;
  /** Returns when an entry may be sent, in milliseconds; `isOwn` says whether it was added in this tab. */
  sendAtOf?: (entry: Entry, isOwn: boolean) => number;
  /** Return how an entry is stored while it is sent, while it waits for a retry, and once the connection is back. */
  whileSending?: (entry: Entry) => Partial<Entry>;
  whileWaiting?: (entry: Entry, retryAtMs: number) => Partial<Entry>;
  onResume?: (entry: Entry) => Partial<Entry> | undefined;
  /** Called before anything is sent in another session. */
  onSession?: (user: SignedInUser) => void;
  firstRetryDelayMs?: number;
};

/** What this tab knows of a lane; the entries are in the storage. */
type Lane = { failures: number; retryAtMs: number; isWaiting: boolean; isRunning: boolean };

/**
 * Creates a list of what the signed-in person did and the server has not confirmed, oldest first. It is kept in
 * localStorage under their id, so that it outlives the page. One tab at a time sends it: at once, after a delay with
 * jitter where there was no answer, when the connection is back, and at the next visit. Nothing is sent for a person
 * who is not signed in.
 */
export function createOutbox<Entry extends { owner: string }>({
  key,
  isEntry,
  idOf,
  send,
  onRefused,
  isSendable = () => true,
  merge = (all, entry) => [...all.filter((other) => idOf(other) !== idOf(entry)), entry],
  laneOf = () => '',
  sendAtOf = () => 0,
  whileSending,
  whileWaiting,
  onResume,
  onSession,
  firstRetryDelayMs = FIRST_RETRY_DELAY_MS,
}: Options<Entry>) {
  const entriesAtom = ownedAtom<readonly Entry[]>(key, isListOf(isEntry), []);
  /** Whether the last attempt of a lane had no answer: it waits for the connection. */
  const isWaitingAtom = atom(false);
  const lanes = new Map<string, Lane>();
  /** The ids of what this tab added, and of what it is sending. */
  const own = new Set<string>();
  const sending = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let watching: { cache: QueryClient; stop: () => void } | undefined;

  /** Changes a person's entries as they are stored now: another tab may have changed them just before. */
  function update(owner: string, change: (all: readonly Entry[]) => readonly Entry[]): void {
    const entries = entriesAtom.of(owner);
    const before = entries.readStored();
    const after = change(before);
    const isSame = after.length === before.length && after.every((each, i) => each === before[i]);
    if (!isSame) store.set(entries, after);
  }

  const patch = (id: string, owner: string, values: Partial<Entry> = {}): void =>
    update(owner, (all) =>
      all.map((entry) => (idOf(entry) === id ? { ...entry, ...values } : entry)),
    );

  const remove = (id: string, owner: string): void =>
    update(owner, (all) => all.filter((entry) => idOf(entry) !== id));

  function readSession(): Session | undefined {
    const [token, user] = [readToken(), store.get(userAtom)];
    return token !== null && user && !isHeld(token) ? { token, user } : undefined;
  }

  /** Returns the first entry of each lane that is still to be sent. */
  function firstOfLanes({ user }: Session): Map<string, Entry> {
    const first = new Map<string, Entry>();
    for (const entry of entriesAtom.of(user._id).readStored()) {
      const lane = laneOf(entry);
      const isNext = entry.owner === user._id && isSendable(entry, user) && !first.has(lane);
      if (isNext) first.set(lane, entry);
    }
    return first;
  }

  function laneAt(name: string): Lane {
    const idle = { failures: 0, retryAtMs: 0, isWaiting: false, isRunning: false };
    const lane = lanes.get(name) ?? idle;
    lanes.set(name, lane);
    return lane;
  }

  const sendAt = (entry: Entry): number =>
    Math.max(sendAtOf(entry, own.has(idOf(entry))), lanes.get(laneOf(entry))?.retryAtMs ?? 0);

  /** Sends each lane when its first entry is due, and forgets the lanes that are empty. */
  function schedule(): void {
    clearTimeout(timer);
    const session = readSession();
    if (!watching || !session) return;
    const first = firstOfLanes(session);
    for (const [name, { isRunning }] of lanes) {
      if (!isRunning && !first.has(name)) lanes.delete(name);
    }
    showWaiting();
    const idle = [...first].filter(
      ([name, entry]) => !lanes.get(name)?.isRunning && !sending.has(idOf(entry)),
    );
    if (idle.length === 0) return;
    const delayMs = Math.min(...idle.map(([, entry]) => sendAt(entry))) - Date.now();
    timer = setTimeout(sendDue, Math.max(0, delayMs));
  }

  const showWaiting = (): void =>
    store.set(
      isWaitingAtom,
      [...lanes.values()].some(({ isWaiting }) => isWaiting),
    );

  function sendDue(): void {
    const session = readSession();
    if (!session) return;
    for (const [name, entry] of firstOfLanes(session)) {
      const lane = laneAt(name);
      if (lane.isRunning || sendAt(entry) > Date.now()) continue;
      lane.isRunning = true;
      void inOneTab(name === '' ? key : `${key}:${name}`, () => sendLane(name)).finally(() => {
        lane.isRunning = false;
        schedule();
      });
    }
    schedule();
  }

  /** Sends the entries of a lane one after the other, as they are stored once no other tab sends it. */
  async function sendLane(name: string): Promise<void> {
    for (;;) {
      const session = readSession();
      const entry = session && firstOfLanes(session).get(name);
      const isDue = entry && !sending.has(idOf(entry)) && sendAt(entry) <= Date.now();
      if (!watching || !isDue || !(await attempt(entry, session, watching.cache))) return;
    }
  }

  /** Sends one entry. Resolves to whether its lane can go on. */
  async function attempt(
    entry: Entry,
    { token, user }: Session,
    cache: QueryClient,
  ): Promise<boolean> {
    const [id, { owner }, lane] = [idOf(entry), entry, laneAt(laneOf(entry))];
    const isSignedIn = () => store.get(userAtom)?._id === user._id && readToken() !== null;
    const context = { cache, token, isSignedIn };
    const finish = (values: Partial<Entry> | undefined) => {
      if (values) patch(id, owner, values);
      else remove(id, owner);
      Object.assign(lane, { failures: 0, retryAtMs: 0, isWaiting: false });
    };
    sending.add(id);
    if (whileSending) patch(id, owner, whileSending(entry));
    try {
      finish(await send(entry, context));
      return true;
    } catch (error) {
      const isRefused = error instanceof ApiError && !error.isTemporary && error.status !== 401;
      if (isRefused) {
        finish(onRefused(entry, error, context));
        return true;
      }
      const delayMs = Math.min(firstRetryDelayMs * 2 ** lane.failures++, MAX_RETRY_DELAY_MS);
      const askedMs = ((error instanceof ApiError && error.retryAfter) || 0) * 1_000;
      // With jitter, so that browsers that lost the server together do not return together.
      lane.retryAtMs = Date.now() + Math.max(askedMs, delayMs * (0.5 + Math.random() / 2));
      lane.isWaiting = true;
      if (whileWaiting) patch(id, owner, whileWaiting(entry, lane.retryAtMs));
      return false;
    } finally {
      sending.delete(id);
      schedule();
    }
  }

  /** Sends what waits for a retry without waiting any longer. */
  function resume(): void {
    const session = readSession();
    if (session && onResume) {
      update(session.user._id, (all) =>
        all.map((entry) => {
          const values = onResume(entry);
          return values ? { ...entry, ...values } : entry;
        }),
      );
    }
    restart();
  }

  function restart(): void {
    for (const lane of lanes.values()) Object.assign(lane, { failures: 0, retryAtMs: 0 });
    sendDue();
  }

  /** Sends everything that `isIncluded`, before its time and without a lock: the page may be gone in a moment. */
  function flush(isIncluded: (entry: Entry) => boolean = () => true): void {
    const session = readSession();
    if (!watching || !session) return;
    for (const entry of firstOfLanes(session).values()) {
      if (sending.has(idOf(entry)) || !isIncluded(entry)) continue;
      void attempt(entry, session, watching.cache);
    }
  }

  /** Adds an entry, and sends it after the ones before it. */
  function add(cache: QueryClient, entry: Entry): void {
    watch(cache);
    own.add(idOf(entry));
    update(entry.owner, (all) => merge(all, entry));
    const lane = lanes.get(laneOf(entry));
    if (lane) lane.retryAtMs = 0;
    sendDue();
  }

  /** Sends what waits from now on, also for a user who signs in later. Returns how to stop. */
  function watch(cache: QueryClient): () => void {
    if (watching) {
      watching.cache = cache;
      return watching.stop;
    }
    const followSession = () => {
      const session = readSession();
      if (session) onSession?.(session.user);
      restart();
    };
    // The timers of a hidden page are late.
    const onVisible = () => {
      if (document.visibilityState === 'visible') sendDue();
    };
    const stops = [
      // Subscribed, so that the entries of other tabs are seen.
      store.sub(entriesAtom, schedule),
      ...[tokenAtom, userAtom, heldSessionAtom].map((each) => store.sub(each, followSession)),
      onReturn(resume),
    ];
    document.addEventListener('visibilitychange', onVisible);
    const stop = () => {
      for (const end of stops) end();
      document.removeEventListener('visibilitychange', onVisible);
      clearTimeout(timer);
      own.clear();
      lanes.clear();
      store.set(isWaitingAtom, false);
      watching = undefined;
    };
    watching = { cache, stop };
    followSession();
    return stop;
  }

  return {
    ...{ entriesAtom, isWaitingAtom, add, update, patch, remove, resume, flush, watch },
    stop: () => watching?.stop(),
  };
}
