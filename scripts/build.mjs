import { ensureBuilt } from './lib/build.mjs';
import { ensureDependencies } from './lib/dependencies.mjs';
import { say } from './lib/output.mjs';
import { run } from './lib/run.mjs';

/** `npm run build`: all that is made from the sources, where they changed since the last time. */
await run(async () => {
  await ensureDependencies();
  await ensureBuilt();
  say('Everything is built.');
});
