import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './settings.mjs';

/**
 * The browser tests that `npm test` runs: the main job, the flows of each role, and every page in one state. All others
 * take longer than everything else; `npm run test:rest` runs them, and so does CI.
 */
const MAIN = [
  'e2e/main-job.test.ts',
  'e2e/visitor.test.ts',
  'e2e/consumer.test.ts',
  'e2e/farmer.test.ts',
  'e2e/admin.test.ts',
  'e2e/pages.test.ts',
];

/** The browser tests that `npm test` leaves out, whatever is added to those folders. */
export const otherBrowserTests = () =>
  ['e2e', 'e2e/live']
    .flatMap((folder) => readdirSync(join(root, folder)).map((name) => `${folder}/${name}`))
    .filter((file) => file.endsWith('.test.ts') && !MAIN.includes(file));
