import { createClient } from 'redis';
import type { Log } from './log.ts';

export type Redis = ReturnType<typeof newClient>;

const newClient = (url: string) =>
  createClient({
    url,
    // A command that cannot be sent now fails now: everything here has a way without Redis.
    disableOfflineQueue: true,
    // So nothing waits to be sent, and a timer for each command would cost more than the command.
    commandOptions: { timeout: 0 },
    socket: {
      connectTimeout: 5000,
      reconnectStrategy: (retries) =>
        Math.min(50 * 2 ** Math.min(retries, 5), 1000) + Math.random() * 100,
    },
  });

/**
 * A connection to Redis that comes back by itself for as long as the process lives.
 * @throws when Redis cannot be reached within five seconds at the start
 */
export async function connectRedis(url: string, log: Log): Promise<Redis> {
  const client = newClient(url);
  let lastMessage = '';
  client.on('error', (error: Error) => {
    // One line per outage, not one per attempt.
    if (error.message !== lastMessage) log.warn({ reason: error.message }, 'Redis is away');
    lastMessage = error.message;
  });
  client.on('ready', () => {
    if (lastMessage) log.info('Redis is back');
    lastMessage = '';
  });
  const timeout = new Promise<never>((_, reject) => {
    setTimeout(
      () =>
        reject(
          new Error(
            `Redis cannot be reached at ${withoutPassword(url)}: ${lastMessage || 'no answer'}.`,
          ),
        ),
      5000,
    ).unref();
  });
  try {
    await Promise.race([client.connect(), timeout]);
  } catch (error) {
    client.destroy();
    throw error;
  }
  return client;
}

function withoutPassword(url: string): string {
  const parsed = new URL(url);
  parsed.password = '';
  return parsed.toString();
}
