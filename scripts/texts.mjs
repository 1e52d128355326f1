import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { keyOf } from '../contract/platform/text/constants/catalogue.ts';
import { print } from './lib/output.mjs';
import { run } from './lib/run.mjs';
import { root } from './lib/settings.mjs';
import {
  faultOf,
  fileOf,
  languages,
  mistranslation,
  readFile,
  splitMeaning,
  updated,
} from './lib/texts/catalogues.ts';
import { glossaryFaults } from './lib/texts/glossary.ts';
import { textsOf } from './lib/texts/sources.ts';

/*
 * `npm run texts` brings the files of translations in step with the sources and says what is missing. With `--check`, as
 * `npm run check` calls it, it changes nothing, and refuses what cannot be written or translated.
 */

const TREES = ['contract', 'server', 'web', 'workers'];
/** How many bare sentences each file still has. It may only lose some. */
const BARE = join(root, 'scripts/bare-texts.json');
/** So many sentences of a file are named. */
const NAMED_MAX = 8;

const files = TREES.flatMap((top) =>
  readdirSync(join(root, top), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .filter((file) => !/\.test\.|\/testing\//.test(file)),
).sort();

const isCheck = process.argv.includes('--check');
const faults = [];
/** From each text to the files that have it. */
const texts = new Map();
/** From each file to its bare sentences. */
const bareOf = new Map();
for (const file of files) {
  const { texts: all, unread, early, glued, bare } = textsOf(file);
  for (const { text, line } of all) {
    const fault = faultOf(splitMeaning(text).text);
    if (fault) faults.push(`${file}:${line} “${text}” ${fault}.`);
    const known = texts.get(text) ?? [];
    if (!known.includes(file)) known.push(file);
    texts.set(text, known);
  }
  for (const { text, line } of unread)
    faults.push(`${file}:${line} ${text}(…) takes a text that stands there, so that it is found.`);
  for (const { text, line } of early)
    faults.push(
      `${file}:${line} ${text} writes before anybody reads: msg(…), and write it where it is shown.`,
    );
  for (const { text, line } of glued)
    faults.push(
      `${file}:${line} ${text} is glued of parts: a whole sentence for each case, by plural, select and listOf.`,
    );
  if (bare.length > 0) bareOf.set(file, bare);
}

const byKey = new Map();
for (const text of texts.keys()) {
  const other = byKey.get(keyOf(text));
  if (other) faults.push(`“${text}” and “${other}” have the same key; change one of them.`);
  byKey.set(keyOf(text), text);
}

const allowed = JSON.parse(readFileSync(BARE, 'utf8'));
let isMore = false;
for (const [file, bare] of bareOf) {
  if (bare.length <= (allowed[file] ?? 0)) continue;
  isMore = true;
  const named = bare.slice(-NAMED_MAX).map(({ text, line }) => `  ${file}:${line} ${text}`);
  faults.push(
    `${file} has ${bare.length} sentences that nobody reads in another language; ${allowed[file] ?? 0} are allowed. Write them by t, msg or rich:\n${named.join('\n')}`,
  );
}
const left = Object.fromEntries(Array.from(bareOf, ([file, { length }]) => [file, length]));
const bareFile = `${JSON.stringify(left, null, 2)}\n`;

const missing = [];
for (const language of languages()) {
  const next = updated(language, texts);
  if (isCheck && next !== readFileSync(fileOf(language), 'utf8'))
    faults.push(`locales/${language}.po is not in step with the sources: npm run texts.`);
  if (!isCheck) writeFileSync(fileOf(language), next);
  const { translations } = readFile(language);
  let count = 0;
  for (const text of texts.keys()) {
    const { meaning, text: own } = splitMeaning(text);
    const translated = translations[meaning]?.[own]?.msgstr[0];
    if (!translated) {
      count++;
      continue;
    }
    const fault = mistranslation(own, translated);
    for (const each of fault ? [fault] : glossaryFaults(language, own, translated))
      faults.push(`locales/${language}.po: the translation of “${text}” ${each}.`);
  }
  missing.push(`${language} lacks ${count}`);
}

await run(() => {
  if (!isCheck && !isMore) writeFileSync(BARE, bareFile);
  else if (isCheck && bareFile !== readFileSync(BARE, 'utf8') && faults.length === 0)
    faults.push('scripts/bare-texts.json allows more than there is: npm run texts.');
  for (const fault of faults) process.stderr.write(`${fault}\n`);
  if (!isCheck) print(`${texts.size} texts; ${missing.join('; ')}.`);
  return faults.length === 0 ? 0 : 1;
});
