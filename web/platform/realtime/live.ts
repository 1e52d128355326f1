import type { QueryClient } from '@tanstack/react-query';
import type { EventName } from '#contract/platform/events/event';
import type { LogAnswer } from '#contract/platform/events/log';
import type { Envelope } from '#contract/platform/events/socket';
import { clockMs, noteClock } from '#contract/platform/time/constants';
import { newId } from '../api/api.ts';
import {
  type Connection as ConnectionState,
  connectionAtom,
  isUpToDate,
  setEmitter,
} from '../api/connection.ts';
import { noteRelease } from '../api/release.ts';
import { listen, stopAll } from '../hooks/listen.ts';
import { notifySessionEnded, store } from '../session/session.ts';
import { EventReader, type LoadEventSchemas } from './event-reader.ts';
import { beginOtherHistory, refetch } from './in-flight.ts';
import type { LogPoll } from './log-poll.ts';
import {
  asReplayOfLastVisit,
  notifyCaughtUp,
  type Position,
  positionOf,
  setPosition,
} from './position.ts';
import { clearPresence } from './presence.ts';
import { Connection } from './socket.ts';

/** A timer this late means that the device was asleep. */
const SLEEP_CHECK_INTERVAL_MS = 4_000;
const SLEEP_THRESHOLD_MS = 6_000;

/** How long a page without a WebSocket tries to open one before it reads the log over HTTP. */
const POLL_AFTER_MS = 10_000;

/** Who has been live on this page; null is a visitor. */
const hasBeenLive = new Set<string | null>();

/** Whose connection it is: a signed-in user's, or a visitor's. */
export type Subscriber = { userId: string; token: string } | { userId: null; token: null };

/** What a connection does with what arrives. */
export interface LiveEvents {
  loadSchemas: LoadEventSchemas;
  /** Changes the cached answers as an event says. */
  apply: (cache: QueryClient, event: Envelope) => void;
}

/**
 * Opens the live connection of a subscriber: to the page's own server unless `address` names another. Returns how to
 * close it.
 */
export type OpenLiveConnection = (
  cache: QueryClient,
  subscriber: Subscriber,
  address?: string,
) => () => void;

/** Returns what opens a live connection and applies its events to the query cache. */
export const liveConnection =
  ({ loadSchemas, apply: applyEvent }: LiveEvents): OpenLiveConnection =>
  (cache, { userId, token }, address) => {
    const buffer = new ReplayBuffer(positionOf(userId));
    // Data fetched before the first connection may be stale.
    let isFirst = buffer.last === undefined;
    let hasEnded = false;
    /** Since when there is no socket; undefined where there is one. */
    let downSince: number | undefined;
    let pollTimer: ReturnType<typeof setTimeout> | undefined;
    let poll: LogPoll | undefined;

    const reader = new EventReader(
      {
        onEvent: (envelope) => {
          if (hasEnded) return;
          const epoch = buffer.last?.epoch;
          const events = buffer.take(envelope);
          const apply = () => {
            for (const event of events) applyEvent(cache, event);
          };
          if (isFirst || hasBeenLive.has(userId)) apply();
          else asReplayOfLastVisit(apply);
          if (buffer.last !== undefined) setPosition(userId, buffer.last);
          if (epoch !== undefined && epoch !== buffer.last?.epoch) {
            beginOtherHistory(cache);
          }
          if (envelope.name === 'synced' || envelope.name === 'resync') {
            // A visitor may ask for nothing else.
            noteClock(Date.parse(envelope.at), Date.now(), Date.now());
            if ('release' in envelope.data) noteRelease(envelope.data.release);
            onCaughtUp(envelope.name === 'synced');
          }
        },
        onUnreadable: (name, error) => {
          // A newer release may say more than this one knows.
          console.warn(`An event ${name} cannot be read; refetching.`, error);
          refetch(cache, []);
        },
      },
      loadSchemas,
    );
    // A signed-in user receives events soon; a visitor may never need the schemas.
    if (token !== null) reader.preload();

    function onCaughtUp(isSynced: boolean): void {
      if (!poll) {
        connection.completeReplay();
        downSince = undefined;
      }
      hasBeenLive.add(userId);
      notifyCaughtUp({ userId, isReplayed: isSynced && !isFirst });
      if (isFirst) void cache.invalidateQueries(undefined, { cancelRefetch: false });
      isFirst = false;
      setConnectionState(poll ? 'polling' : 'live');
      setEmitter((poll ?? connection).emit);
    }

    function onLost(): void {
      setEmitter(undefined);
      clearPresence();
      setConnectionState(navigator.onLine ? 'reconnecting' : 'offline');
    }

    function onDown(): void {
      // One more try for a socket has failed.
      if (poll) return;
      onLost();
      pollSoon();
    }

    function pollSoon(): void {
      downSince ??= Date.now();
      clearTimeout(pollTimer);
      if (!navigator.onLine) return;
      const waitMs = Math.max(0, downSince + POLL_AFTER_MS - Date.now());
      pollTimer = setTimeout(() => void startPolling(), waitMs);
    }

    async function startPolling(): Promise<void> {
      const started = pollTimer;
      // Few visitors need it. Where it cannot be loaded now, the next try for a socket leads here again.
      const loaded = await import('./log-poll.ts').catch(() => undefined);
      if (!loaded || pollTimer !== started) return;
      poll = new loaded.LogPoll({ token, position: () => buffer.last, onAnswer, onFailed: onLost });
    }

    function stopPolling(): void {
      clearTimeout(pollTimer);
      pollTimer = undefined;
      poll?.stop();
      poll = undefined;
    }

    /** Applies what was read over HTTP: a replay at first, and later what happened since. */
    async function onAnswer(answer: LogAnswer, isReplay: boolean): Promise<void> {
      await reader.load();
      if (!poll) return;
      const { events, synced, resync } = answer;
      if (isReplay) {
        // Only watched products were up to date before; from now on all of them are.
        void cache.invalidateQueries({ type: 'inactive', refetchType: 'none' });
      }
      if (isReplay || resync) buffer.startReplay();
      for (const event of events) reader.read(event.name, event);
      if (synced && !isReplay) {
        buffer.last = { seq: synced.seq, epoch: synced.epoch };
        setPosition(userId, buffer.last);
        return;
      }
      const [name, data] = resync ? ['resync', resync] : ['synced', synced];
      reader.read(name, { id: newId(), at: new Date(clockMs()).toISOString(), name, data });
    }

    const connection = new Connection(
      {
        onOpen: () => {
          stopPolling();
          reader.reset();
          buffer.startReplay();
        },
        onEvent: (name, input) => reader.read(name, input),
        onDown,
        onUnauthorized: (isAccountGone) => {
          stopPolling();
          onLost();
          if (token !== null) notifySessionEnded(token, isAccountGone);
        },
      },
      () => ({
        ...(token !== null && { token }),
        // Where to continue.
        ...(buffer.last && { after: buffer.last.seq }),
        ...(buffer.last?.epoch !== undefined && { epoch: buffer.last.epoch }),
      }),
      address,
    );
    const stopWaking = wakeOnEvents({
      wake: () => {
        connection.wake();
        poll?.wake();
      },
      online: () => {
        if (downSince === undefined) return;
        // Without a network no socket could have opened.
        downSince = Date.now();
        pollSoon();
      },
      offline: () => {
        connection.disconnect();
        stopPolling();
      },
    });
    return () => {
      hasEnded = true;
      stopWaking();
      stopPolling();
      setEmitter(undefined);
      clearPresence();
      connection.close();
    };
  };

