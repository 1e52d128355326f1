import { setPriority } from 'node:os';
import { readEnv } from '../server/platform/env.ts';
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
  const workers = await startWorkers(platform);
  platform.log.info('Farmgate works');

  endOnSignal(platform, () => workers.close());
}

main().catch((error: NodeJS.ErrnoException) => {
  console.error(explainStartFailure(error));
  process.exit(1);
});
