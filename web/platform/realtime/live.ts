import type { QueryClient } from '@tanstack/react-query';
import type { Envelope, HandshakeAuth } from '#contract/platform/events/socket';
import { noteClock } from '#contract/platform/time/constants';
import { type Connection as ConnectionState, connectionAtom } from '../api/connection.ts';
import { notifySessionEnded } from '../session/session.ts';
import { store } from '../session/store.ts';
import { setEmitter } from './emitter.ts';
import { EventReader, type LoadEventSchemas } from './event-reader.ts';
import { refetch } from './in-flight.ts';
import {
  asReplayOfLastVisit,
  notifyCaughtUp,
  type Position,
  positionOf,
  setPosition,
} from './position.ts';
import { clearPresence } from './presence.ts';
import { ReplayBuffer } from './replay-buffer.ts';
import { Connection } from './socket.ts';

/** A timer this late means that the device was asleep. */
const SLEEP_CHECK_INTERVAL_MS = 4_000;
const SLEEP_THRESHOLD_MS = 6_000;

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

/** Opens the live connection of a subscriber. Returns how to close it. */
export type OpenLiveConnection = (
  cache: QueryClient,
  subscriber: Subscriber,
  address?: string,
) => () => void;

/**
 * Opens the live connection and applies its events to the query cache. Returns how to close it.
 * Connects to the page's own server unless `address` names another.
 */
export function connectLive(
  { loadSchemas, apply: applyEvent }: LiveEvents,
  cache: QueryClient,
  { userId, token }: Subscriber,
  address?: string,
): () => void {
  const buffer = new ReplayBuffer(positionOf(userId));
  // Data fetched before the first connection may be stale.
  let isFirst = buffer.last === undefined;
  let hasEnded = false;

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
          void import('./other-history.ts').then((module) => module.beginOtherHistory(cache));
        }
        if (envelope.name === 'synced' || envelope.name === 'resync') {
          // A visitor may ask for nothing else.
          noteClock(Date.parse(envelope.at), Date.now(), Date.now());
          onCaughtUp(envelope.name === 'synced');
        }
      },
      onUnreadable: (name, error) => {
        console.error(`An event ${name} cannot be read; refetching.`, error);
        refetch(cache, []);
      },
    },
    loadSchemas,
  );
  // A signed-in user receives events soon; a visitor may never need the schemas.
  if (token !== null) reader.preload();

  function onCaughtUp(isSynced: boolean): void {
    connection.completeReplay();
    hasBeenLive.add(userId);
    notifyCaughtUp({ userId, isReplayed: isSynced && !isFirst });
    if (isFirst) void cache.invalidateQueries(undefined, { cancelRefetch: false });
    isFirst = false;
    setConnectionState('live');
    setEmitter(connection.emit);
  }

  function onDown(): void {
    setEmitter(undefined);
    clearPresence();
    setConnectionState(navigator.onLine ? 'reconnecting' : 'offline');
  }

  const connection = new Connection(
    {
      onOpen: () => {
        reader.reset();
        buffer.startReplay();
      },
      onEvent: (name, input) => reader.read(name, input),
      onDown,
      onUnauthorized: (isAccountGone) => {
        onDown();
        if (token !== null) notifySessionEnded(token, isAccountGone);
      },
    },
    () => ({
      ...(token === null ? {} : { token }),
      ...afterOf(buffer.last),
    }),
    address,
  );
  const stopWaking = wakeOnEvents(connection);
  return () => {
    hasEnded = true;
    stopWaking();
    setEmitter(undefined);
    clearPresence();
    connection.close();
  };
}

/** Returns the part of the handshake that says where to continue. */
const afterOf = (position: Position | undefined): Pick<HandshakeAuth, 'after' | 'epoch'> => ({
  ...(position && { after: position.seq }),
  ...(position?.epoch !== undefined && { epoch: position.epoch }),
});

/** Stores the state of the connection; `since` is kept while the connection stays lost. */
function setConnectionState(state: ConnectionState['state']): void {
  store.set(connectionAtom, (before) => {
    if (before.state === state) return before;
    const isStillAway = state !== 'live' && before.state !== 'live';
    return { state, since: isStillAway ? before.since : Date.now() };
  });
}

/** Wakes the connection on network, visibility and sleep changes. Returns how to stop. */
function wakeOnEvents(connection: Connection): () => void {
  const wake = () => connection.wake();
  const online = () => {
    if (store.get(connectionAtom).state === 'offline') setConnectionState('reconnecting');
    wake();
  };
  const offline = () => {
    connection.disconnect();
    setConnectionState('offline');
  };
  const onVisibility = () => {
    if (document.visibilityState === 'visible') wake();
  };
  let checkedAt = Date.now();
  const sleepTimer = setInterval(() => {
    const late = Date.now() - checkedAt - SLEEP_CHECK_INTERVAL_MS;
    checkedAt = Date.now();
    if (late > SLEEP_THRESHOLD_MS) wake();
  }, SLEEP_CHECK_INTERVAL_MS);
  window.addEventListener('online', online);
  window.addEventListener('offline', offline);
  window.addEventListener('pageshow', wake);
  document.addEventListener('visibilitychange', onVisibility);
  return () => {
    clearInterval(sleepTimer);
    window.removeEventListener('online', online);
    window.removeEventListener('offline', offline);
    window.removeEventListener('pageshow', wake);
    document.removeEventListener('visibilitychange', onVisibility);
  };
}
