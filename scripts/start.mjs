import { join } from 'node:path';
import { ensureBuilt } from './lib/build.mjs';
import { ensureDependencies } from './lib/dependencies.mjs';
import { Refusal, say } from './lib/output.mjs';
import { requirePort } from './lib/ports.mjs';
import { runToEnd } from './lib/processes.mjs';
import { serveUntilEnd, startProgram, untilServing } from './lib/programs.mjs';
import { run } from './lib/run.mjs';
import { readSettings, root } from './lib/settings.mjs';
import { openStores } from './lib/stores.mjs';

/** `npm start`: everything, from a fresh clone to a market that is open, in one command. */
await run(async () => {
  const settings = readSettings();
  const { port, host, graceMs } = settings;
  await requirePort(port, host);
  await ensureDependencies();

  const stores = await openStores(settings, { folder: settings.dataDir });
  await ensureBuilt();

  const env = { ...settings.env, ...stores.env };
  const step = async (file, complaint) => {
    const options = { cwd: root, env };
    if ((await runToEnd(process.execPath, ['--enable-source-maps', file], options)) !== 0) {
      throw new Refusal(complaint);
    }
  };
  say('Bringing the database up to date …');
  await step('dist/server/migrate.js', 'The start was given up: the reason is above.');
  if (settings.seed === 'demo') {
    say('Looking after the demo market …');
    await step('dist/server/seed.js', 'The demo market could not be made: the reason is above.');
  }

  say('Opening …');
  const own = ['server', 'workers'].map((role) =>
    startProgram({
      name: `The ${role === 'server' ? 'server' : 'worker process'}`,
      args: ['--enable-source-maps', join('dist/server', `${role}.js`)],
      env,
      graceMs,
    }),
  );
  const everywhere = host === '0.0.0.0' || host === '::';
  const address = `http://${everywhere ? 'localhost' : host.includes(':') ? `[${host}]` : host}:${port}`;
  await untilServing(address, [...own, ...stores.programs]);
  say(`\nFarmgate is open: ${process.env.PUBLIC_URL || address}\n`);
  if (settings.seed === 'demo') {
    say(
      [
        'Demo accounts, password "password123" for all:',
        '  admin@farmgate.test      admin',
        '  farmer@farmgate.test     farmer, Green Valley Farm',
        '  farmer2@farmgate.test    farmer',
        '  consumer@farmgate.test   consumer',
        '  consumer2@farmgate.test  consumer',
        '',
      ].join('\n'),
    );
  }
  say('Ctrl-C stops it.');
  return serveUntilEnd(own, stores.programs);
});
