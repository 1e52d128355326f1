import { ensureBuilt } from './lib/build.mjs';
import { ensureDependencies } from './lib/dependencies.mjs';
import { runToEnd } from './lib/processes.mjs';
import { run } from './lib/run.mjs';
import { readSettings, root } from './lib/settings.mjs';
import { openStores } from './lib/stores.mjs';

/** `npm run db:migrate` and `db:seed`: runs one step on the configured database, or on the private one. */
await run(async () => {
  const settings = readSettings();
  await ensureDependencies();
  const stores = await openStores(settings, { folder: settings.dataDir, share: true });
  await ensureBuilt();
  return runToEnd(process.execPath, ['--enable-source-maps', `dist/server/${process.argv[2]}.js`], {
    cwd: root,
    env: { ...settings.env, ...stores.env },
  });
});
