import { defineConfig } from 'vitest/config';

/** Real programs and browsers take their time. */
const patient = { testTimeout: 120_000, hookTimeout: 120_000 };

export default defineConfig({
  test: {
    globalSetup: ['server/testing/global-setup.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // A busy machine may starve a test once, and the report says when; what fails twice is broken.
    retry: 1,
    pool: 'forks',
    maxWorkers: 2,
    projects: [
      {
        extends: true,
        test: {
          name: 'server',
          include: ['server/**/*.test.ts', 'workers/**/*.test.ts', 'prisma/**/*.test.ts'],
          // Loading the server anew takes longer than most files take to test it.
          isolate: false,
        },
      },
      {
        extends: true,
        test: { name: 'web', include: ['web/**/*.test.{ts,tsx}'], globalSetup: [] },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          include: ['e2e/*.test.ts', 'e2e/live/*.test.ts'],
          ...patient,
        },
      },
      {
        extends: true,
        test: {
          name: 'faults',
          include: ['e2e/faults/*.test.ts'],
          ...patient,
          // What is broken on purpose and timed has the machine to itself.
          fileParallelism: false,
        },
      },
    ],
  },
});
