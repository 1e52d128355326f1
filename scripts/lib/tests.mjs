import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { ensureBuilt, ensureClient } from './build.mjs';
import { ensureChromium } from './chromium.mjs';
import { ensureDependencies } from './dependencies.mjs';
import { print } from './output.mjs';
import { runToEnd } from './processes.mjs';
import { readSettings, root } from './settings.mjs';
import { openStores } from './stores.mjs';

/** What the tests of each Vitest project need besides the sources. */
const needsOfProject = {
  // The tests of the workers start the built worker process.
  server: { stores: true, build: ['server'] },
  web: {},
  browser: { stores: true, build: ['web', 'pages', 'server'], chromium: true },
  ui: { stores: true, build: ['web', 'pages', 'server'], chromium: true },
  faults: { stores: true, build: ['server'] },
};

/** The names in `--project name` and `--project=name`. */
function projectsIn(args) {
  return args.flatMap((arg, index) => {
    if (arg === '--project') return args[index + 1] ?? [];
    return arg.startsWith('--project=') ? arg.slice('--project='.length) : [];
  });
}

/** Returns what the selected projects need together; without exact project names, what all need. */
function needsOf(args) {
  const named = projectsIn(args);
  const isKnown = named.length > 0 && named.every((name) => Object.hasOwn(needsOfProject, name));
  const needs = isKnown ? named.map((name) => needsOfProject[name]) : Object.values(needsOfProject);
  return {
    stores: needs.some(({ stores }) => stores),
    chromium: needs.some(({ chromium }) => chromium),
    build: [...new Set(needs.flatMap(({ build }) => build ?? []))],
  };
}

/**
 * Prepares what the selected tests need, private stores included, and runs Vitest with these arguments
 * and with `env` added to its environment. Returns its exit code.
 */
export async function runTests(args, env = {}) {
  // That of worker programs, which would hardly run beside browsers and other tests of a higher one.
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  const settings = readSettings();
  const needs = needsOf(args);
  await ensureDependencies();
  const browsers = needs.chromium ? await ensureChromium() : {};

  const folder = join(settings.dataDir, 'test');
  const stores = needs.stores
    ? await openStores(settings, { folder, throwaway: true, inMemory: true })
    : null;
  if (needs.build.length > 0) await ensureBuilt(needs.build);
  else await ensureClient();

  print('Running the tests …');
  return runToEnd(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...args], {
    cwd: root,
    env: {
      ...settings.env,
      DATA_DIR: join(folder, 'files'),
      ...stores?.env,
      ...browsers,
      ...env,
    },
  });
}