/** Stores the state of the connection; `since` is kept while the connection stays lost. */
function setConnectionState(state: ConnectionState['state']): void {
  store.set(connectionAtom, (before) => {
    if (before.state === state) return before;
    const isStillAway = !isUpToDate({ ...before, state }) && !isUpToDate(before);
    return { state, since: isStillAway ? before.since : Date.now() };
  });
}

/** Calls these on network, visibility and sleep changes. Returns how to stop. */
function wakeOnEvents(call: Record<'wake' | 'online' | 'offline', () => void>): () => void {
  const { wake } = call;
  const online = () => {
    if (store.get(connectionAtom).state === 'offline') setConnectionState('reconnecting');
    wake();
    call.online();
  };
  const offline = () => {
    call.offline();
    setConnectionState('offline');
  };
  let checkedAt = Date.now();
  const sleepTimer = setInterval(() => {
    const late = Date.now() - checkedAt - SLEEP_CHECK_INTERVAL_MS;
    checkedAt = Date.now();
    if (late > SLEEP_THRESHOLD_MS) wake();
  }, SLEEP_CHECK_INTERVAL_MS);
  return stopAll(
    () => clearInterval(sleepTimer),
    listen(window, ['online'], online),
    listen(window, ['offline'], offline),
    listen(window, ['pageshow'], wake),
    listen(document, ['visibilitychange'], () => {
      if (document.visibilityState === 'visible') wake();
    }),
  );
}

/**
 * Orders the events of the live connection. Events are buffered while the server replays missed ones,
 * and released once, in the order of their sequence numbers, when the replay is complete.
 */
class ReplayBuffer {
  /** The position of the last applied event; undefined before the first replay. */
  last: Position | undefined;
  /** The events since the connection was opened; undefined once the replay is complete. */
  #waiting: Envelope[] | undefined = [];

  /** `last` is the position of the last event that was applied before, if any. */
  constructor(last?: Position) {
    this.last = last;
  }

  /** Starts buffering for a new connection. Drops the events of an unfinished replay. */
  startReplay(): void {
    this.#waiting = [];
  }

  /** Takes a received event and returns the events to apply now, in order. */
  take<Name extends EventName>(envelope: Envelope<Name>): Envelope[] {
    if (isNamed('synced', envelope)) return [...this.#completeReplay(envelope.data), envelope];
    if (isNamed('resync', envelope)) {
      // The server could not replay, so the cache is refetched. Continues from the server's sequence
      // number even if it is lower, because the log may have been recreated.
      const { seq, epoch } = envelope.data;
      if (this.#waiting) this.last = { seq, epoch };
      return [envelope, ...this.#completeReplay({ seq: this.last?.seq ?? seq, epoch })];
    }
    // Ephemeral events have no sequence number.
    if (envelope.seq === undefined) return [envelope];
    if (!this.#waiting) return this.#next(envelope);
    this.#waiting.push(envelope);
    return [];
  }

  #next(envelope: Envelope): Envelope[] {
    const seq = envelope.seq ?? 0;
    if (this.last && seq <= this.last.seq) return [];
    this.last = { seq, epoch: this.last?.epoch };
    return [envelope];
  }

  /** Returns the buffered events in order, without those already applied. */
  #completeReplay({ seq, epoch }: { seq: number; epoch?: string | undefined }): Envelope[] {
    const waiting = this.#waiting ?? [];
    this.#waiting = undefined;
    const inOrder = waiting.toSorted((a, b) => (a.seq ?? 0) - (b.seq ?? 0));
    const fresh = inOrder.flatMap((envelope) => this.#next(envelope));
    this.last = { seq: Math.max(this.last?.seq ?? 0, seq), epoch };
    return fresh;
  }
}

function isNamed<Name extends EventName>(
  name: Name,
  envelope: Envelope,
): envelope is Envelope<Name> {
  return envelope.name === name;
}
