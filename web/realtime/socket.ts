import { io, type Socket } from 'socket.io-client';
import type { ClientToServerEvents, HandshakeAuth } from '#contract/realtime';
import type { Speak } from './line.ts';

/** Milliseconds before the first new try; each further one waits twice as long. */
const FIRST_WAIT = 300;
/** Milliseconds between tries at most. */
const LONGEST_WAIT = 8_000;
/** Milliseconds a connection must have held for the next loss to count as a first one. */
const HELD = 5_000;
/** Milliseconds a try may take, and the replay after it. */
const PATIENCE = 8_000;
/** The server is heard every 15 s at least; after this many milliseconds of silence it is gone. */
const SILENCE = 22_000;

/** What the holder of a connection wants to be told. */
export type ConnectionEvents = {
  /** The connection was made; the server's replay follows. */
  onOpen: () => void;
  /** Something came, not yet checked. */
  onEvent: (name: string, input: unknown) => void;
  /** The connection was lost, or a try has failed. A new try follows by itself. */
  onDown: () => void;
  /** The server does not take the token. No further try is made. */
  onUnauthorized: () => void;
};

/** The loosely typed side of a socket: what comes is checked by its receiver. */
type Wire = Socket<Record<string, (input: unknown) => void>, ClientToServerEvents>;

/**
 * One live connection that stays: lost, it is made again, soon at first and then ever more slowly,
 * with some chance in it so that not everybody comes back at the same moment.
 */
export class Connection {
  readonly #socket: Wire;
  readonly #events: ConnectionEvents;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #replay: ReturnType<typeof setTimeout> | undefined;
  #failures = 0;
  #settledAt = 0;
  #heardAt = 0;
  #isClosed = false;

  /**
   * @param auth what to say of oneself, asked anew with each try
   * @param address the server's, the page's own when left out
   */
  constructor(events: ConnectionEvents, auth: () => HandshakeAuth, address?: string) {
    this.#events = events;
    const options = {
      auth: (answer: (auth: HandshakeAuth) => void) => answer(auth()),
      transports: ['websocket', 'polling'],
      tryAllTransports: true,
      timeout: PATIENCE,
      autoConnect: false,
      // We try again ourselves: sooner when there is reason to, and after refusals too.
      reconnection: false,
      forceNew: true,
    };
    this.#socket = address === undefined ? io(options) : io(address, options);
    this.#listen();
    this.#socket.connect();
  }

  /** Says something to the server. */
  readonly say: Speak = (name, ...args) => {
    if (this.#socket.connected) this.#socket.emit(name, ...args);
  };

  /** To be called when the replay is whole. */
  settled(): void {
    clearTimeout(this.#replay);
    this.#settledAt = Date.now();
  }

  /**
   * To be called when there is reason to look: the network is back, the tab is looked at, the
   * device has slept. Tries at once if a try is due, and does not trust a line that was silent.
   */
  wake(): void {
    if (this.#isClosed) return;
    if (this.#socket.connected) {
      if (Date.now() - this.#heardAt > SILENCE) this.#cut();
    } else if (this.#retry !== undefined) {
      this.#try();
    }
  }

  /** To be called when the device has lost its network: the line is dead, whatever it seems. */
  drop(): void {
    if (this.#socket.connected) this.#socket.disconnect();
  }

  /** Ends the connection for good. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#retry);
    clearTimeout(this.#replay);
    this.#socket.disconnect();
  }

  #listen(): void {
    const socket = this.#socket;
    socket.on('connect', () => {
      this.#heardAt = Date.now();
      this.#settledAt = 0;
      this.#replay = setTimeout(() => this.#cut(), PATIENCE);
      this.#events.onOpen();
    });
    socket.onAny((name: string, input: unknown) => {
      this.#heardAt = Date.now();
      this.#events.onEvent(name, input);
    });
    socket.io.on('ping', () => {
      this.#heardAt = Date.now();
    });
    socket.on('disconnect', () => this.#lost());
    socket.on('connect_error', (error: Error & { data?: { code?: unknown } }) => {
      if (this.#isClosed) return;
      if (error.data?.code === 'UNAUTHORIZED') {
        this.close();
        this.#events.onUnauthorized();
      } else {
        this.#lost();
      }
    });
  }

  #lost(): void {
    clearTimeout(this.#replay);
    if (this.#isClosed) return;
    if (this.#settledAt > 0 && Date.now() - this.#settledAt > HELD) this.#failures = 0;
    const wait = Math.min(FIRST_WAIT * 2 ** this.#failures++, LONGEST_WAIT);
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => this.#try(), wait * (0.5 + Math.random() / 2));
    this.#events.onDown();
  }

  #try(): void {
    clearTimeout(this.#retry);
    this.#retry = undefined;
    this.#socket.connect();
  }

  /** Drops a line that is not to be trusted, which is then lost like any other. */
  #cut(): void {
    this.#socket.disconnect();
    this.wake();
  }
}
