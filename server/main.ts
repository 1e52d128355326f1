import cluster from 'node:cluster';
import { createServer } from 'node:http';
import { beginMarket } from './admin/market/service.ts';
import { printSetupLink } from './admin/setup/service.ts';
import { createListener, createWaitingListener, KEEP_ALIVE_MS } from './app.ts';
import { createGateway, type Gateway } from './edge/realtime/gateway.ts';
import { shareAssets } from './platform/cache/shared-assets.ts';
import type { Following } from './platform/events/event-log.ts';
import { limitBodyTime, REQUEST_MAX_MS } from './platform/http/body-time.ts';
import { createPlatform } from './platform/http/platform.ts';
import { followMarket } from './platform/market/settings.ts';
import { type Heartbeat, startHeartbeat } from './platform/metrics/heartbeat.ts';
import {
  collectFromWorkers,
  createMetrics,
  listenForMetrics,
  type Readiness,
  superviseMetrics,
} from './platform/metrics/serve-metrics.ts';
import { type Env, readEnv } from './platform/process/env.ts';
import { createDrain, listen } from './platform/process/listen.ts';
import { createLog } from './platform/process/log.ts';
import { keepRelease } from './platform/process/release.ts';
import {
  explainStartFailure,
  notifyServing,
  shutDownOnSignal,
  superviseServers,
  waitForDatabase,
} from './platform/process/start.ts';
import { retryWhileAway } from './platform/stores/postgres.ts';
import { readClock } from './platform/time/clock.ts';

/** Starts the API and the gateway. Prints the reason and exits with 1 when it cannot start. */
async function main(): Promise<void> {
  const env = readEnv();
  if (env.WEB_CONCURRENCY > 1 && cluster.isPrimary) {
    superviseMetrics();
    await listenForMetrics(env, collectFromWorkers);
    process.exit(await superviseServers(env.WEB_CONCURRENCY, createLog(env, 'servers')));
  }
  await serve(env);
}

async function serve(env: Env): Promise<void> {
  const platform = await createPlatform(env, 'server');
  const { log } = platform;
  keepRelease();
  const readiness: Readiness = { isShuttingDown: false };
  let handleRequest = createWaitingListener(platform, readiness);
  // Node's own limits against slow senders; limitBodyTime sets closer ones for bodies.
  const server = createServer(
    {
      headersTimeout: 10_000,
      requestTimeout: REQUEST_MAX_MS,
      connectionsCheckingInterval: 2000,
      keepAliveTimeout: KEEP_ALIVE_MS,
    },
    (request, response) => handleRequest(request, response),
  );
  const drain = createDrain(server);
  let gateway: Gateway | undefined;
  let market: Pick<Following, 'close'> | undefined;
  let heartbeat: Heartbeat | undefined;
  let stopSharing: (() => void) | undefined;

  shutDownOnSignal(platform, async () => {
    readiness.isShuttingDown = true;
    // Finish requests in flight within three quarters of the grace period; the rest is for closing.
    const drained = drain(env.SHUTDOWN_GRACE_MS * 0.75);
    await gateway?.close();
    await drained;
    stopSharing?.();
    await market?.close();
    await heartbeat?.close();
  });

  const listenForRequests = () =>
    listen(server, { port: env.PORT, host: env.HOST, setting: 'PORT' });
  // In cluster mode the primary serves the metrics of all processes.
  if (!cluster.isWorker) await listenForMetrics(env, createMetrics(platform).collect);

  // Listen early only while the database is not ready, so that a proxy sees no needless 503.
  if ((await platform.database.state()) !== 'ready') await listenForRequests();
  await waitForDatabase(platform.database, log);
  await retryWhileAway(() => readClock(platform.db));
  await retryWhileAway(() => beginMarket(platform));
  market = await followMarket(platform);
  // Before any page needs them: a page may ask every other server for its files.
  stopSharing = await shareAssets(platform);
  gateway = await createGateway(platform, server);
  limitBodyTime(server);
  await platform.responseCache.start();
  handleRequest = createListener(platform, readiness);
  if (!server.listening) await listenForRequests();
  heartbeat = startHeartbeat(platform, 'server');
  notifyServing();
  log.info({ port: env.PORT }, 'Server started');
  // Of several servers on one machine one is enough.
  if (!cluster.isWorker || cluster.worker?.id === 1) {
    await retryWhileAway(() => printSetupLink(platform));
  }
}

main().catch((error: NodeJS.ErrnoException) => {
  console.error(explainStartFailure(error));
  process.exit(1);
});
