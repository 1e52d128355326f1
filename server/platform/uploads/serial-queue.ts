import { AppError } from '../http/errors.ts';

/** Runs one task at a time, with a short queue. */
export interface SerialQueue {
  /** Returns whether the queue is full, so that the next task is refused. */
  isFull(): boolean;
  /** Returns the number of waiting tasks. */
  waiting(): number;
  /**
   * Runs `work` in its turn; leaves the queue when `signal` aborts.
   * @throws 503 when the queue is full or the wait takes too long
   */
  run<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T>;
}

/** 503: the process handles too many pictures already. */
export const tooBusy = () =>
  new AppError(
    503,
    'UPLOADS_BUSY',
    'Many pictures are being uploaded just now. Please try again in a moment.',
    { retryAfter: 5 },
  );

/** Creates a {@link SerialQueue} of at most `waitingMax` waiting tasks, each for at most `waitMs`. */
export function createSerialQueue({
  waitingMax,
  waitMs,
  onRefused = () => {},
}: {
  waitingMax: number;
  waitMs: number;
  onRefused?: (reason: 'queue_full' | 'queue_timeout') => void;
}): SerialQueue {
  const queue: (() => void)[] = [];
  let isBusy = false;

  const isFull = () => isBusy && queue.length >= waitingMax;

  /** Resolves when it is the caller's turn. */
  function waitForTurn(signal: AbortSignal): Promise<void> {
    if (!isBusy) {
      isBusy = true;
      return Promise.resolve();
    }
    if (isFull()) {
      onRefused('queue_full');
      return Promise.reject(tooBusy());
    }
    return new Promise((resolve, reject) => {
      const begin = () => {
        stopWaiting();
        resolve();
      };
      const leave = (reason: unknown) => {
        stopWaiting();
        queue.splice(queue.indexOf(begin), 1);
        reject(reason);
      };
      const onAbort = () => leave(signal.reason);
      const timer = setTimeout(() => {
        onRefused('queue_timeout');
        leave(tooBusy());
      }, waitMs);
      const stopWaiting = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
      };
      signal.addEventListener('abort', onAbort);
      queue.push(begin);
    });
  }

  return {
    isFull,
    waiting: () => queue.length,
    async run(work, signal) {
      signal.throwIfAborted();
      await waitForTurn(signal);
      try {
        return await work();
      } finally {
        const next = queue.shift();
        if (next) next();
        else isBusy = false;
      }
    },
  };
}
