import cluster from 'node:cluster';
import { createServer } from 'node:http';
import { createListener } from './app.ts';
import { superviseServers } from './cluster.ts';
import { createDrain } from './drain.ts';
import { createGateway } from './gateway.ts';
import { type Env, readEnv } from './platform/env.ts';
import type { Readiness } from './platform/health.ts';
import { createLog } from './platform/log.ts';
import { createPlatform } from './platform/platform.ts';
import { endOnSignal } from './platform/shutdown.ts';
import { explainStartFailure } from './platform/start-failure.ts';

/** Starts API and gateway. Ends with a sentence and a non-zero code when it cannot serve. */
async function main(): Promise<void> {
  const env = readEnv();
  if (env.WEB_CONCURRENCY > 1 && cluster.isPrimary) {
    process.exit(await superviseServers(env.WEB_CONCURRENCY, createLog(env, 'servers')));
  }
  await serve(env);
}

async function serve(env: Env): Promise<void> {
  const platform = await createPlatform(env, 'server');
  const { log } = platform;
  const readiness: Readiness = { isShuttingDown: false };
  // Node's own limits against slow senders.
  const server = createServer(
    {
      headersTimeout: 10_000,
      requestTimeout: 30_000,
      connectionsCheckingInterval: 2000,
      keepAliveTimeout: 65_000,
    },
    createListener(platform, readiness),
  );
  const drain = createDrain(server);
  const gateway = await createGateway(platform, server);
  await platform.publicReads.start();

  endOnSignal(platform, async () => {
    readiness.isShuttingDown = true;
    // Answers in flight are finished while no new connection is taken; the rest of the time is ours.
    const drained = drain(env.SHUTDOWN_GRACE_MS * 0.75);
    await gateway.close();
    await drained;
  });

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(env.PORT, env.HOST, resolve);
  });
  log.info({ port: env.PORT }, 'Farmgate serves');
}

main().catch((error: NodeJS.ErrnoException) => {
  console.error(explainStartFailure(error));
  process.exit(1);
});
