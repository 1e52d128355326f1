import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { measureSlowness } from './testing/machine-speed.ts';
import { BASE_MS } from './testing/until.ts';
import { texts } from './vite.texts.ts';
import { EnvironmentSequencer } from './vitest.sequence.ts';

/** Makes the migrated database that tests copy; the web tests need none. */
const globalSetup = ['server/testing/global-setup.ts'];
// Vitest reads this file again for each project, and the processes of the tests have the environment of this one.
process.env.TEST_WAIT_MS ??= String(Math.round(BASE_MS * measureSlowness()));
const waitMs = Number(process.env.TEST_WAIT_MS);
/** Generous, so that no test needs a limit of its own: what hangs is a wait, which ends before with its name. */
const timeouts = { testTimeout: 4 * waitMs, hookTimeout: 4 * waitMs };
/** Tests that start programs and browsers wait more often. */
const slowTimeouts = { testTimeout: 10 * waitMs, hookTimeout: 4 * waitMs };

/** Node has a `localStorage` of its own from version 25, which would stand in the way of that of the tests' window. */
const execArgv = process.allowedNodeEnvironmentFlags.has('--experimental-webstorage')
  ? ['--no-experimental-webstorage']
  : [];

export default defineConfig({
  test: {
    execArgv,
    ...timeouts,
    expect: { poll: { timeout: waitMs } },
    pool: 'forks',
    // One more than the cores of a small machine, because many tests wait; with more, browsers and programs are in each
    // other's way, and all takes longer.
    maxWorkers: 3,
    sequence: { sequencer: EnvironmentSequencer },
    projects: [
      {
        extends: true,
        resolve: { alias: { '@node-rs/argon2': path.resolve('server/testing/cheap-argon2.ts') } },
        test: {
          name: 'server',
          globalSetup,
          include: [
            'server/**/*.test.ts',
            'workers/**/*.test.ts',
            'prisma/**/*.test.ts',
            'demo/**/*.test.ts',
          ],
          // Importing the server again for each file takes longer than most files run.
          isolate: false,
        },
      },
      {
        extends: true,
        plugins: [texts()],
        test: {
          name: 'web',
          include: ['web/**/*.test.{ts,tsx}'],
          // Starting a process and importing React for each file takes as long as most files run.
          isolate: false,
          setupFiles: ['web/platform/testing/setup.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          globalSetup,
          include: ['e2e/*.test.ts', 'e2e/live/*.test.ts'],
          // The files that a process runs one after the other share its browser and what they import.
          isolate: false,
          ...slowTimeouts,
        },
      },
      // Only for `npm run test:ui`.
      ...(process.env.UI_TESTS
        ? [
            {
              extends: true as const,
              test: {
                name: 'ui',
                globalSetup,
                include: ['e2e/ui/*.test.ts'],
                testTimeout: 30 * waitMs,
                // They measure what a slow device shows, so no other file runs beside them.
                fileParallelism: false,
              },
            },
          ]
        : []),
      // Only for `npm run test:browsers`.
      ...(process.env.BROWSERS_TESTS
        ? [
            {
              extends: true as const,
              test: {
                name: 'browsers',
                globalSetup,
                include: ['e2e/browsers/*.test.ts'],
                ...slowTimeouts,
              },
            },
          ]
        : []),
      {
        extends: true,
        test: {
          name: 'faults',
          globalSetup,
          include: ['e2e/faults/*.test.ts'],
          ...slowTimeouts,
          // These tests measure times, so only one other file of theirs runs beside them, after all other
          // tests. The long forms run alone: `npm run test:faults`.
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
