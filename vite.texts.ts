import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync } from 'oxc-parser';
import type { Plugin } from 'vite';
import { isRendered, PAGES } from './contract/edge/constants.ts';
import { keyOf } from './contract/platform/text/constants/catalogue.ts';
import { fileOf } from './scripts/lib/texts/catalogues.ts';
import { textsOf } from './scripts/lib/texts/sources.ts';
import { parseCatalogue } from './server/platform/market/catalogues.ts';

/** As `web/platform/format/catalogues.ts` asks for them. */
const CATALOGUE = /\/locales\/([\w-]+)\.po\?(?:import&)?(forAll|forOthers|forOffer)$/;

/** The files of ours that a file imports when it is loaded; and later, with `import()`. */
function importsOf(file: string): { first: string[]; later: string[] } {
  const source = readFileSync(file, 'utf8');
  const { module } = parseSync(file, source);
  const resolve = (name: string | undefined): string[] => {
    if (name === undefined || !/^(\.|#contract\/)/.test(name)) return [];
    const found = name.startsWith('#')
      ? `${name.slice(1)}.ts`
      : path.join(path.dirname(file), name);
    return /\.tsx?$/.test(found) && existsSync(found) ? [found] : [];
  };
  const first = [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.map(({ moduleRequest }) => moduleRequest?.value),
    ),
  ];
  const later = module.dynamicImports.map(({ moduleRequest: { start, end } }) =>
    source.slice(start + 1, end - 1),
  );
  return { first: first.flatMap(resolve), later: later.flatMap(resolve) };
}

/** Returns the files that these load, themselves included. */
function reachable(entries: readonly string[], withLater: boolean): Set<string> {
  const found = new Set(entries);
  for (const file of found) {
    const { first, later } = importsOf(file);
    for (const each of [...first, ...(withLater ? later : [])]) found.add(each);
  }
  return found;
}

/** The keys of the texts that public pages have, and of all that the client has. */
function findKeys() {
  const pageFile = ([, file]: (typeof PAGES)[number]) => `web/pages/${file}`;
  const main = ['web/main.tsx', 'web/app/App.tsx'];
  const keysOf = (files: Iterable<string>) =>
    new Set(Array.from(files, (file) => textsOf(file).texts.map(({ text }) => keyOf(text))).flat());
  return {
    forAll: keysOf(reachable([...main, ...PAGES.filter(isRendered).map(pageFile)], false)),
    all: keysOf(reachable([...main, ...PAGES.map(pageFile)], true)),
    forOffer: keysOf(['web/app/frame/LanguageOffer.tsx']),
  };
}

/**
 * Gives the client the translations of its sentences, three files for each language: those of the pages that everybody
 * sees first, all others, and those with which it is offered.
 */
export function texts(): Plugin {
  let keys: ReturnType<typeof findKeys> | undefined;
  return {
    name: 'texts',
    load(id) {
      const [, language, part] = CATALOGUE.exec(id) ?? [];
      if (language === undefined) return null;
      this.addWatchFile(path.resolve(fileOf(language)));
      keys ??= findKeys();
      const { forAll, all, forOffer } = keys;
      const isOf = (key: string) => {
        if (part === 'forOthers') return all.has(key) && !forAll.has(key);
        return (part === 'forAll' ? forAll : forOffer).has(key);
      };
      const catalogue = Object.entries(parseCatalogue(readFileSync(fileOf(language)))).filter(
        ([key]) => isOf(key),
      );
      return `export default ${JSON.stringify(Object.fromEntries(catalogue))};`;
    },
  };
}
