import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt } from './lib/build.mjs';
import { ensureDependencies } from './lib/dependencies.mjs';
import { MEMORY_ENV, NODE_FLAGS } from './lib/node-flags.mjs';
import { print, UserError } from './lib/output.mjs';
import { requirePort } from './lib/ports.mjs';
import { runToEnd } from './lib/processes.mjs';
import {
  requireMetricsPorts,
  runUntilStopped,
  startProgram,
  waitUntilServing,
  workersEnv,
} from './lib/programs.mjs';
import { run } from './lib/run.mjs';
import { readSettings, root } from './lib/settings.mjs';
import { openStores } from './lib/stores.mjs';

/** `npm start`: installs, builds, migrates, seeds and runs everything. */
await run(async () => {
  const settings = readSettings();
  const { port, host, graceMs } = settings;
  await requirePort(port, host);
  await requireMetricsPorts(settings);
  await ensureDependencies();

  const stores = await openStores(settings, { folder: settings.dataDir });
  await ensureBuilt();

  const env = { ...MEMORY_ENV, ...settings.env, ...stores.env };
  const runStep = async (file, complaint, ...args) => {
    const command = [...NODE_FLAGS, file, ...args];
    if ((await runToEnd(process.execPath, command, { cwd: root, env })) !== 0) {
      throw new UserError(complaint);
    }
  };
  print('Migrating the database …');
  await runStep('dist/server/migrate.js', 'Start aborted: the migration failed, see above.');
  const accountsFile = join(settings.dataDir, `demo-accounts.${process.pid}.txt`);
  const isDemo = settings.seed === 'demo';
  if (isDemo) print('Preparing the demo market …');
  await runStep(
    'dist/server/seed.js',
    'Start aborted: seeding the demo market failed, see above.',
    // Demo accounts of an earlier start must not keep known passwords where others can reach them.
    ...(isDemo ? [] : ['--accounts-only']),
    ...['--accounts-to', accountsFile],
  );
  const accounts = readFileSync(accountsFile, 'utf8');
  rmSync(accountsFile);

  print('Starting the server and the worker process …');
  const own = ['server', 'workers'].map((role) =>
    startProgram({
      name: `The ${role === 'server' ? 'server' : 'worker process'}`,
      args: [...NODE_FLAGS, join('dist/server', `${role}.js`)],
      env: role === 'workers' ? workersEnv(env, settings) : env,
      graceMs,
    }),
  );
  const isAnyAddress = host === '0.0.0.0' || host === '::';
  const address = `http://${isAnyAddress ? 'localhost' : host.includes(':') ? `[${host}]` : host}:${port}`;
  await waitUntilServing(address, [...own, ...stores.programs]);
  print(`\nFarmgate is open: ${process.env.PUBLIC_URL || address}\n`);
  if (accounts !== '') print(accounts);
  print('Ctrl-C stops it.');
  return runUntilStopped(own, stores.programs);
});
