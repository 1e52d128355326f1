import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { run } from './lib/run.mjs';
import { root } from './lib/settings.mjs';

/*
 * Checks that no file is too long, that no rooms import each other in a circle, types included, and that
 * no page has a number field, which browsers read by their own language instead of the market's.
 * A room is a folder, such as `server/orders` or `bench`. It is ours because Biome finds cycles of
 * files only, and dependency-cruiser needs a newer Node than we support, knows TypeScript up to 6 and
 * cannot set the pages of web, which compose the features, apart from the folders they lie in.
 */
const TOP = 'contract prisma server workers web demo e2e bench scripts testing'.split(' ');
/** Of these, each folder inside is a room. */
const WITH_ROOMS = ['server', 'workers', 'web'];
const LINES_MAX = 400;
/** Generated, or applied to databases already: not ours to split. */
const IS_FIXED = /^prisma\/(generated|migrations)\//;
const IS_TEST = /\.test\.|\/testing\//;
/** As an attribute in JSX, a property, or an argument of `setAttribute`. */
const NUMBER_FIELD = /\btype['"]?\s*[=:,]\s*\{?\s*['"`]number['"`]/;
/** Biome writes every import with single quotes; `import('…')` of values and types is found too. */
const IMPORT = /\b(?:from|import)[\s(]*'((?:\.|#contract\/)[^']+)'/g;

function roomOf(file) {
  const [top, folder, ...rest] = file.split('/');
  if (/^web\/.*Page\.tsx$/.test(file)) return 'the pages of web';
  if (file.startsWith('contract/constants/')) return 'contract/constants';
  return WITH_ROOMS.includes(top) && rest.length > 0 ? `${top}/${folder}` : top;
}

const files = TOP.flatMap((top) =>
  readdirSync(join(root, top), { recursive: true }).map((name) => `${top}/${name}`),
).filter((file) => /\.(tsx?|mjs|css|sql)$/.test(file) && !IS_FIXED.test(file));

/** From room to room: the first import that leads there. */
const imports = new Map();
const faults = [];
for (const file of files) {
  const text = readFileSync(join(root, file), 'utf8');
  const lines = text.split('\n').length - 1;
  if (lines > LINES_MAX) faults.push(`${file} has ${lines} lines; ${LINES_MAX} are the limit.`);
  if (IS_TEST.test(file)) continue;
  if (file.startsWith('web/') && NUMBER_FIELD.test(text))
    faults.push(`${file} has a number field; use NumberInput or NumberField.`);
  for (const [, name] of text.matchAll(IMPORT)) {
    const target = name.startsWith('#') ? name.slice(1) : join(dirname(file), name);
    const [from, to] = [roomOf(file), roomOf(target)];
    if (from === to || IS_TEST.test(target)) continue;
    if (!imports.has(from)) imports.set(from, new Map());
    if (!imports.get(from).has(to)) imports.get(from).set(to, `${file} imports ${target}`);
  }
}

/** The shortest way from one room to another, both included; undefined when there is none. */
function findPath(goal, start) {
  const paths = [[start]];
  const seen = new Set([start]);
  for (const path of paths) {
    if (path.at(-1) === goal) return path;
    for (const next of imports.get(path.at(-1))?.keys() ?? []) {
      if (!seen.has(next)) paths.push([...path, next]);
      seen.add(next);
    }
  }
  return undefined;
}

const reported = new Set();
for (const [from, targets] of imports) {
  for (const to of targets.keys()) {
    const cycle = findPath(from, to);
    const name = cycle?.toSorted().join();
    if (!cycle || reported.has(name)) continue;
    reported.add(name);
    const links = cycle.map((room, at) => `\n  ${imports.get(cycle.at(at - 1)).get(room)}`);
    faults.push(`Rooms import each other in a cycle: ${cycle.join(', ')}${links.join('')}`);
  }
}

await run(() => {
  for (const fault of faults) process.stderr.write(`${fault}\n`);
  return faults.length === 0 ? 0 : 1;
});
