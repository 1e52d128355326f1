import { ensureBuilt } from './lib/build.mjs';
import { ensureDependencies } from './lib/dependencies.mjs';
import { runToEnd } from './lib/processes.mjs';
import { run } from './lib/run.mjs';
import { readSettings, root } from './lib/settings.mjs';
import { openStores } from './lib/stores.mjs';

/** Programs that use no Redis, so that none is started for them. */
const withoutRedis = ['backup', 'restore', 'held-deliveries'];

/**
 * `npm run db:migrate`, `db:seed`, `create-admin`, `remove-second-factor`, `held-deliveries`, `backup` and `restore`:
 * runs one program on the configured database, or on the private one.
 */
await run(async () => {
  const settings = readSettings();
  await ensureDependencies();
  const [program, ...args] = process.argv.slice(2);
  const stores = await openStores(settings, {
    folder: settings.dataDir,
    share: true,
    usesRedis: !withoutRedis.includes(program),
  });
  await ensureBuilt();
  const command = ['--enable-source-maps', `dist/server/${program}.js`, ...args];
  return runToEnd(process.execPath, command, {
    cwd: root,
    env: { ...settings.env, ...stores.env },
  });
});
