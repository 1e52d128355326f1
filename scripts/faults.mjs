import { run } from './lib/run.mjs';
import { runTests } from './lib/tests.mjs';

/**
 * `npm run test:faults`: the long forms of the tests that kill, stop, starve and flood the running
 * product; `npm test` has the short ones. What follows `--` goes to Vitest.
 */
await run(() => {
  const files = ['e2e/faults', 'workers/crash.test.ts'];
  const args = [...files, '--no-file-parallelism', ...process.argv.slice(2)];
  return runTests(args, { FAULTS: 'full' });
});
