import { createServer } from 'node:http';
import { createListener, type Readiness } from './app.ts';
import { createGateway } from './gateway.ts';
import { readEnv, SettingError } from './platform/env.ts';
import { createPlatform } from './platform/platform.ts';

/** Starts API and gateway. Ends with a sentence and a non-zero code when it cannot serve. */
async function main(): Promise<void> {
  const env = readEnv();
  const platform = await createPlatform(env, 'server');
  const { log } = platform;
  const readiness: Readiness = { isShuttingDown: false };
  // Node's own limits against slow senders.
  const server = createServer(
    { headersTimeout: 10_000, requestTimeout: 30_000, keepAliveTimeout: 65_000 },
    createListener(platform, readiness),
  );
  const gateway = await createGateway(platform, server);
  await platform.publicReads.start();

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(env.PORT, env.HOST, resolve);
  });
  log.info({ port: env.PORT }, 'Farmgate serves');

  const stop = async (signal: string) => {
    if (readiness.isShuttingDown) return;
    readiness.isShuttingDown = true;
    log.info({ signal }, 'Shutting down');
    const forced = setTimeout(() => process.exit(1), env.SHUTDOWN_GRACE_MS);
    // Answers in flight are finished while no new connection is taken.
    const drained = new Promise<void>((resolve) => server.close(() => resolve()));
    await gateway.close();
    server.closeIdleConnections();
    await drained;
    await platform.eventLog.sequence();
    await platform.close();
    clearTimeout(forced);
    process.exit(0);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

main().catch((error: NodeJS.ErrnoException) => {
  const message =
    error instanceof SettingError || /Redis cannot be reached/.test(error.message)
      ? error.message
      : error.code === 'EADDRINUSE'
        ? `Port ${process.env.PORT ?? 3000} is taken: stop what uses it, or set PORT to another one.`
        : error.code === 'ECONNREFUSED'
          ? 'Postgres cannot be reached: check DATABASE_URL and that the database runs.'
          : (error.stack ?? error.message);
  console.error(message);
  process.exit(1);
});
