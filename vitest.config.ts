import { defineConfig } from 'vitest/config';

/** Makes the migrated database that tests copy; the web tests need none. */
const globalSetup = ['server/testing/global-setup.ts'];
/** Tests that start programs and browsers need more time. */
const slowTimeouts = { testTimeout: 120_000, hookTimeout: 120_000 };

export default defineConfig({
  test: {
    testTimeout: 30_000,
    hookTimeout: 60_000,
    pool: 'forks',
    maxWorkers: 3,
    projects: [
      {
        extends: true,
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
        test: { name: 'web', include: ['web/**/*.test.{ts,tsx}'] },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          globalSetup,
          include: ['e2e/*.test.ts', 'e2e/live/*.test.ts'],
          ...slowTimeouts,
        },
      },
      {
        extends: true,
        test: {
          name: 'faults',
          globalSetup,
          include: ['e2e/faults/*.test.ts'],
          ...slowTimeouts,
          // These tests measure times, so no other test file runs beside them.
          fileParallelism: false,
        },
      },
    ],
  },
});
