import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { run } from './lib/run.mjs';
import { root } from './lib/settings.mjs';
import { sidesIn } from './lib/sides.mjs';

/*
 * Checks how the house is built: what may import what, that no files import each other in a circle, types included,
 * how large files and folders are, and that no style names the left or the right side. It is ours because Biome knows no order of folders and overlooks circles of types.
 */

/** Each wing stands on those before it: a file imports from its own wing or from an earlier one. */
const WINGS = 'platform people farm catalogue ledger ordering money admin edge pages app'.split(
  ' ',
);
/** What has wings. Files directly in such a folder belong to `app`, which knows everything. */
const TREES = ['contract', 'server', 'web', 'workers'];
/** What each tree may import of ours, beside itself. */
const MAY_IMPORT = {
  contract: [],
  server: ['contract', 'prisma'],
  web: ['contract'],
  workers: ['contract', 'prisma', 'server'],
};
/** In `workers` the notifications have wings. */
const WINGS_OF_WORKERS = 'workers/notifications/';
/** What delivers notifications of every kind stands below all kinds. */
const ENGINE = 'engine';

const OTHERS = 'prisma demo e2e bench scripts testing'.split(' ');
const LINES_MAX = 400;
/** A file of so few lines belongs to the one that needs it, unless it is one of the next. */
const SMALL_LINES = 25;
const MAY_BE_SMALL = [
  // What each feature has: a reader looks for it there.
  /\/(constants|queries|events)\.ts$/,
  /^contract\/\w+\/([\w-]+)\/\1\.ts$/,
  /Page\.tsx$/,
  // What features of a wing share, which know nothing of each other.
  /^web\/\w+\/model\//,
  // Entries.
  /^(prisma|scripts|server|workers)\/[\w-]+\.m?[jt]s$/,
];
const FILES_MAX = 25;
const FOLDERS_MAX = 12;
const SMALL_FILES = new Set([
  // What builds load by this name.
  'contract/platform/http/zod.ts',
  'web/platform/jsx/jsx-dev-runtime.ts',
  // They keep code out of the scripts of the first page.
  'contract/catalogue/products/constants/allergens.ts',
  'contract/platform/text/constants/catalogue.ts',
  'web/admin/moderation/report-words.ts',
  'web/app/frame/OpenQuestions.tsx',
  'web/app/use-logout.ts',
  'web/farm/farmers/OffMarketNotice.tsx',
  'web/ordering/orders/lists/HomeOrdersSkeleton.tsx',
  'web/platform/api/report-later.ts',
  'web/platform/hooks/history-guard.ts',
]);
/** Generated, or applied to databases already: not ours to split. */
const IS_FIXED = /^prisma\/(generated|migrations)\//;
const IS_TEST = /\.test\.|\/testing\//;
const IS_CONSTANTS = /^contract\/.*(^|\/)constants(\/|\.ts$)/;
/** As an attribute in JSX, a property, or an argument of `setAttribute`. */
const NUMBER_FIELD = /\btype['"]?\s*[=:,]\s*\{?\s*['"`]number['"`]/;
/** Biome writes every import with single quotes; `import('…')` of values and types is found too. */
const IMPORT = /\b(?:from|import)[\s(]*'((?:\.|#contract\/)[^']+)'/g;

const treeOf = (file) => file.split('/', 1)[0];

function wingOf(file) {
  if (file.startsWith('workers/')) {
    const [wing, rest] = file.slice(WINGS_OF_WORKERS.length).split('/');
    if (file.startsWith('workers/delivery/')) return 'platform';
    if (!file.startsWith(WINGS_OF_WORKERS) || rest === undefined) return 'app';
    return wing === ENGINE ? 'people' : wing;
  }
  const [, wing, rest] = file.split('/');
  return rest === undefined ? 'app' : wing;
}

const isToBeFolded = (file) =>
  TREES.includes(treeOf(file)) &&
  !SMALL_FILES.has(file) &&
  !MAY_BE_SMALL.some((pattern) => pattern.test(file));

/** A feature of the client, such as `ordering/cart`; what its wing shares is in `model`. */
function featureOf(file) {
  const [tree, wing, feature, rest] = file.split('/');
  const composes = ['platform', 'pages', 'app'].includes(wing);
  return tree === 'web' && !composes && rest !== undefined ? `${wing}/${feature}` : undefined;
}

/** Why a file may not import another one; undefined if it may. */
function refusalOf(file, target) {
  const [tree, other] = [treeOf(file), treeOf(target)];
  if (!TREES.includes(tree)) return undefined;
  if (other !== tree && !MAY_IMPORT[tree].includes(other)) return `${tree} knows no ${other}`;
  if (!TREES.includes(other)) return undefined;
  if (IS_CONSTANTS.test(file) && !IS_CONSTANTS.test(target))
    return 'constants load constants alone';
  const [wing, earlier] = [wingOf(file), wingOf(target)];
  if (WINGS.indexOf(earlier) > WINGS.indexOf(wing)) return `${earlier} stands on ${wing}`;
  const [feature, used] = [featureOf(file), featureOf(target)];
  if (feature !== undefined && used !== undefined && feature !== used && !used.endsWith('/model'))
    return 'features do not know each other, pages compose them';
  return undefined;
}

const faults = [];
const files = [...TREES, ...OTHERS].flatMap((top) =>
  readdirSync(join(root, top), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1)),
);
const sources = files.filter(
  (file) => /\.(tsx?|m?js|css|html|sql)$/.test(file) && !IS_FIXED.test(file),
);

/** From a file to those it imports. */
const imports = new Map();
for (const file of sources) {
  const text = readFileSync(join(root, file), 'utf8');
  const lines = text.split('\n').length - 1;
  if (lines > LINES_MAX) faults.push(`${file} has ${lines} lines; ${LINES_MAX} are the limit.`);
  if (IS_TEST.test(file)) continue;
  if (lines <= SMALL_LINES && isToBeFolded(file))
    faults.push(`${file} has ${lines} lines; fold it into the file that needs it.`);
  if (file.startsWith('web/') && NUMBER_FIELD.test(text))
    faults.push(`${file} has a number field; use NumberInput or NumberField.`);
  for (const side of sidesIn(file, text))
    faults.push(`${file} names a side: ${side}; use the start or the end (ms-, pe-, inset-s-, …).`);
  if (
    /^(contract|web)\//.test(file) &&
    file !== 'contract/platform/http/zod.ts' &&
    /from 'zod/.test(text)
  )
    faults.push(`${file} imports zod; it comes from #contract/platform/http/zod.`);
  const targets = [...text.matchAll(IMPORT)]
    .map(([, name]) => (name.startsWith('#') ? `${name.slice(1)}.ts` : join(dirname(file), name)))
    .filter((target) => !IS_TEST.test(target) && existsSync(join(root, target)));
  imports.set(file, targets);
  for (const target of targets) {
    const refusal = refusalOf(file, target);
    if (refusal) faults.push(`${file} imports ${target}: ${refusal}.`);
  }
}

