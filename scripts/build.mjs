import { ensureBuilt } from './lib/build.mjs';
import { ensureDependencies } from './lib/dependencies.mjs';
import { print } from './lib/output.mjs';
import { run } from './lib/run.mjs';

/** `npm run build`: builds everything whose sources have changed. */
await run(async () => {
  await ensureDependencies();
  await ensureBuilt();
  print('Everything is up to date.');
});
