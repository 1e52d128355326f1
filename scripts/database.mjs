import { ensureBuilt } from './lib/build.mjs';
import { ensureDependencies } from './lib/dependencies.mjs';
import { runToEnd } from './lib/processes.mjs';
import { run } from './lib/run.mjs';
import { readSettings, root } from './lib/settings.mjs';
import { openStores } from './lib/stores.mjs';

/** `npm run db:migrate`, `db:seed` and `create-admin`: runs one program on the configured database, or on the private one. */
await run(async () => {
  const settings = readSettings();
  await ensureDependencies();
  const stores = await openStores(settings, { folder: settings.dataDir, share: true });
  await ensureBuilt();
  const [program, ...args] = process.argv.slice(2);
  const command = ['--enable-source-maps', `dist/server/${program}.js`, ...args];
  return runToEnd(process.execPath, command, {
    cwd: root,
    env: { ...settings.env, ...stores.env },
  });
});
