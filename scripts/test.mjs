import { join } from 'node:path';
import { ensureBuilt } from './lib/build.mjs';
import { ensureChromium } from './lib/chromium.mjs';
import { ensureDependencies } from './lib/dependencies.mjs';
import { say } from './lib/output.mjs';
import { runToEnd } from './lib/processes.mjs';
import { run } from './lib/run.mjs';
import { readSettings, root } from './lib/settings.mjs';
import { openStores } from './lib/stores.mjs';

/** `npm test`: all tests on stores of their own; what follows `--` goes to Vitest. */
await run(async () => {
  const settings = readSettings();
  await ensureDependencies();
  const CHROMIUM_PATH = await ensureChromium();

  const folder = join(settings.dataDir, 'test');
  const stores = await openStores(settings, { folder, throwaway: true });
  await ensureBuilt();

  say('Running the tests …');
  const args = ['node_modules/vitest/vitest.mjs', 'run', ...process.argv.slice(2)];
  return runToEnd(process.execPath, args, {
    cwd: root,
    env: { ...settings.env, DATA_DIR: join(folder, 'files'), ...stores.env, CHROMIUM_PATH },
  });
});
