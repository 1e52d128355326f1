import { setTimeout as sleep } from 'node:timers/promises';
import { REPLAY_MAX } from '#contract/platform/events/constants';
import type { EventLog, LoggedEvent } from '../../platform/events/event-log.ts';
import { RELEASE } from '../../platform/process/release.ts';
import type { SessionUser } from '../../platform/sessions/sessions.ts';
import type { ClosedFarms } from './closed-farms.ts';
import { type Client, emitEnvelope, ephemeralEnvelope } from './fan-out.ts';
import type { Presence } from './presence.ts';
import { roomsOf, type SeenEvent, seenBy } from './visibility.ts';

/** Clients further behind than this get `resync` instead of a search in the log. */
const SEARCH_MAX_EVENTS = 20_000;
/** How long a client with a newer event waits for this process to reach it. */
const HEAD_WAIT_MS = 3000;
const HEAD_POLL_MS = 20;

/** The log as this process has it. */
export interface LiveLog {
  eventLog: EventLog;
  recent: RecentEvents;
  farms: ClosedFarms;
  /** The epoch of the log. */
  epoch: string;
}

/** Who reads the log, and from where on. */
export interface LogReader {
  /** Null for a visitor. */
  user: SessionUser | null;
  /** The last event number they know. */
  after: number | undefined;
  /** The epoch that `after` is of, if they say. */
  epoch: string | undefined;
}

/** What becomes of a replay. */
interface Receiver {
  receive(event: SeenEvent): void;
  /** Whether nobody receives it any more. */
  hasLeft(): boolean;
  /**
   * Called once, unless they left: with the number up to which the reader is complete, or undefined where the events
   * cannot be replayed. The log has no later event at this moment, so what begins to listen in here misses none.
   */
  end(seq: number | undefined): void;
}

export type Replay = ReturnType<typeof createReplay>;

/** Creates the function that gives somebody the events they missed. */
export function createReplay({ eventLog, recent, farms, epoch }: LiveLog) {
  return async function replay(
    { user, after, epoch: known }: LogReader,
    { receive, hasLeft, end }: Receiver,
  ): Promise<void> {
    // The number counts the events of another history.
    if (known !== undefined && known !== epoch) return end(undefined);
    const rooms = roomsOf(user);
    let from = after ?? recent.head;
    if (from > recent.head) await waitForHead(from, user !== null);
    if (from > recent.head) return end(undefined);
    let replayed = 0;
    while (from < recent.head) {
      const upTo = recent.head;
      const missed = await readMissed(from, upTo, rooms, {
        limit: REPLAY_MAX + 1 - replayed,
        // Anybody can be a visitor, so their sockets must not cause queries.
        mayQueryDatabase: user !== null,
      });
      if (hasLeft()) return;
      const seen = missed?.flatMap((event) => seenBy(event, user, farms) ?? []);
      replayed += seen?.length ?? 0;
      if (!seen || replayed > REPLAY_MAX) return end(undefined);
      for (const event of seen) receive(event);
      from = upTo;
    }
    end(from);
  };

  /** Returns the missed events, or undefined when they cannot be replayed. */
  function readMissed(
    from: number,
    upTo: number,
    rooms: string[],
    { limit, mayQueryDatabase }: { limit: number; mayQueryDatabase: boolean },
  ) {
    const remembered = recent.after(from);
    if (remembered) return remembered;
    if (!mayQueryDatabase || upTo - from > SEARCH_MAX_EVENTS) return undefined;
    return eventLog.readMissed(from, upTo, rooms, limit);
  }

  /** Waits for this process to reach an event that another process delivered first. */
  async function waitForHead(seq: number, mayQueryDatabase: boolean): Promise<void> {
    const until = Date.now() + HEAD_WAIT_MS;
    // Do not wait for a number that the log never gave.
    if (mayQueryDatabase && (await eventLog.head()) < seq) return;
    while (recent.head < seq && Date.now() < until) await sleep(HEAD_POLL_MS);
  }
}

/** Creates the function that replays missed events to a new socket and joins it to its rooms. */
export function createCatchUp(replay: Replay, { recent, epoch }: LiveLog, presence: Presence) {
  /** Replays missed events, then joins the rooms and emits `synced`; or emits `resync`. */
  return (socket: Client): Promise<void> =>
    replay(socket.data, {
      receive: (event) => emitEnvelope(socket, event),
      hasLeft: () => !socket.connected,
      end: (seq) => {
        const { user } = socket.data;
        void socket.join(roomsOf(user));
        if (seq === undefined) {
          const data = { seq: recent.head, epoch, release: RELEASE };
          socket.emit('resync', ephemeralEnvelope('resync', data));
          return;
        }
        socket.emit('synced', ephemeralEnvelope('synced', { seq, epoch, release: RELEASE }));
        if (user?.role === 'admin') {
          const counts = ephemeralEnvelope('connected.changed', presence.counts());
          socket.emit('connected.changed', counts);
        }
      },
    });
}

/**
 * Keeps the latest events of the log in memory, so that many clients that reconnect at once do not
 * query the database.
 */
export class RecentEvents {
  readonly #size: number;
  #events: LoggedEvent[] = [];
  #head: number;

  /** `head` is the number of the last event before the first one to be added. */
  constructor(head: number, size: number) {
    this.#head = head;
    this.#size = size;
  }

  /** The number of the latest event. */
  get head(): number {
    return this.#head;
  }

  add(event: LoggedEvent): void {
    // Events before a gap cannot be replayed.
    if (event.seq !== this.#head + 1) this.#events = [];
    this.#head = event.seq;
    this.#events.push(event);
    // Trim in bulk, since shifting per event is slower.
    if (this.#events.length > this.#size * 2) this.#events = this.#events.slice(-this.#size);
  }

  /** Drops all events, so that reconnecting clients read the log itself. */
  clear(): void {
    this.#events = [];
  }

  /** Returns all events after this number, or undefined when they are not all in memory. */
  after(seq: number): LoggedEvent[] | undefined {
    const missing = this.#head - seq;
    if (missing < 0 || missing > this.#events.length) return undefined;
    return missing === 0 ? [] : this.#events.slice(-missing);
  }
}
