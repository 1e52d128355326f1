import { run } from './lib/run.mjs';
import { runTests } from './lib/tests.mjs';

/**
 * `npm run test:ui`: looks at every page, menu and dialog in both widths and themes, with forced colours
 * and on a slow device. Longer than `npm test`, and no part of it. Arguments after `--` go to Vitest.
 */
await run(() => runTests(['--project', 'ui', ...process.argv.slice(2)], { UI_TESTS: '1' }));
