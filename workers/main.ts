import { setPriority } from 'node:os';
import { readEnv } from '../server/platform/env.ts';
import { createPlatform } from '../server/platform/platform.ts';
import { explainStartFailure } from '../server/platform/start-failure.ts';
import { startWorkers } from './start.ts';

/** Starts a worker process. Ends with a sentence and a non-zero code when it cannot work. */
async function main(): Promise<void> {
  const env = readEnv();
  // On a machine shared with a server, answering people comes first.
  setPriority(10);
  const platform = await createPlatform(env, 'workers');
  const { log } = platform;
  const workers = await startWorkers(platform);
  log.info('Farmgate works');

  let isStopping = false;
  const stop = async (signal: string) => {
    if (isStopping) return;
    isStopping = true;
    log.info({ signal }, 'Shutting down');
    const forced = setTimeout(() => process.exit(1), env.SHUTDOWN_GRACE_MS);
    await workers.close();
    await platform.eventLog.sequence();
    await platform.close();
    clearTimeout(forced);
    process.exit(0);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

main().catch((error: NodeJS.ErrnoException) => {
  console.error(explainStartFailure(error));
  process.exit(1);
});
