import { run } from './lib/run.mjs';
import { runTests } from './lib/tests.mjs';

/** What `npm run test:quick` leaves to `npm test`: tests of processes and faults, and the longest of the others. */
const leftOut = [
  // They start and kill programs.
  'workers/crash.test.ts',
  'workers/notifications/push.test.ts',
  'server/process/cluster.test.ts',
  // They wait for timeouts.
  'prisma/hang-guard.test.ts',
  'server/http/body-time.test.ts',
  // Thousands of generated requests, and a hundred rendered pictures.
  'server/testing/fuzz.test.ts',
  'demo/seed-market.test.ts',
];

/** `npm run test:quick`: runs most tests that need neither a browser nor programs; more arguments go to Vitest. */
await run(() =>
  runTests([
    ...['--project', 'server', '--project', 'web'],
    ...leftOut.flatMap((file) => ['--exclude', file]),
    ...process.argv.slice(2),
  ]),
);
