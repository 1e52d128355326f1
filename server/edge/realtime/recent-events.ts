import type { LoggedEvent } from '../../platform/events/event-log.ts';

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
