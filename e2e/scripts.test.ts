import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';

/** The most files of scripts that a screen may wait for, beside the few lines that draw its frame first. */
const FILES_MAX = 8;
/** What the quiet tab of a visitor may load, in bytes, gzipped. */
const FIRST_LOAD_MAX = 149_877;
/** What a reader of another language loads beside it before a public page shows, in bytes, gzipped. */
const CATALOGUE_MAX = 12_000;

/** The languages that there are translations for. */
const LANGUAGES = readdirSync('locales')
  .filter((file) => file.endsWith('.po'))
  .map((file) => path.basename(file, '.po'));

const FOLDER = 'dist/web/assets';
const files = readdirSync(FOLDER).filter((file) => file.endsWith('.js'));
const textOf = (file: string) => readFileSync(`${FOLDER}/${file}`, 'utf8');
const gzippedBytesOf = (file: string) => gzipSync(textOf(file), { level: 9 }).length;

/** The files that a file needs before it runs. */
const needs = new Map(
  files.map((file) => [
    file,
    Array.from(
      textOf(file).matchAll(/(?:from|import)\s*["'`]\.\/([^"'`]+\.js)["'`]/g),
      ([, name = '']) => name,
    ),
  ]),
);

/** The files with this name, without the hash that the build gives them. */
function named(name: string): string {
  const file = files.find((each) => each.replace(/-[\w-]{8}\.js$/, '') === name);
  if (!file) throw new Error(`The build has no file ${name}.`);
  return file;
}

/** These files and all that they need. */
function closureOf(...starts: string[]): Set<string> {
  const found = new Set(starts);
  for (const file of found) for (const next of needs.get(file) ?? []) found.add(next);
  return found;
}

const start = Array.from(
  readFileSync('dist/web/index.html', 'utf8').matchAll(/src="\/assets\/([^"]+\.js)"/g),
  ([, file = '']) => file,
);
const pages = files.filter((file) => /Page-/.test(file)).map((file) => file.replace(/-.*/, ''));

it('shows every page with few files of scripts, also within the frame of a signed-in person', () => {
  expect(pages).toContain('FarmerDashboardPage');
  const crowded = pages
    .map((page) => ({ page, files: closureOf(...start, named('frame'), named(page)) }))
    .filter((each) => each.files.size > FILES_MAX);
  expect(crowded).toEqual([]);
});

it('loads on the first page of a visitor no more than it needs', () => {
  const loaded = closureOf(...start, named('HomePage'), named('live'));
  for (const name of ['common', 'forms', 'frame', 'charts', 'kept-reads', 'worker']) {
    expect(loaded.has(named(name)), name).toBe(false);
  }
  const bytes = [...loaded].map(gzippedBytesOf).reduce((sum, each) => sum + each, 0);
  expect(bytes).toBeLessThan(FIRST_LOAD_MAX);
});

it('brings the choice of the language, which every page has, without the file of forms', () => {
  const [file = '', ...others] = files.filter((each) => textOf(each).includes('; samesite=lax'));
  expect(others).toEqual([]);
  expect(closureOf(file).has(named('forms'))).toBe(false);
});

it.each(LANGUAGES)(
  'loads for a public page in the language %s little more than its sentences',
  (language) => {
    const built: Record<string, { file: string }> = JSON.parse(
      readFileSync('dist/web/.vite/manifest.json', 'utf8'),
    );
    const { file = '' } = built[`../locales/${language}.po?forAll`] ?? {};
    expect(gzippedBytesOf(path.basename(file))).toBeLessThanOrEqual(CATALOGUE_MAX);
  },
);

it('has no two files that need each other', () => {
  const circular = files.filter((file) =>
    (needs.get(file) ?? []).some((next) => closureOf(next).has(file)),
  );
  expect(circular).toEqual([]);
});
