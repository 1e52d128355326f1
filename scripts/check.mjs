import { ensureClient } from './lib/build.mjs';
import { ensureDependencies } from './lib/dependencies.mjs';
import { print } from './lib/output.mjs';
import { runToEnd } from './lib/processes.mjs';
import { run } from './lib/run.mjs';
import { root } from './lib/settings.mjs';

const tsc = 'node_modules/typescript/bin/tsc';

const checks = {
  'the schema': ['node_modules/prisma/build/index.js', 'validate'],
  'types of the server': [tsc, '-p', '.'],
  'types of the web client': [tsc, '-p', 'web'],
  'types of browser tests and benches': [tsc, '-p', 'e2e'],
  'types of the scripts': [tsc, '-p', 'scripts'],
  'format, lint and import rules': ['node_modules/@biomejs/biome/bin/biome', 'ci'],
  'cycles between rooms, long files, number fields and named sides': ['scripts/check-rooms.mjs'],
  'the texts and their translations': ['--import', 'tsx', 'scripts/texts.mjs', '--check'],
  // Its rules of style are not ours, and the proxy is to be reached from outside.
  'the Compose file': [
    'node_modules/dclint/bin/dclint.cjs',
    'docker-compose.yml',
    ...['--quiet', '--disable-rule', 'no-unbound-port-interfaces'],
  ],
  'unused code': ['node_modules/knip/bin/knip.js'],
};

/** `npm run check`: types, lint, format, import rules, unused code, the schema and the Compose file. */
await run(async () => {
  await ensureDependencies();
  await ensureClient();
  const env = {
    ...process.env,
    PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
    CHECKPOINT_DISABLE: '1',
  };
  const failed = [];
  for (const [name, args] of Object.entries(checks)) {
    print(`Checking ${name} …`);
    if ((await runToEnd(process.execPath, args, { cwd: root, env })) !== 0) failed.push(name);
  }
  if (failed.length === 0) return 0;
  process.stderr.write(`These checks failed: ${failed.join('; ')}.\n`);
  return 1;
});
