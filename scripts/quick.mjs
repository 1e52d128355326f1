import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './lib/run.mjs';
import { root } from './lib/settings.mjs';
import { runTests } from './lib/tests.mjs';

const ROOMS = ['server', 'workers', 'prisma', 'demo', 'web'];
/** One of the first two lines of a test file says so, and why. */
const LONG = /^(.*\n)?\/\/ @long /;

/** The test files that take long by themselves. */
const longTests = ROOMS.flatMap((room) =>
  readdirSync(join(root, room), { recursive: true }).map((name) => `${room}/${name}`),
).filter((file) => /\.test\.tsx?$/.test(file) && LONG.test(readFileSync(join(root, file), 'utf8')));

/**
 * `npm run test:quick`: runs the short tests that need neither a browser nor programs. Those that say `// @long` are left
 * to `npm test`; more arguments go to Vitest.
 */
await run(() =>
  runTests([
    ...['--project', 'server', '--project', 'web'],
    ...longTests.flatMap((file) => ['--exclude', file]),
    ...process.argv.slice(2),
  ]),
);
