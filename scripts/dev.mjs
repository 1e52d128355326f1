import { ensureClient } from './lib/build.mjs';
import { ensureDependencies } from './lib/dependencies.mjs';
import { Refusal, say } from './lib/output.mjs';
import { requirePort } from './lib/ports.mjs';
import { runToEnd } from './lib/processes.mjs';
import { serveUntilEnd, startProgram, untilServing } from './lib/programs.mjs';
import { run } from './lib/run.mjs';
import { readSettings, root } from './lib/settings.mjs';
import { openStores } from './lib/stores.mjs';

const tsx = 'node_modules/tsx/dist/cli.mjs';
const WEB_PORT = 5173;

/** `npm run dev`: server and workers restart when a source changes, the web client changes in place. */
await run(async () => {
  const settings = readSettings();
  await requirePort(settings.port, settings.host);
  await requirePort(WEB_PORT, 'localhost');
  await ensureDependencies();

  const stores = await openStores(settings, { folder: settings.dataDir });
  await ensureClient();

  const env = { ...settings.env, ...stores.env };
  const steps = ['prisma/migrate.ts', ...(settings.seed === 'demo' ? ['prisma/seed/main.ts'] : [])];
  for (const file of steps) {
    if ((await runToEnd(process.execPath, [tsx, file], { cwd: root, env })) !== 0) {
      throw new Refusal(`The start was given up: ${file} failed, the reason is above.`);
    }
  }

  const programs = Object.entries({
    server: [tsx, 'watch', '--clear-screen=false', 'server/main.ts'],
    workers: [tsx, 'watch', '--clear-screen=false', 'workers/main.ts'],
    web: ['node_modules/vite/bin/vite.js', '--clearScreen', 'false', '--strictPort'],
  }).map(([name, args]) =>
    startProgram({ name, args, env, graceMs: settings.graceMs, prefix: true }),
  );
  await untilServing(`http://localhost:${settings.port}`, [...programs, ...stores.programs]);
  say(`\nFarmgate is open for work: http://localhost:${WEB_PORT}\n`);
  return serveUntilEnd(programs, stores.programs);
});
