import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './lib/run.mjs';
import { root } from './lib/settings.mjs';

/*
 * Checks that no file is too long, and that no page has a number field, which browsers read by their own language
 * instead of the market's.
 */
const TOP = 'contract prisma server workers web demo e2e bench scripts testing'.split(' ');
const LINES_MAX = 400;
/** Generated, or applied to databases already: not ours to split. */
const IS_FIXED = /^prisma\/(generated|migrations)\//;
const IS_TEST = /\.test\.|\/testing\//;
/** As an attribute in JSX, a property, or an argument of `setAttribute`. */
const NUMBER_FIELD = /\btype['"]?\s*[=:,]\s*\{?\s*['"`]number['"`]/;

const files = TOP.flatMap((top) =>
  readdirSync(join(root, top), { recursive: true }).map((name) => `${top}/${name}`),
).filter((file) => /\.(tsx?|mjs|css|sql)$/.test(file) && !IS_FIXED.test(file));

const faults = [];
for (const file of files) {
  const text = readFileSync(join(root, file), 'utf8');
  const lines = text.split('\n').length - 1;
  if (lines > LINES_MAX) faults.push(`${file} has ${lines} lines; ${LINES_MAX} are the limit.`);
  if (IS_TEST.test(file)) continue;
  if (file.startsWith('web/') && NUMBER_FIELD.test(text))
    faults.push(`${file} has a number field; use NumberInput or NumberField.`);
}

await run(() => {
  for (const fault of faults) process.stderr.write(`${fault}\n`);
  return faults.length === 0 ? 0 : 1;
});
