import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { ensureChromium, ensureOtherBrowsers } from './lib/browsers.mjs';
import { ensureBuilt, ensureClient } from './lib/build.mjs';
import { ensureDependencies } from './lib/dependencies.mjs';
import { print, UserError } from './lib/output.mjs';
import { startPostgres } from './lib/postgres.mjs';
import { runToEnd } from './lib/processes.mjs';
import { run } from './lib/run.mjs';
import { readSettings, root } from './lib/settings.mjs';
import { openStores } from './lib/stores.mjs';
import { ensurePooler } from './lib/system-packages.mjs';

/** The browser tests of `npm test`: the main job, the flows of each role, and every page in one state. */
const MAIN = ['main-job', 'visitor', 'consumer', 'farmer', 'admin', 'pages'].map(
  (name) => `e2e/${name}.test.ts`,
);

/** What shows that the market runs on a PostgreSQL: orders, chat and live status, crowds, a pooler and a backup. */
const ON_POSTGRES = ['main-job', 'farmer', 'faults/crowd', 'faults/pooler'].map(
  (name) => `e2e/${name}.test.ts`,
);

const exclude = (files) => files.flatMap((file) => ['--exclude', file]);
const filesUnder = (folder) =>
  readdirSync(join(root, folder), { recursive: true }).map((name) => `${folder}/${name}`);

/** The browser tests that `npm test` leaves out, because they take longer than everything else. */
const otherBrowserTests = () =>
  ['e2e', 'e2e/live']
    .flatMap((folder) => readdirSync(join(root, folder)).map((name) => `${folder}/${name}`))
    .filter((file) => file.endsWith('.test.ts') && !MAIN.includes(file));

/** The test files that take long by themselves: one of their first two lines says `// @long`, and why. */
const longTests = () =>
  ['server', 'workers', 'prisma', 'demo', 'web']
    .flatMap(filesUnder)
    .filter(
      (file) =>
        /\.test\.tsx?$/.test(file) &&
        /^(.*\n)?\/\/ @long /.test(readFileSync(join(root, file), 'utf8')),
    );

/** What each npm command runs. Arguments after `--` go to Vitest. */
const kinds = {
  /** `npm test`: all but most of the browser; arguments select from all tests instead. */
  main: (args) => runTests(args.length > 0 ? args : exclude(otherBrowserTests())),
  /** `npm run test:quick`: the short tests that need neither a browser nor programs. */
  quick: (args) =>
    runTests(['--project', 'server', '--project', 'web', ...exclude(longTests()), ...args]),
  /** `npm run test:rest`: the browser tests that `npm test` leaves out; CI runs them too. */
  rest: (args) => runTests(['--project', 'browser', ...otherBrowserTests(), ...args]),
  /**
   * `npm run test:ui`: looks at every page, menu and dialog in both widths and themes, with forced colours and on a
   * slow device. Longer than `npm test`, and no part of it.
   */
  ui: (args) => runTests(['--project', 'ui', ...args], { UI_TESTS: '1' }),
  /** `npm run test:browsers`: the main job in Firefox and WebKit. */
  browsers: (args) => runTests(['--project', 'browsers', ...args], { BROWSERS_TESTS: '1' }),
  /**
   * `npm run test:postgres`: the main job on every PostgreSQL that the system has installed, of Debian's packages
   * `postgresql-15` to `postgresql-18`. Not part of CI, whose machines have the one of the npm package.
   */
  postgres: async (args) => {
    const home = '/usr/lib/postgresql';
    const versions = existsSync(home) ? readdirSync(home).sort() : [];
    if (versions.length === 0) {
      throw new UserError(`There is no PostgreSQL under ${home}: install the package postgresql.`);
    }
    const { dataDir } = readSettings();
    for (const version of versions) {
      print(`PostgreSQL ${version}:`);
      const folder = join(dataDir, 'test', `postgres-${version}`);
      const { url, stop } = await startPostgres({ folder, installed: join(home, version) });
      process.env.DATABASE_URL = url;
      const code = await runTests(
        args.length > 0 ? args : ['--project', 'browser', '--project', 'faults', ...ON_POSTGRES],
      );
      await stop();
      rmSync(folder, { recursive: true, force: true });
      if (code !== 0) return code;
    }
    return 0;
  },
  /**
   * `npm run test:faults`: the long form of the tests that kill, stop and flood the running product; `npm test` runs
   * the short form.
   */
  faults: (args) =>
    runTests(
      [
        'e2e/faults',
        'workers/crash.test.ts',
        'workers/alerts-crowd.test.ts',
        '--no-file-parallelism',
        ...args,
      ],
      {
        FAULTS: 'full',
      },
    ),
};

/** What the tests of each Vitest project need besides the sources. */
const needsOfProject = {
  // The tests of the workers start the built worker process.
  server: { stores: true, build: ['server'] },
  web: {},
  browser: { stores: true, build: ['web', 'pages', 'server'], chromium: true },
  ui: { stores: true, build: ['web', 'pages', 'server'], chromium: true },
  browsers: { stores: true, build: ['web', 'pages', 'server'], otherBrowsers: true },
  faults: { stores: true, build: ['server'], pooler: true },
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
    pooler: needs.some(({ pooler }) => pooler),
    // Only those who ask for them by name.
    otherBrowsers: isKnown && needs.some(({ otherBrowsers }) => otherBrowsers),
    build: [...new Set(needs.flatMap(({ build }) => build ?? []))],
  };
}

/**
 * Prepares what the selected tests need, private stores included, and runs Vitest with these arguments
 * and with `env` added to its environment. Returns its exit code.
 */
async function runTests(args, env = {}) {
  // That of worker programs, which would hardly run beside browsers and other tests of a higher one.
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  const settings = readSettings();
  const needs = needsOf(args);
  await ensureDependencies();
  const browsers = {
    ...(needs.chromium && (await ensureChromium())),
    ...(needs.otherBrowsers && (await ensureOtherBrowsers())),
    ...(needs.pooler && (await ensurePooler())),
  };

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

const [kind, ...args] = process.argv.slice(2);
await run(() => kinds[kind](args));
