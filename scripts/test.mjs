import { run } from './lib/run.mjs';
import { runTests } from './lib/tests.mjs';

/** `npm test`: runs all tests on private stores; arguments after `--` go to Vitest. */
await run(() => runTests(process.argv.slice(2)));
