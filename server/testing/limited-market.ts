import { WAIT_MS } from '../../testing/until.ts';
import { startTestMarket, type TestMarket } from './market.ts';

/**
 * Starts a market whose rate limits are reached: `settings` hold their scale. It counts in Redis however late that
 * answers, since a busy machine may let it wait, and without its answers the process counts from zero in its memory.
 */
export async function startLimitedMarket(
  settings: Record<string, string> & { RATE_LIMIT_SCALE: string },
): Promise<TestMarket> {
  const market = await startTestMarket(settings);
  const { redis } = market.platform;
  const { withDeadline } = redis;
  redis.withDeadline = (command) => withDeadline(command, WAIT_MS);
  return market;
}
