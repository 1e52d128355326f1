import type { Envelope, EventName } from '#contract/realtime';

/**
 * Puts what comes over the live connection into its order. While the server replays what was missed
 * everything waits, so that old and new cannot mix; then each event is given out once, by its number.
 */
export class Inbox {
  #last: number | undefined;
  /** What has come since the connection was made, until the replay is whole; then nothing. */
  #waiting: Envelope[] | undefined = [];

  /** `last` is the number up to which everything is known already, if anything is. */
  constructor(last?: number) {
    this.#last = last;
  }

  /** The number up to which everything is known; undefined before the first replay. */
  get last(): number | undefined {
    return this.#last;
  }

  /** A connection begins: the replay comes first. What the last one did not finish is replayed. */
  begin(): void {
    this.#waiting = [];
  }

  /** Takes what has come, and gives back what is to be worked in now, in its order. */
  take<Name extends EventName>(envelope: Envelope<Name>): Envelope[] {
    if (isAbout('synced', envelope)) return [...this.#caughtUp(envelope.data.seq), envelope];
    if (isAbout('resync', envelope)) return this.#startAnew(envelope);
    // Of the moment: it has no place in any order.
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

  /** The replay is whole. */
  #caughtUp(seq: number): Envelope[] {
    const waiting = this.#waiting ?? [];
    this.#waiting = undefined;
    const inOrder = waiting.toSorted((a, b) => (a.seq ?? 0) - (b.seq ?? 0));
    const fresh = inOrder.flatMap((envelope) => this.#next(envelope));
    this.#last = Math.max(this.#last ?? 0, seq);
    return fresh;
  }

  /**
   * The server could not replay: everything is read again, and the count begins where the server
   * says, even if that is further back (its log may have been begun anew).
   */
  #startAnew(envelope: Envelope<'resync'>): Envelope[] {
    if (!this.#waiting) return [envelope];
    this.#last = envelope.data.seq;
    return [envelope, ...this.#caughtUp(envelope.data.seq)];
  }
}

function isAbout<Name extends EventName>(
  name: Name,
  envelope: Envelope,
): envelope is Envelope<Name> {
  return envelope.name === name;
}
