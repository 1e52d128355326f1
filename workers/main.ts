import { once } from 'node:events';
import { setPriority } from 'node:os';
import Koa from 'koa';
import { readEnv } from '../server/platform/env.ts';
import { health, type Readiness } from '../server/platform/health.ts';
import { createPlatform } from '../server/platform/platform.ts';
import { endOnSignal } from '../server/platform/shutdown.ts';
import { explainStartFailure } from '../server/platform/start-failure.ts';
import { startWorkers } from './start.ts';

/** Starts a worker process. Ends with a sentence and a non-zero code when it cannot work. */
async function main(): Promise<void> {
  const env = readEnv();
  // On a machine shared with a server, answering people comes first.
  setPriority(10);
  const platform = await createPlatform(env, 'workers');
  const readiness: Readiness = { isShuttingDown: false };
  if (env.WORKER_PORT !== undefined) {
    const told = new Koa().use(health(platform, readiness)).listen(env.WORKER_PORT, env.HOST);
    await once(told, 'listening');
  }
  const workers = await startWorkers(platform);
  endOnSignal(platform, () => {
    readiness.isShuttingDown = true;
    return workers.close();
  });
  platform.log.info('Farmgate works');
}

main().catch((error: NodeJS.ErrnoException) => {
  console.error(explainStartFailure(error, 'WORKER_PORT'));
  process.exit(1);
});
