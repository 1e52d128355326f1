import { createResponseCache, type ResponseCache } from '../cache/response-cache.ts';
import { createProcessPlatform, type ProcessPlatform } from '../events/platform.ts';
import { contactOf, type Env } from '../process/env.ts';
import { createSessions, type Sessions } from '../sessions/sessions.ts';
import { createRateLimits, type RateLimits } from './rate-limit.ts';

/** What the server's features stand on: the process and what answering requests takes. */
export interface Platform extends ProcessPlatform {
  sessions: Sessions;
  rateLimits: RateLimits;
  responseCache: ResponseCache;
}

/**
 * Opens the stores and, on top of them, sessions, rate limits and the response cache.
 * @throws SettingError when Redis refuses the credentials
 */
export async function createPlatform(env: Env, service: string): Promise<Platform> {
  const stores = await createProcessPlatform(env, service);
  const { db, eventLog, redis } = stores;
  const sessions = createSessions({
    db,
    eventLog,
    secret: env.JWT_SECRET,
    contactOf: () => contactOf(env),
  });
  const responseCache = createResponseCache(eventLog);
  return {
    ...stores,
    sessions,
    rateLimits: createRateLimits({ redis, scale: env.RATE_LIMIT_SCALE, prefix: env.REDIS_PREFIX }),
    responseCache,
    close: async () => {
      await responseCache.close();
      await sessions.close();
      await stores.close();
    },
  };
}
