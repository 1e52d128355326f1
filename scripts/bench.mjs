import { join } from 'node:path';
import { ensureChromium } from './lib/browsers.mjs';
import { ensureBuilt } from './lib/build.mjs';
import { ensureDependencies } from './lib/dependencies.mjs';
import { runToEnd } from './lib/processes.mjs';
import { run } from './lib/run.mjs';
import { readSettings, root } from './lib/settings.mjs';
import { openStores } from './lib/stores.mjs';

/** `npm run bench`: runs all benches, or those named as arguments, on private stores. */
await run(async () => {
  const settings = readSettings();
  await ensureDependencies();
  const browsers = await ensureChromium();

  const folder = join(settings.dataDir, 'bench');
  const stores = await openStores(settings, { folder, throwaway: true });
  await ensureBuilt();

  const env = { ...settings.env, DATA_DIR: join(folder, 'files'), ...stores.env, ...browsers };
  const bench = (file, ...args) =>
    runToEnd(process.execPath, ['--import', 'tsx', file, ...args], { cwd: root, env });
  return (await bench('bench/prepare.ts')) || bench('bench/all.ts', ...process.argv.slice(2));
});
