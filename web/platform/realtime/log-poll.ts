import {
  EVENTS_WAIT_MAX_S,
  EVENTS_WATCH_MAX,
  eventsApi,
} from '#contract/platform/events/constants';
import type { LogAnswer } from '#contract/platform/events/log';
import { call } from '../api/api.ts';
import { ApiError } from '../api/api-error.ts';
import type { Emit } from '../api/connection.ts';
import { listen, stopAll } from '../hooks/listen.ts';
import type { Position } from './position.ts';

/** Between two reads of a page that nobody sees, and after a failed one. */
const PAUSE_MS = 3_000;
/** A read that ended this early did not fail because something between ended its waiting. */
const REFUSED_WITHIN_MS = 2_000;

interface Poll {
  token: string | null;
  position: () => Position | undefined;
  /** Called with each answer; `isFirst` after a failure too. */
  onAnswer: (answer: LogAnswer, isFirst: boolean) => Promise<void>;
  onFailed: () => void;
}

/**
 * Reads the event log over HTTP until it is stopped, one read after the other, each of which waits on the server for
 * news. Of the pages that nobody sees one waits as well, so that a farmer is notified at once, and the others ask every
 * few seconds: a browser opens few connections to a server at a time.
 */
export class LogPoll {
  readonly #options: Poll;
  readonly #watched = new Map<string, readonly string[]>();
  readonly #end = new AbortController();
  #read = new AbortController();
  #waitSeconds = EVENTS_WAIT_MAX_S;
  #isFirstHidden = false;

  constructor(options: Poll) {
    this.#options = options;
    this.#beFirstHidden(this.#end.signal);
    void this.#run(this.#end.signal);
  }

  stop(): void {
    this.#end.abort();
    this.#read.abort();
  }

  /** Takes what a page watches; typing and presence need a WebSocket. */
  readonly emit: Emit = (name, ...[data]) => {
    if (name !== 'products.watch' && name !== 'farms.watch') return;
    this.#watched.set(name, Object.values(data).flat());
    // A running read would not be ended by their news.
    this.wake();
  };

  /** Reads anew, with what is watched by now. */
  wake(): void {
    this.#read.abort();
  }

  async #run(end: AbortSignal): Promise<void> {
    let isFirst = true;
    while (!end.aborted) {
      this.#read = new AbortController();
      const { signal } = this.#read;
      const since = Date.now();
      try {
        const answer = await this.#ask(signal);
        if (end.aborted) return;
        await this.#options.onAnswer(answer, isFirst);
        isFirst = false;
        if (this.#wait() === 0) await pause(PAUSE_MS, signal);
      } catch (error) {
        if (end.aborted) return;
        // Ended to begin anew.
        if (signal.aborted) continue;
        isFirst = true;
        this.#options.onFailed();
        // Something between may end what takes long.
        if (Date.now() - since > REFUSED_WITHIN_MS) {
          this.#waitSeconds = Math.floor(this.#waitSeconds / 2);
        }
        const retryAfterS = error instanceof ApiError ? (error.retryAfter ?? 0) : 0;
        await pause(Math.max(PAUSE_MS, retryAfterS * 1000), signal);
      }
    }
  }

  async #ask(signal: AbortSignal): Promise<LogAnswer> {
    const { token, position } = this.#options;
    const { seq, epoch } = position() ?? {};
    const { data } = await call(eventsApi.read, {
      query: {
        after: seq,
        epoch,
        watch: [...this.#watched.values()].flat().slice(0, EVENTS_WATCH_MAX),
        wait: this.#wait(),
      },
      ...(token === null ? { anonymous: true } : { token }),
      signal,
    });
    return data;
  }

  #wait(): number {
    const mayWait = document.visibilityState === 'visible' || this.#isFirstHidden;
    return mayWait ? this.#waitSeconds : 0;
  }

  /** Of all pages of this browser, one at a time is the one that waits although it is hidden. */
  #beFirstHidden(signal: AbortSignal): void {
    const locks: LockManager | undefined = navigator.locks;
    if (!locks) return;
    locks
      .request('log-poll', { signal }, () => {
        this.#isFirstHidden = true;
        return new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      })
      .catch(() => undefined);
  }
}

/** Waits, and no longer than until `signal` is aborted. */
const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(() => end(), ms);
    const end = stopAll(
      () => clearTimeout(timer),
      listen(signal, ['abort'], () => end()),
      resolve,
    );
  });
