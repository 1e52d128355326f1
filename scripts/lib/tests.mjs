import { join } from 'node:path';
import { ensureBuilt } from './build.mjs';
import { ensureChromium } from './chromium.mjs';
import { ensureDependencies } from './dependencies.mjs';
import { say } from './output.mjs';
import { runToEnd } from './processes.mjs';
import { readSettings, root } from './settings.mjs';
import { openStores } from './stores.mjs';

/**
 * Has everything ready that tests need, stores of their own among it, and runs Vitest with these
 * arguments and with `env` added to its environment. Answers its exit code.
 */
export async function runTests(args, env = {}) {
  const settings = readSettings();
  await ensureDependencies();
  const browsers = await ensureChromium();

  const folder = join(settings.dataDir, 'test');
  const stores = await openStores(settings, { folder, throwaway: true });
  await ensureBuilt();

  say('Running the tests …');
  return runToEnd(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...args], {
    cwd: root,
    env: {
      ...settings.env,
      DATA_DIR: join(folder, 'files'),
      ...stores.env,
      ...browsers,
      ...env,
    },
  });
}
