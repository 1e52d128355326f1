import { createServer } from 'node:http';
import { setPriority } from 'node:os';
import Koa from 'koa';
import type { Following } from '../server/events/event-log.ts';
import { createProcessPlatform } from '../server/events/platform.ts';
import { followMarket } from '../server/market/settings.ts';
import { readClock } from '../server/process/clock.ts';
import { readEnv } from '../server/process/env.ts';
import { health, type Readiness } from '../server/process/health.ts';
import { type Heartbeat, startHeartbeat } from '../server/process/heartbeat.ts';
import { listen } from '../server/process/listen.ts';
import { retryWhileAway } from '../server/process/postgres.ts';
import { createMetrics, listenForMetrics } from '../server/process/serve-metrics.ts';
import { shutDownOnSignal } from '../server/process/shutdown.ts';
import { waitForDatabase } from '../server/process/start.ts';
import { explainStartFailure } from '../server/process/start-failure.ts';
import { startWorkers, type Workers } from './start.ts';

/** Starts a worker process. Prints the reason and exits with 1 when it cannot start. */
async function main(): Promise<void> {
  const env = readEnv();
  // Lower priority than a server on the same machine.
  setPriority(10);
  const platform = await createProcessPlatform(env, 'workers');
  const readiness: Readiness = { isShuttingDown: false };
  if (env.WORKER_PORT !== undefined) {
    const healthServer = createServer(new Koa().use(health(platform, readiness)).callback());
    await listen(healthServer, { port: env.WORKER_PORT, host: env.HOST, setting: 'WORKER_PORT' });
  }
  await listenForMetrics(env, createMetrics(platform).collect);
  let workers: Workers | undefined;
  let market: Pick<Following, 'close'> | undefined;
  let heartbeat: Heartbeat | undefined;
  shutDownOnSignal(platform, async () => {
    readiness.isShuttingDown = true;
    await workers?.close();
    await heartbeat?.close();
    await market?.close();
  });
  await waitForDatabase(platform.database, platform.log);
  await retryWhileAway(() => readClock(platform.db));
  market = await followMarket(platform);
  workers = await startWorkers(platform);
  heartbeat = startHeartbeat(platform, 'workers');
  platform.log.info('Workers started');
}

main().catch((error: NodeJS.ErrnoException) => {
  console.error(explainStartFailure(error));
  process.exit(1);
});
