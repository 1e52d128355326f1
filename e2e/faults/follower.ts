import { io, type Socket } from 'socket.io-client';

/** An event as a client applied it. */
export interface Heard {
  seq: number;
  name: string;
  data: { _id: string };
  /** When it came, in milliseconds since the epoch. */
  cameAt: number;
}

export type Follower = ReturnType<typeof follow>;

interface Numbered {
  seq?: number;
  id: string;
  name: string;
  data: { _id: string };
}

const PAUSE_MS = 100;

/**
 * A client that follows the market as the browser's does: it applies each event after the last number
 * it saw, and when its line breaks it comes back by itself, to the next of the addresses in turn, with
 * that number.
 */
export function follow(urls: readonly string[], token?: string) {
  const heard: Heard[] = [];
  const places = new Map<string, number>();
  const breaks: string[] = [];
  let after: number | undefined;
  let place = 0;
  let repeats = 0;
  let restarts = 0;
  let syncedAt = 0;
  let socket: Socket | undefined;
  let isClosed = false;
  let pause: NodeJS.Timeout | undefined;

  function comeBack(): void {
    socket?.removeAllListeners().disconnect();
    if (isClosed) return;
    place++;
    pause = setTimeout(connect, PAUSE_MS * (0.5 + Math.random()));
  }

  function connect(): void {
    const line = io(urls[place % urls.length] ?? '', {
      auth: { ...(token ? { token } : {}), ...(after === undefined ? {} : { after }) },
      transports: ['websocket'],
      reconnection: false,
      forceNew: true,
    });
    socket = line;
    line.onAny((name: string, envelope: Numbered & { data: { seq: number } }) => {
      if (name === 'synced' || name === 'resync') {
        after = envelope.data.seq;
        syncedAt = Date.now();
        if (name === 'resync') restarts++;
        return;
      }
      if (envelope.seq === undefined) return;
      if (after !== undefined && envelope.seq <= after) {
        repeats++;
        return;
      }
      after = envelope.seq;
      const { seq, data } = envelope;
      heard.push({ seq, name, data, cameAt: Date.now() });
      places.set(`${name} ${data._id}`, Date.now());
    });
    line.once('disconnect', (reason) => {
      // A line that was never up to date did not break: its handshake took too long.
      if (syncedAt > 0) breaks.push(reason);
      syncedAt = 0;
      comeBack();
    });
    line.once('connect_error', comeBack);
  }
  connect();

  return {
    /** What it applied, in the order it came. */
    heard,
    /** Why its lines broke once they were up to date. */
    breaks,
    /** When this came, if it did. */
    cameAt: (name: string, id: string): number | undefined => places.get(`${name} ${id}`),
    /** How often it was sent what it had already, or something from before that. */
    get repeats() {
      return repeats;
    },
    /** How often it was told to read everything anew. */
    get restarts() {
      return restarts;
    },
    /** Where it is, or tries to be. */
    get url() {
      return urls[place % urls.length];
    },
    /** Since when it is up to date without a break; 0 while it is not. */
    get syncedAt() {
      return syncedAt;
    },
    /** The ids that events of this name were about. */
    ids: (name: string): string[] =>
      heard.filter((event) => event.name === name).map(({ data }) => data._id),
    close: (): void => {
      isClosed = true;
      clearTimeout(pause);
      socket?.removeAllListeners().disconnect();
    },
  };
}
