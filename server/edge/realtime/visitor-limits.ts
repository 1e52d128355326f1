import { SOCKET_LIMITS } from '#contract/platform/events/constants';
import type { RateLimits } from '../../platform/http/rate-limit.ts';

/** Retry delay for a visitor over the limit of open sockets. */
const LIMIT_RETRY_SECONDS = 30;

/** Limits visitors' handshakes and open sockets by address. */
export class VisitorLimits {
  readonly #open = new Map<string, number>();
  readonly #max: number;
  readonly #rateLimits: RateLimits;

  constructor(options: { rateLimits: RateLimits; scale: number }) {
    this.#rateLimits = options.rateLimits;
    this.#max = Math.ceil(SOCKET_LIMITS.visitorSocketsPerAddress * options.scale);
  }

  /**
   * Counts a socket for this address (a key of the rate limits).
   * @returns the function that releases it, or the seconds after which to retry
   * @throws 429 when the address has made too many handshakes
   */
  async acquire(key: string): Promise<(() => void) | number> {
    // Check first, so that a refused socket does not use up the address's handshakes.
    if (this.#isFull(key)) return LIMIT_RETRY_SECONDS;
    await this.#rateLimits('handshakes', [key]);
    // Concurrent handshakes may all have passed the check before.
    if (this.#isFull(key)) return LIMIT_RETRY_SECONDS;
    this.#open.set(key, (this.#open.get(key) ?? 0) + 1);
    return () => this.#release(key);
  }

  #isFull(key: string): boolean {
    return (this.#open.get(key) ?? 0) >= this.#max;
  }

  #release(key: string): void {
    const left = (this.#open.get(key) ?? 0) - 1;
    if (left > 0) this.#open.set(key, left);
    else this.#open.delete(key);
  }
}
