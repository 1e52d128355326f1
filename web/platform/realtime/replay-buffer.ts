import type { EventName } from '#contract/platform/events/event';
import type { Envelope } from '#contract/platform/events/socket';
import type { Position } from './position.ts';

/**
 * Orders the events of the live connection. Events are buffered while the server replays missed ones,
 * and released once, in the order of their sequence numbers, when the replay is complete.
 */
export class ReplayBuffer {
  /** The position of the last applied event; undefined before the first replay. */
  last: Position | undefined;
  /** The events since the connection was opened; undefined once the replay is complete. */
  #waiting: Envelope[] | undefined = [];

  /** `last` is the position of the last event that was applied before, if any. */
  constructor(last?: Position) {
    this.last = last;
  }

  /** Starts buffering for a new connection. Drops the events of an unfinished replay. */
  startReplay(): void {
    this.#waiting = [];
  }

  /** Takes a received event and returns the events to apply now, in order. */
  take<Name extends EventName>(envelope: Envelope<Name>): Envelope[] {
    if (isNamed('synced', envelope)) return [...this.#completeReplay(envelope.data), envelope];
    if (isNamed('resync', envelope)) {
      // The server could not replay, so the cache is refetched. Continues from the server's sequence
      // number even if it is lower, because the log may have been recreated.
      const { seq, epoch } = envelope.data;
      if (this.#waiting) this.last = { seq, epoch };
      return [envelope, ...this.#completeReplay({ seq: this.last?.seq ?? seq, epoch })];
    }
    // Ephemeral events have no sequence number.
    if (envelope.seq === undefined) return [envelope];
    if (!this.#waiting) return this.#next(envelope);
    this.#waiting.push(envelope);
    return [];
  }

  #next(envelope: Envelope): Envelope[] {
    const seq = envelope.seq ?? 0;
    if (this.last && seq <= this.last.seq) return [];
    this.last = { seq, epoch: this.last?.epoch };
    return [envelope];
  }

  /** Returns the buffered events in order, without those already applied. */
  #completeReplay({ seq, epoch }: { seq: number; epoch?: string | undefined }): Envelope[] {
    const waiting = this.#waiting ?? [];
    this.#waiting = undefined;
    const inOrder = waiting.toSorted((a, b) => (a.seq ?? 0) - (b.seq ?? 0));
    const fresh = inOrder.flatMap((envelope) => this.#next(envelope));
    this.last = { seq: Math.max(this.last?.seq ?? 0, seq), epoch };
    return fresh;
  }
}

function isNamed<Name extends EventName>(
  name: Name,
  envelope: Envelope,
): envelope is Envelope<Name> {
  return envelope.name === name;
}
