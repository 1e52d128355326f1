import { otherBrowserTests } from './lib/main-browser-tests.mjs';
import { run } from './lib/run.mjs';
import { runTests } from './lib/tests.mjs';

/** `npm run test:rest`: runs the browser tests that `npm test` leaves out. Arguments after `--` go to Vitest. */
await run(() =>
  runTests(['--project', 'browser', ...otherBrowserTests(), ...process.argv.slice(2)]),
);