/** Files that no circle passes, found once each: what they import leads nowhere back. */
const isDone = new Set();
function visit(file, path) {
  if (isDone.has(file)) return;
  const at = path.indexOf(file);
  if (at >= 0) {
    const circle = [...path.slice(at), file];
    faults.push(`Files import each other in a circle:\n  ${circle.join('\n  ')}`);
    return;
  }
  for (const target of imports.get(file) ?? []) visit(target, [...path, file]);
  isDone.add(file);
}
for (const file of imports.keys()) visit(file, []);

const inside = new Map();
for (const file of files.filter((name) => TREES.includes(treeOf(name)))) {
  for (
    let [entry, isFile] = [file, true];
    entry.includes('/');
    entry = dirname(entry), isFile = false
  ) {
    const folder = dirname(entry);
    if (!inside.has(folder)) inside.set(folder, { files: new Set(), folders: new Set() });
    inside.get(folder)[isFile ? 'files' : 'folders'].add(entry);
  }
}
for (const [folder, { files: held, folders }] of inside) {
  if (held.size > FILES_MAX)
    faults.push(`${folder} has ${held.size} files; ${FILES_MAX} are the limit.`);
  if (folders.size > FOLDERS_MAX)
    faults.push(`${folder} has ${folders.size} folders; ${FOLDERS_MAX} are the limit.`);
}

await run(() => {
  for (const fault of faults) process.stderr.write(`${fault}\n`);
  return faults.length === 0 ? 0 : 1;
});
