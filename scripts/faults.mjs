import { run } from './lib/run.mjs';
import { runTests } from './lib/tests.mjs';

/**
 * `npm run test:faults`: runs the long form of the tests that kill, stop and flood the running product;
 * `npm test` runs the short form. Arguments after `--` go to Vitest.
 */
await run(() => {
  const files = ['e2e/faults', 'workers/crash.test.ts'];
  const args = [...files, '--no-file-parallelism', ...process.argv.slice(2)];
  return runTests(args, { FAULTS: 'full' });
});
