import type { IncomingMessage } from 'node:http';
import { SOCKET_LIMITS } from '#contract/platform/events/constants';
import { HandshakeAuth } from '#contract/platform/events/socket';
import { ACCOUNT_GONE } from '#contract/platform/http/constants';
import { t, writeMessage } from '#contract/platform/text/constants/texts';
import { AppError } from '../../platform/http/errors.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { addressKey, clientAddress, type RateLimits } from '../../platform/http/rate-limit.ts';
import { acceptedLanguage } from '../../platform/market/readers.ts';
import { withLanguageTag } from '../../platform/process/request-context.ts';
import type { Client } from './fan-out.ts';
import type { Presence } from './presence.ts';

/** Creates a refusal as the client's `connect_error` receives it. */
function refusal(code: string, message: string, retryAfterSeconds?: number): Error {
  const data = { code, ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) };
  return Object.assign(new Error(message), { data });
}

/** Refuses a token, and says if its account is gone too: then signing in again would not help. */
const tokenRefused = (isAccountGone: boolean): Error =>
  Object.assign(new Error('Unauthorized'), {
    data: { code: 'UNAUTHORIZED', ...(isAccountGone ? { reason: ACCOUNT_GONE } : {}) },
  });

/** Creates the middleware that authenticates a socket or refuses it. */
export function createHandshake(platform: Platform, presence: Presence) {
  const { env, rateLimits, sessions } = platform;
  const visitors = new VisitorLimits({ rateLimits, scale: env.RATE_LIMIT_SCALE });

  /** @returns why the socket is refused, if it is */
  async function admitVisitor(socket: Client): Promise<Error | undefined> {
    const address = clientAddress(socket.request, env.TRUSTED_PROXIES);
    try {
      const release = await visitors.acquire(addressKey(address));
      if (typeof release === 'number') return tooManyConnections(release);
      if (socket.conn.readyState === 'open') socket.conn.once('close', release);
      else release();
      return undefined;
    } catch (error) {
      if (!(error instanceof AppError) || error.status !== 429) throw error;
      return refusal(error.code, writeMessage(error.sentence), error.retryAfter);
    }
  }

  /** @returns why the socket is refused, if it is */
  async function admitUser(socket: Client, token: string): Promise<Error | undefined> {
    const session = await sessions.verify(token);
    if (!session) return tokenRefused(await sessions.isAccountGone(token));
    if (presence.socketsOf(session.user.id) >= SOCKET_LIMITS.socketsPerUser) {
      return tooManyConnections();
    }
    socket.data.user = session.user;
    return undefined;
  }

  /** @returns why the socket is refused, if it is */
  async function admit(socket: Client): Promise<Error | undefined> {
    const handshake = HandshakeAuth.safeParse(socket.handshake.auth);
    if (!handshake.success)
      return refusal('INVALID', t('The handshake is not of the expected form'));
    const { token, after, epoch } = handshake.data;
    socket.data.after = after;
    socket.data.epoch = epoch;
    socket.data.token = token;
    socket.data.user = null;
    return token === undefined ? admitVisitor(socket) : admitUser(socket, token);
  }

  return async (socket: Client, next: (error?: Error) => void): Promise<void> => {
    const language = acceptedLanguage(socket.request.headers['accept-language']);
    try {
      next(await withLanguageTag(language, () => admit(socket)));
    } catch {
      // The database is away: close instead of refusing, since clients retry only the former.
      socket.conn.close();
    }
  };
}

const tooManyConnections = (retryAfterSeconds?: number): Error =>
  refusal('TOO_MANY_CONNECTIONS', t('Too many connections'), retryAfterSeconds);

/** Returns whether the origin is allowed. Only browsers, which can be misused by pages, send one. */
export function isAllowedOrigin(
  { headers }: IncomingMessage,
  origins: ReadonlySet<string>,
): boolean {
  return headers.origin === undefined || origins.has(headers.origin);
}

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
