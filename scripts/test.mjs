import { otherBrowserTests } from './lib/main-browser-tests.mjs';
import { run } from './lib/run.mjs';
import { runTests } from './lib/tests.mjs';

/**
 * `npm test`: runs the tests on private stores, without the browser tests of `npm run test:rest`. Arguments after `--`
 * go to Vitest and select from all tests instead.
 */
await run(() => {
  const args = process.argv.slice(2);
  if (args.length > 0) return runTests(args);
  return runTests(otherBrowserTests().flatMap((file) => ['--exclude', file]));
});
