import { ensureBuilt } from './lib/build.mjs';
import { ensureDependencies } from './lib/dependencies.mjs';
import { Refusal } from './lib/output.mjs';
import { requirePort } from './lib/ports.mjs';
import { serveUntilEnd, startProgram } from './lib/programs.mjs';
import { run } from './lib/run.mjs';
import { readSettings } from './lib/settings.mjs';

/** `npm run start:server` and `start:workers`: one process of one role, against stores that run elsewhere. */
await run(async () => {
  const role = process.argv[2];
  const settings = readSettings();
  if (!settings.databaseUrl || !settings.redisUrl) {
    throw new Refusal(
      `npm run start:${role} needs DATABASE_URL and REDIS_URL; npm start brings both by itself.`,
    );
  }
  if (role === 'server') await requirePort(settings.port, settings.host);
  await ensureDependencies();
  await ensureBuilt();
  const program = startProgram({
    name: role === 'server' ? 'The server' : 'The worker process',
    args: ['--enable-source-maps', `dist/server/${role}.js`],
    env: settings.env,
    graceMs: settings.graceMs,
  });
  return serveUntilEnd([program]);
});
