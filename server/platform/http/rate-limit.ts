import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { canonicalEmail } from '#contract/platform/http/email';
import type { RateLimitName } from '#contract/platform/http/endpoint';
import type { Redis } from '../stores/redis.ts';
import { tooMany } from './errors.ts';

/** Limits of the contract's endpoints, and internal ones: second factors, reset mails, visitors' handshakes, paper, tries of alerts. */
type LimitName =
  | RateLimitName
  | 'secondFactorCodes'
  | 'resetMails'
  | 'ownResetMails'
  | 'paper'
  | 'handshakes'
  | 'alertTries';

/** Labels and rows of prints in 10 minutes, each of which takes a processor up to two milliseconds. */
export const PAPER_POINTS = 6000;

/** Allowed tries (`points`) per key within `duration` seconds. */
const LIMITS: Record<LimitName, { points: number; duration: number }> = {
  login: { points: 20, duration: 5 * 60 },
  // Three of a million codes are right at a time, and the person who tries knows the password already.
  secondFactorCodes: { points: 10, duration: 60 * 60 },
  reset: { points: 10, duration: 60 * 60 },
  // A mailed link is valid for an hour, so anyone who is limited here already has a valid one.
  resetMails: { points: 3, duration: 60 * 60 },
  ownResetMails: { points: 2, duration: 60 * 60 },
  register: { points: 30, duration: 60 * 60 },
  orders: { points: 30, duration: 60 },
  messages: { points: 60, duration: 60 },
  uploads: { points: 60, duration: 10 * 60 },
  exports: { points: 10, duration: 60 * 60 },
  paper: { points: PAPER_POINTS, duration: 10 * 60 },
  clientErrors: { points: 20, duration: 60 },
  reports: { points: 20, duration: 60 * 60 },
  search: { points: 600, duration: 60 },
  events: { points: 1200, duration: 60 },
  reads: { points: 600, duration: 60 },
  writes: { points: 240, duration: 60 },
  handshakes: { points: 60, duration: 60 },
  alertTries: { points: 1, duration: 10 },
};

type EvalOptions = Parameters<Redis['eval']>[1];

export type RateLimits = ReturnType<typeof createRateLimits>;

/** Creates rate limits that count in Redis for all processes, and per process while Redis is away. */
export function createRateLimits(options: { redis: Redis; scale: number; prefix: string }) {
  // The limiter falls back to memory on errors, so a hanging Redis must become an error.
  const store = {
    eval: (script: string, input: EvalOptions) =>
      options.redis.withDeadline(() => options.redis.eval(script, input)),
  };
  const limiters = new Map(
    Object.entries(LIMITS).map(([name, limit]) => {
      const points = Math.ceil(limit.points * options.scale);
      const memory = new RateLimiterMemory({ points, duration: limit.duration });
      const shared = new RateLimiterRedis({
        storeClient: store,
        useRedisPackage: true,
        keyPrefix: `${options.prefix}:rate:${name}`,
        points,
        duration: limit.duration,
        // Beyond the limit, refuse from memory without another command to Redis.
        inMemoryBlockOnConsumed: points + 1,
        insuranceLimiter: memory,
      });
      return [name, shared] as const;
    }),
  );

  /** Counts a try for each key, of so many points. @throws 429 when a key has none left */
  return async function consume(
    name: LimitName,
    keys: readonly string[],
    points = 1,
  ): Promise<void> {
    const limiter = limiters.get(name);
    for (const key of keys) {
      try {
        await limiter?.consume(key, points);
      } catch (refusal) {
        if (refusal instanceof RateLimiterRes) {
          throw tooMany(Math.max(1, Math.ceil(refusal.msBeforeNext / 1000)));
        }
        throw refusal;
      }
    }
  };
}

/** Returns the key of a farm, no matter who acts for it. */
export const farmKey = (farmId: string): string => `farm:${farmId}`;

/** Returns the key of a signed-in user, whatever their address. */
export const userKey = (userId: string): string => `user:${userId}`;

/**
 * Returns the key of an account, in whichever way its email is written. Hashed, since the input is unvalidated
 * text of any length and personal data.
 */
export const accountKey = (email: string): string =>
  `account:${createHash('sha256').update(canonicalEmail(email)).digest('base64url')}`;

/**
 * Returns the key of a visitor's address. An IPv6 address counts by its first 64 bits, since one
 * customer gets the whole /64 network. IPv4-mapped IPv6 counts as IPv4.
 */
export function addressKey(address: string): string {
  if (!isIPv6(address)) return `address:${address}`;
  const ip = ipaddr.process(address);
  if (ip instanceof ipaddr.IPv4) return `address:${ip.toString()}`;
  const network = ip.parts.slice(0, 4).map((part) => part.toString(16));
  return `address:${network.join(':')}::/64`;
}

/**
 * Returns a request's client address as Koa does with `app.proxy` and `app.maxIpsCount`: behind trusted
 * proxies the address that the outermost one saw, else the socket's remote address.
 */
export function clientAddress(request: IncomingMessage, trustedProxies: number): string {
  const remote = request.socket.remoteAddress ?? '';
  const header = request.headers['x-forwarded-for'];
  if (trustedProxies === 0 || !header) return remote;
  const addresses = String(header)
    .split(/\s*,\s*/)
    .slice(-trustedProxies);
  return addresses[0] || remote;
}
