import { io, type Socket } from 'socket.io-client';
import { SOCKET_LIMITS } from '#contract/platform/events/constants';
import type { ClientToServerEvents, HandshakeAuth } from '#contract/platform/events/socket';
import { ACCOUNT_GONE } from '#contract/platform/http/constants';
import { theReader } from '#contract/platform/text/constants/reader';
import { withShownNames } from '#contract/platform/text/constants/shared-texts';
import type { Emit } from '../api/connection.ts';

/** The delay before the first retry; each further one waits twice as long. */
const FIRST_RETRY_DELAY_MS = 300;
const MAX_RETRY_DELAY_MS = 8_000;
/** The maximum delay that a refusal of the server may request. */
const MAX_REQUESTED_DELAY_MS = 120_000;
/** A connection that lasted this long resets the retry delay. */
const STABLE_AFTER_MS = 5_000;
/** The time that connecting may take, and the replay after it. */
const CONNECT_TIMEOUT_MS = 8_000;
/** After this much silence the connection is dead: a ping of the server is overdue. */
const SILENCE_TIMEOUT_MS = SOCKET_LIMITS.pingIntervalMs + 7_000;

/** Callbacks of a connection. */
export type ConnectionEvents = {
  /** The connection is open; the server's replay follows. */
  onOpen: () => void;
  /** An event arrived, not yet validated. */
  onEvent: (name: string, input: unknown) => void;
  /** The connection was lost, or could not be made. A retry is scheduled. */
  onDown: () => void;
  /** The server refused the token. There are no further retries. */
  onUnauthorized: (isAccountGone: boolean) => void;
};

/** The data of a refusal by the server. */
type Refusal = { code?: unknown; reason?: unknown; retryAfterSeconds?: unknown };

/** A socket whose incoming events are unchecked; their receiver validates them. */
type Wire = Socket<Record<string, (input: unknown) => void>, ClientToServerEvents>;

/**
 * A Socket.IO connection that reconnects with exponential backoff and jitter, so that clients do not
 * all come back at the same moment.
 */
export class Connection {
  readonly #socket: Wire;
  readonly #events: ConnectionEvents;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #replay: ReturnType<typeof setTimeout> | undefined;
  #failures = 0;
  #replayedAt = 0;
  #lastReceivedAt = 0;
  #isClosed = false;

  /**
   * @param auth returns the handshake, called for each attempt
   * @param address the server's; the page's own when left out
   */
  constructor(events: ConnectionEvents, auth: () => HandshakeAuth, address?: string) {
    this.#events = events;
    const options = {
      auth: (callback: (auth: HandshakeAuth) => void) => callback(auth()),
      // Without a WebSocket the log is read over HTTP: polls of Socket.IO must all reach the same process.
      transports: ['websocket'],
      timeout: CONNECT_TIMEOUT_MS,
      autoConnect: false,
      // We schedule retries ourselves: wake() makes them sooner, and refusals are retried too.
      reconnection: false,
      forceNew: true,
    };
    this.#socket = address === undefined ? io(options) : io(address, options);
    this.#listen();
    this.#socket.connect();
  }

  /** Sends a client event, if connected. */
  readonly emit: Emit = (name, ...args) => {
    if (this.#socket.connected) this.#socket.emit(name, ...args);
  };

  /** Call when the replay is complete. */
  completeReplay(): void {
    clearTimeout(this.#replay);
    this.#replayedAt = Date.now();
  }

  /**
   * Call when the network is back, the tab becomes visible or the device wakes up. Runs a scheduled
   * retry at once, and reconnects when the connection has been silent for too long.
   */
  wake(): void {
    if (this.#isClosed) return;
    if (this.#socket.connected) {
      if (Date.now() - this.#lastReceivedAt > SILENCE_TIMEOUT_MS) this.#dropSocket();
    } else if (this.#retry !== undefined) {
      this.#connect();
    }
  }

  /** Call when the device has lost its network: the connection is dead although it seems open. */
  disconnect(): void {
    if (this.#socket.connected) this.#socket.disconnect();
  }

  /** Closes the connection without retries. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#retry);
    clearTimeout(this.#replay);
    this.#socket.disconnect();
  }

  #listen(): void {
    const socket = this.#socket;
    socket.on('connect', () => {
      this.#lastReceivedAt = Date.now();
      this.#replayedAt = 0;
      this.#replay = setTimeout(() => this.#dropSocket(), CONNECT_TIMEOUT_MS);
      this.#events.onOpen();
    });
    socket.onAny((name: string, input: unknown) => {
      this.#lastReceivedAt = Date.now();
      const isShown = theReader().language === 'en' || input === undefined;
      this.#events.onEvent(
        name,
        isShown ? input : JSON.parse(withShownNames(JSON.stringify(input))),
      );
    });
    socket.io.on('ping', () => {
      this.#lastReceivedAt = Date.now();
    });
    socket.on('disconnect', () => this.#scheduleRetry());
    socket.on('connect_error', (error: Error & { data?: Refusal }) => {
      if (this.#isClosed) return;
      if (error.data?.code === 'UNAUTHORIZED') {
        this.close();
        this.#events.onUnauthorized(error.data.reason === ACCOUNT_GONE);
      } else {
        this.#scheduleRetry(error.data?.retryAfterSeconds);
      }
    });
  }

  /** @param retryAfterSeconds the shortest delay that a refusing server asked for */
  #scheduleRetry(retryAfterSeconds?: unknown): void {
    clearTimeout(this.#replay);
    if (this.#isClosed) return;
    if (this.#replayedAt > 0 && Date.now() - this.#replayedAt > STABLE_AFTER_MS) this.#failures = 0;
    const delayMs = Math.min(FIRST_RETRY_DELAY_MS * 2 ** this.#failures++, MAX_RETRY_DELAY_MS);
    const requestedMs =
      typeof retryAfterSeconds === 'number'
        ? Math.min(retryAfterSeconds * 1000, MAX_REQUESTED_DELAY_MS)
        : 0;
    clearTimeout(this.#retry);
    // Never sooner than asked, and spread out so that refused clients do not return together.
    this.#retry = setTimeout(
      () => this.#connect(),
      requestedMs + Math.max(delayMs, requestedMs / 2) * (0.5 + Math.random() / 2),
    );
    this.#events.onDown();
  }

  #connect(): void {
    clearTimeout(this.#retry);
    this.#retry = undefined;
    this.#socket.connect();
  }

  /** Drops a connection that may be dead and retries at once. */
  #dropSocket(): void {
    this.#socket.disconnect();
    this.wake();
  }
}
