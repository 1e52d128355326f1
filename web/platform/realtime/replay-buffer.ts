import type { EventName } from '#contract/platform/events/event';
import type { Envelope } from '#contract/platform/events/socket';
import type { Position } from './position.ts';

/**
 * Orders the events of the live connection. Events are buffered while the server replays missed ones,
 * and released once, in the order of their sequence numbers, when the replay is complete.
 */
export class ReplayBuffer {
  #last: number | undefined;
  /** The epoch of `#last`, if the server named it. */
  #epoch: string | undefined;
  /** The events since the connection was opened; undefined once the replay is complete. */
  #waiting: Envelope[] | undefined = [];

  /** `last` is the position of the last event that was applied before, if any. */
  constructor(last?: Position) {
    this.#last = last?.seq;
    this.#epoch = last?.epoch;
  }

  /** The position of the last applied event; undefined before the first replay. */
  get last(): Position | undefined {
    return this.#last === undefined ? undefined : { seq: this.#last, epoch: this.#epoch };
  }

  /** Starts buffering for a new connection. Drops the events of an unfinished replay. */
  startReplay(): void {
    this.#waiting = [];
  }

  /** Takes a received event and returns the events to apply now, in order. */
  take<Name extends EventName>(envelope: Envelope<Name>): Envelope[] {
    if (isNamed('synced', envelope)) {
      this.#epoch = envelope.data.epoch;
      return [...this.#completeReplay(envelope.data.seq), envelope];
    }
    if (isNamed('resync', envelope)) {
      this.#epoch = envelope.data.epoch;
      return this.#restart(envelope);
    }
    // Ephemeral events have no sequence number.
    if (envelope.seq === undefined) return [envelope];
    if (this.#waiting) {
      this.#waiting.push(envelope);
      return [];
    }
    return this.#next(envelope);
  }

  #next(envelope: Envelope): Envelope[] {
    const seq = envelope.seq ?? 0;
    if (this.#last !== undefined && seq <= this.#last) return [];
    this.#last = seq;
    return [envelope];
  }

  /** Returns the buffered events in order, without those already applied. */
  #completeReplay(seq: number): Envelope[] {
    const waiting = this.#waiting ?? [];
    this.#waiting = undefined;
    const inOrder = waiting.toSorted((a, b) => (a.seq ?? 0) - (b.seq ?? 0));
    const fresh = inOrder.flatMap((envelope) => this.#next(envelope));
    this.#last = Math.max(this.#last ?? 0, seq);
    return fresh;
  }

  /**
   * Handles `resync`: the server could not replay, so the cache is refetched. Continues from the
   * server's sequence number even if it is lower, because the log may have been recreated.
   */
  #restart(envelope: Envelope<'resync'>): Envelope[] {
    if (!this.#waiting) return [envelope];
    this.#last = envelope.data.seq;
    return [envelope, ...this.#completeReplay(envelope.data.seq)];
  }
}

function isNamed<Name extends EventName>(
  name: Name,
  envelope: Envelope,
): envelope is Envelope<Name> {
  return envelope.name === name;
}
