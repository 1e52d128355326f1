import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { EnvironmentSequencer } from './vitest.sequence.ts';

/** Makes the migrated database that tests copy; the web tests need none. */
const globalSetup = ['server/testing/global-setup.ts'];
/** Tests that start programs and browsers need more time. */
const slowTimeouts = { testTimeout: 180_000, hookTimeout: 180_000 };

export default defineConfig({
  test: {
    // Generous: a limit ends only a test that hangs, also on a busy machine.
    testTimeout: 60_000,
    hookTimeout: 120_000,
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
        test: {
          name: 'web',
          include: ['web/**/*.test.{ts,tsx}'],
          // Starting a process and importing React for each file takes as long as most files run.
          isolate: false,
          setupFiles: ['web/lib/testing/setup.ts'],
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
                testTimeout: 1_800_000,
                hookTimeout: 120_000,
                // They measure what a slow device shows, so no other file runs beside them.
                fileParallelism: false,
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
