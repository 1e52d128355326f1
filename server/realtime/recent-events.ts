import type { LoggedEvent } from '../platform/event-log.ts';

/**
 * The latest events of the log in memory, so that a crowd that comes back at once does not ask the
 * database a thousand times for the same few rows.
 */
export class RecentEvents {
  readonly #size: number;
  #events: LoggedEvent[] = [];
  #head: number;

  /** `head` is the number of the last event before those that will be added. */
  constructor(head: number, size: number) {
    this.#head = head;
    this.#size = size;
  }

  /** The number of the latest event. */
  get head(): number {
    return this.#head;
  }

  add(event: LoggedEvent): void {
    // A gap makes what came before useless for replaying across it.
    if (event.seq !== this.#head + 1) this.#events = [];
    this.#head = event.seq;
    this.#events.push(event);
    // Cut rarely and a lot at once: shifting one by one would cost more than keeping some extra.
    if (this.#events.length > this.#size * 2) this.#events = this.#events.slice(-this.#size);
  }

  /** Everything after this number, or nothing when that reaches further back than is remembered. */
  after(seq: number): LoggedEvent[] | undefined {
    const missing = this.#head - seq;
    if (missing < 0 || missing > this.#events.length) return undefined;
    return missing === 0 ? [] : this.#events.slice(-missing);
  }
}
