import { run } from './lib/run.mjs';
import { runTests } from './lib/tests.mjs';

/** `npm test`: all tests on stores of their own; what follows `--` goes to Vitest. */
await run(() => runTests(process.argv.slice(2)));
