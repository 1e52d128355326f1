import { io, type Socket } from 'socket.io-client';

/** An event that a client applied. */
export interface ReceivedEvent {
  seq: number;
  name: string;
  data: { _id: string };
  /** Milliseconds since the epoch. */
  receivedAt: number;
}

export type Follower = ReturnType<typeof follow>;

interface NumberedEnvelope {
  seq?: number;
  id: string;
  name: string;
  data: { _id: string };
}

const RECONNECT_DELAY_MS = 100;

/**
 * Starts a client that follows the market as the browser does: it applies each event after the last number it
 * saw. When disconnected it reconnects with that number, to the next address in turn.
 */
export function follow(urls: readonly string[], token?: string) {
  const received: ReceivedEvent[] = [];
  const receivedTimes = new Map<string, number>();
  const disconnects: string[] = [];
  let after: number | undefined;
  let urlIndex = 0;
  let duplicates = 0;
  let resyncs = 0;
  let syncedAt = 0;
  let socket: Socket | undefined;
  let isClosed = false;
  let reconnectTimer: NodeJS.Timeout | undefined;

  function reconnect(): void {
    socket?.removeAllListeners().disconnect();
    if (isClosed) return;
    urlIndex++;
    reconnectTimer = setTimeout(connect, RECONNECT_DELAY_MS * (0.5 + Math.random()));
  }

  function connect(): void {
    const current = io(urls[urlIndex % urls.length] ?? '', {
      auth: { ...(token ? { token } : {}), ...(after === undefined ? {} : { after }) },
      transports: ['websocket'],
      reconnection: false,
      forceNew: true,
    });
    socket = current;
    current.onAny((name: string, envelope: NumberedEnvelope & { data: { seq: number } }) => {
      if (name === 'synced' || name === 'resync') {
        after = envelope.data.seq;
        syncedAt = Date.now();
        if (name === 'resync') resyncs++;
        return;
      }
      if (envelope.seq === undefined) return;
      if (after !== undefined && envelope.seq <= after) {
        duplicates++;
        return;
      }
      after = envelope.seq;
      const { seq, data } = envelope;
      received.push({ seq, name, data, receivedAt: Date.now() });
      receivedTimes.set(`${name} ${data._id}`, Date.now());
    });
    current.once('disconnect', (reason) => {
      // A socket that was never synced did not disconnect: its handshake timed out.
      if (syncedAt > 0) disconnects.push(reason);
      syncedAt = 0;
      reconnect();
    });
    current.once('connect_error', reconnect);
  }
  connect();

  return {
    /** The applied events, in the order received. */
    received,
    /** The reasons of disconnects after the first sync. */
    disconnects,
    /** Returns when an event was received, if it was. */
    receivedAt: (name: string, id: string): number | undefined =>
      receivedTimes.get(`${name} ${id}`),
    /** How many events it received again or out of order. */
    get duplicates() {
      return duplicates;
    },
    /** How often the server asked it to refetch everything. */
    get resyncs() {
      return resyncs;
    },
    /** The address it is connected to or connects to. */
    get url() {
      return urls[urlIndex % urls.length];
    },
    /** Since when it is synced, in milliseconds since the epoch; 0 while it is not. */
    get syncedAt() {
      return syncedAt;
    },
    /** Returns the ids in events of this name. */
    ids: (name: string): string[] =>
      received.filter((event) => event.name === name).map(({ data }) => data._id),
    close: (): void => {
      isClosed = true;
      clearTimeout(reconnectTimer);
      socket?.removeAllListeners().disconnect();
    },
  };
}
