import { ensureClient } from './lib/build.mjs';
import { ensureDependencies } from './lib/dependencies.mjs';
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

const tsx = 'node_modules/tsx/dist/cli.mjs';
const WEB_PORT = 5173;

/** `npm run dev`: restarts server and workers when a source changes; the web client reloads by Vite. */
await run(async () => {
  const settings = readSettings();
  await requirePort(settings.port, settings.host);
  await requireMetricsPorts(settings);
  await requirePort(WEB_PORT, 'localhost');
  await ensureDependencies();

  const stores = await openStores(settings, { folder: settings.dataDir });
  await ensureClient();

  const env = { ...settings.env, ...stores.env };
  const steps = [
    ['prisma/migrate.ts'],
    ['demo/main.ts', ...(settings.seed === 'demo' ? [] : ['--accounts-only'])],
  ];
  for (const [file, ...args] of steps) {
    if ((await runToEnd(process.execPath, [tsx, file, ...args], { cwd: root, env })) !== 0) {
      throw new UserError(`Start aborted: ${file} failed, see above.`);
    }
  }

  const programs = Object.entries({
    server: [tsx, 'watch', '--clear-screen=false', 'server/main.ts'],
    workers: [tsx, 'watch', '--clear-screen=false', 'workers/main.ts'],
    web: ['node_modules/vite/bin/vite.js', '--clearScreen', 'false', '--strictPort'],
  }).map(([name, args]) =>
    startProgram({
      name,
      args,
      env: name === 'workers' ? workersEnv(env, settings) : env,
      graceMs: settings.graceMs,
      prefix: true,
    }),
  );
  await waitUntilServing(`http://localhost:${settings.port}`, [...programs, ...stores.programs]);
  print(`\nFarmgate is running for development: http://localhost:${WEB_PORT}\n`);
  return runUntilStopped(programs, stores.programs);
});
