import { ensureClient } from './lib/build.mjs';
import { ensureDependencies } from './lib/dependencies.mjs';
import { say } from './lib/output.mjs';
import { runToEnd } from './lib/processes.mjs';
import { run } from './lib/run.mjs';
import { root } from './lib/settings.mjs';

const checks = {
  'the schema': ['node_modules/prisma/build/index.js', 'validate'],
  types: ['node_modules/typescript/bin/tsc', '--noEmit'],
  'format, lint and import rules': ['node_modules/@biomejs/biome/bin/biome', 'ci'],
  'unused code': ['node_modules/knip/bin/knip.js'],
};

/** `npm run check`: everything about the sources that can be told without running them. */
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
    say(`Checking ${name} …`);
    if ((await runToEnd(process.execPath, args, { cwd: root, env })) !== 0) failed.push(name);
  }
  if (failed.length === 0) return 0;
  process.stderr.write(`The check found something in: ${failed.join('; ')}.\n`);
  return 1;
});
