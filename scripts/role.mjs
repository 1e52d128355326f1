import { ensureBuilt } from './lib/build.mjs';
import { ensureDependencies } from './lib/dependencies.mjs';
import { MEMORY_ENV, NODE_FLAGS } from './lib/node-flags.mjs';
import { UserError } from './lib/output.mjs';
import { requirePort } from './lib/ports.mjs';
import { runUntilStopped, startProgram } from './lib/programs.mjs';
import { run } from './lib/run.mjs';
import { readSettings } from './lib/settings.mjs';

/** `npm run start:server` and `start:workers`: runs one process of one role on external stores. */
await run(async () => {
  const role = process.argv[2];
  const settings = readSettings();
  if (!settings.databaseUrl || !settings.redisUrl) {
    throw new UserError(
      `npm run start:${role} needs DATABASE_URL and REDIS_URL; npm start runs private stores instead.`,
    );
  }
  if (role === 'server') await requirePort(settings.port, settings.host);
  await ensureDependencies();
  await ensureBuilt();
  const program = startProgram({
    name: role === 'server' ? 'The server' : 'The worker process',
    args: [...NODE_FLAGS, `dist/server/${role}.js`],
    env: { ...MEMORY_ENV, ...settings.env },
    graceMs: settings.graceMs,
  });
  return runUntilStopped([program]);
});
