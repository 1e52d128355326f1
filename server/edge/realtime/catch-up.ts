import { setTimeout as sleep } from 'node:timers/promises';
import { REPLAY_MAX } from '#contract/platform/events/constants';
import type { EventLog, LoggedEvent } from '../../platform/events/event-log.ts';
import type { ClosedFarms } from './closed-farms.ts';
import { type Client, emitEnvelope, ephemeralEnvelope } from './fan-out.ts';
import type { Presence } from './presence.ts';
import { roomsOf, seenBy } from './visibility.ts';

/** Clients further behind than this get `resync` instead of a search in the log. */
const SEARCH_MAX_EVENTS = 20_000;
/** How long a client with a newer event waits for this process to reach it. */
const HEAD_WAIT_MS = 3000;
const HEAD_POLL_MS = 20;

/** Creates the function that replays missed events to a new socket and joins it to its rooms. */
export function createCatchUp(options: {
  eventLog: EventLog;
  recent: RecentEvents;
  presence: Presence;
  farms: ClosedFarms;
  /** The epoch of the log. */
  epoch: string;
}) {
  const { eventLog, recent, presence, farms, epoch } = options;

  /** Replays missed events, then joins the rooms and emits `synced`; or emits `resync`. */
  return async function catchUp(socket: Client): Promise<void> {
    const { user, after } = socket.data;
    const rooms = roomsOf(user);
    // The number counts the events of another history.
    if (socket.data.epoch !== undefined && socket.data.epoch !== epoch)
      return resync(socket, rooms);
    let from = after ?? recent.head;
    if (from > recent.head) await waitForHead(from, user !== null);
    if (from > recent.head) return resync(socket, rooms);
    let replayed = 0;
    while (from < recent.head) {
      const upTo = recent.head;
      const missed = await readMissed(from, upTo, rooms, {
        limit: REPLAY_MAX + 1 - replayed,
        // Anybody can be a visitor, so their sockets must not cause queries.
        mayQueryDatabase: user !== null,
      });
      if (!socket.connected) return;
      const seen = missed?.flatMap((event) => seenBy(event, user, farms) ?? []);
      replayed += seen?.length ?? 0;
      if (!seen || replayed > REPLAY_MAX) return resync(socket, rooms);
      for (const event of seen) emitEnvelope(socket, event);
      from = upTo;
    }
    // Nothing is awaited between the last check of the head and joining, so no event is lost.
    void socket.join(rooms);
    socket.emit('synced', ephemeralEnvelope('synced', { seq: from, epoch }));
    if (user?.role === 'admin') {
      socket.emit('connected.changed', ephemeralEnvelope('connected.changed', presence.counts()));
    }
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

  function resync(socket: Client, rooms: string[]): void {
    void socket.join(rooms);
    socket.emit('resync', ephemeralEnvelope('resync', { seq: recent.head, epoch }));
  }

  /** Waits for this process to reach an event that another process delivered first. */
  async function waitForHead(seq: number, mayQueryDatabase: boolean): Promise<void> {
    const until = Date.now() + HEAD_WAIT_MS;
    // Do not wait for a number that the log never gave.
    if (mayQueryDatabase && (await eventLog.head()) < seq) return;
    while (recent.head < seq && Date.now() < until) await sleep(HEAD_POLL_MS);
  }
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
