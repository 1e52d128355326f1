import { createServer } from 'node:http';
import { setPriority } from 'node:os';
import Koa from 'koa';
import type { Following } from '../server/platform/events/event-log.ts';
import { createProcessPlatform } from '../server/platform/events/platform.ts';
import { followMarket } from '../server/platform/market/settings.ts';
import { type Heartbeat, startHeartbeat } from '../server/platform/metrics/heartbeat.ts';
import {
  createMetrics,
  health,
  listenForMetrics,
  type Readiness,
} from '../server/platform/metrics/serve-metrics.ts';
import { readEnv } from '../server/platform/process/env.ts';
import { listen } from '../server/platform/process/listen.ts';
import { keepRelease } from '../server/platform/process/release.ts';
import {
  explainStartFailure,
  shutDownOnSignal,
  waitForDatabase,
} from '../server/platform/process/start.ts';
import { retryWhileAway } from '../server/platform/stores/postgres.ts';
import { readClock } from '../server/platform/time/clock.ts';
import { startWorkers, type Workers } from './start.ts';

/** Starts a worker process. Prints the reason and exits with 1 when it cannot start. */
async function main(): Promise<void> {
  const env = readEnv();
  // Lower priority than a server on the same machine.
  setPriority(10);
  keepRelease();
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
