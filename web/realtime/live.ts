import type { QueryClient } from '@tanstack/react-query';
import type { Envelope } from '#contract/realtime';
import { type Connection as ConnectionState, connectionAtom } from '../lib/connection.ts';
import { sessionEnded } from '../lib/session.ts';
import { store } from '../lib/store.ts';
import { refetch } from './in-flight.ts';
import { Inbox } from './inbox.ts';
import { setLine } from './line.ts';
import { forgetPresence } from './presence.ts';
import { isEventName, readEnvelope } from './read-envelope.ts';
import { applyEvent } from './reducers.ts';
import { Connection } from './socket.ts';

/** Milliseconds between two looks at the clock, and how late one must be to mean that we slept. */
const LOOK = 4_000;
const OVERSLEPT = 6_000;

/** Up to which event each user knows everything, for as long as the page lives. */
const lastSeen = new Map<string, number>();

/** Who listens: a signed-in user, or a visitor. */
export type Listener = { userId: string; token: string } | { userId: null; token: null };

/**
 * Opens the live connection for someone and works what comes into the cache. Returns how to end it.
 * Loaded after the page has painted, since nothing on it waits for this. The page's own server is
 * the one to listen to unless `address` names another.
 */
export function goLive(
  cache: QueryClient,
  { userId, token }: Listener,
  address?: string,
): () => void {
  const who = userId ?? '';
  const inbox = new Inbox(lastSeen.get(who));
  // What was fetched before we began to hear may have changed unheard.
  let isFirst = inbox.last === undefined;

  function receive(name: string, input: unknown): void {
    // A newer server may know events that this page does not.
    if (!isEventName(name)) return;
    let envelope: Envelope;
    try {
      envelope = readEnvelope(name, input);
    } catch (error) {
      console.error(`An event ${name} is not of the agreed form.`, error);
      refetch(cache, []);
      return;
    }
    for (const event of inbox.take(envelope)) applyEvent(cache, event);
    if (inbox.last !== undefined) lastSeen.set(who, inbox.last);
    if (name === 'synced' || name === 'resync') upToDate();
  }

  function upToDate(): void {
    connection.settled();
    if (isFirst) void cache.invalidateQueries(undefined, { cancelRefetch: false });
    isFirst = false;
    show('live');
    setLine(connection.say);
  }

  function down(): void {
    setLine(undefined);
    forgetPresence();
    show(navigator.onLine ? 'reconnecting' : 'offline');
  }

  const connection = new Connection(
    {
      onOpen: () => inbox.begin(),
      onEvent: receive,
      onDown: down,
      onUnauthorized: () => {
        down();
        if (token !== null) sessionEnded(token);
      },
    },
    () => ({
      ...(token === null ? {} : { token }),
      ...(inbox.last === undefined ? {} : { after: inbox.last }),
    }),
    address,
  );
  const stopWaking = wakeUp(connection);
  return () => {
    stopWaking();
    setLine(undefined);
    forgetPresence();
    connection.close();
  };
}

/** Writes how we hear of news; away counts from when it was last live. */
function show(state: ConnectionState['state']): void {
  store.set(connectionAtom, (before) => {
    if (before.state === state) return before;
    const isStillAway = state !== 'live' && before.state !== 'live';
    return { state, since: isStillAway ? before.since : Date.now() };
  });
}

/** Looks after the connection whenever there is reason to. */
function wakeUp(connection: Connection): () => void {
  const wake = () => connection.wake();
  const online = () => {
    if (store.get(connectionAtom).state === 'offline') show('reconnecting');
    wake();
  };
  const offline = () => {
    connection.drop();
    show('offline');
  };
  const seen = () => {
    if (document.visibilityState === 'visible') wake();
  };
  let lookedAt = Date.now();
  const clock = setInterval(() => {
    const late = Date.now() - lookedAt - LOOK;
    lookedAt = Date.now();
    if (late > OVERSLEPT) wake();
  }, LOOK);
  window.addEventListener('online', online);
  window.addEventListener('offline', offline);
  window.addEventListener('pageshow', wake);
  document.addEventListener('visibilitychange', seen);
  return () => {
    clearInterval(clock);
    window.removeEventListener('online', online);
    window.removeEventListener('offline', offline);
    window.removeEventListener('pageshow', wake);
    document.removeEventListener('visibilitychange', seen);
  };
}
