import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Plugin, Rolldown } from 'vite';
import { workerPatterns } from './vite.pages.ts';

/** What the service worker knows of a build. */
interface Build {
  id: string;
  /** The path of a script that each page of this build has, and of no other. */
  entry: string;
  /** Files whose names stay the same. */
  fixed: string[];
  /** What every page needs. */
  first: string[];
  /** Everything else, but for translations. */
  rest: string[];
  /** The files of translations, by the tags of their languages. */
  catalogues: Record<string, string[]>;
  patterns: typeof workerPatterns;
}

/** The line of the worker that the build replaces. */
const PLACE = 'const BUILD = null;';
const FIXED = ['/first-paint.js', '/favicon.svg', '/placeholder.svg'];
/** Letters that few names need are fetched when they are seen. */
const RARE_FONT = /latin-ext|cyrillic|greek|vietnamese/;

/**
 * Tells the service worker what the build has made, and the client in which format reads are kept. Workbox would do the
 * first with a runtime ten times the size of our worker, which also shows push messages.
 */
export function offline(): Plugin[] {
  return [
    {
      name: 'kept-format',
      config: ({ root = '.' }) => ({
        define: {
          'import.meta.env.KEPT_FORMAT': JSON.stringify(keptFormat(path.resolve(root, '..'))),
        },
      }),
    },
    {
      name: 'service-worker',
      apply: 'build',
      writeBundle({ dir = '' }, bundle) {
        const file = path.join(dir, 'sw.js');
        const worker = readFileSync(file, 'utf8');
        if (!worker.includes(PLACE)) this.error(`${file} has no line "${PLACE}".`);
        const build = buildOf(bundle, (name) => readFileSync(path.join(dir, name)));
        writeFileSync(
          file,
          worker.replace(PLACE, () => `const BUILD = ${JSON.stringify(build)};`),
        );
      },
    },
  ];
}

function buildOf(bundle: Rolldown.OutputBundle, read: (name: string) => Buffer): Build {
  const outputs = Object.values(bundle);
  const chunks = new Map(
    outputs.flatMap((output) => (output.type === 'chunk' ? [[output.fileName, output]] : [])),
  );
  const scripts = `${read('index.html')}`.matchAll(/<script[^>]* src="\/(assets\/[^"]+\.js)"/g);
  const needed = new Set(Array.from(scripts, ([, name = '']) => name));
  const entry = [...needed].at(-1);
  if (!entry || !chunks.has(entry)) throw new Error('index.html names no script of the build.');
  for (const name of needed) for (const next of chunks.get(name)?.imports ?? []) needed.add(next);

  const names = outputs
    .map(({ fileName }) => fileName)
    .filter((name) => /\.(js|css|woff2|svg)$/.test(name) && !RARE_FONT.test(name))
    .sort();
  const toPath = (name: string) => `/${name}`;
  const languageOf = (name: string): string | undefined =>
    chunks
      .get(name)
      ?.moduleIds.map((id) => /\/locales\/([\w-]+)\.po\?/.exec(id)?.[1])
      .find((language) => language !== undefined);
  const catalogues: Build['catalogues'] = {};
  for (const name of names) {
    const language = languageOf(name);
    if (language !== undefined) {
      catalogues[language] = [...(catalogues[language] ?? []), toPath(name)];
    }
  }
  const isFirst = (name: string) => needed.has(name) || /\.(css|woff2|svg)$/.test(name);
  const id = createHash('sha256');
  for (const name of ['index.html', ...FIXED.map((fixed) => fixed.slice(1))]) id.update(read(name));
  // The other names change with their content.
  id.update(names.join());
  return {
    id: id.digest('hex').slice(0, 12),
    entry: toPath(entry),
    fixed: FIXED,
    first: names.filter(isFirst).map(toPath),
    rest: names.filter((name) => !isFirst(name) && !languageOf(name)).map(toPath),
    catalogues,
    patterns: workerPatterns,
  };
}

/**
 * Returns a name for the shape of what is kept. It changes with everything that decides on it, so that nobody has to
 * remember a version, and is the same for all builds in between.
 */
function keptFormat(root: string): string {
  const hash = createHash('sha256');
  for (const folder of ['contract', 'web']) {
    const names = readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' });
    for (const name of names.sort()) {
      const decides =
        folder === 'contract'
          ? /\.ts$/.test(name) && !name.startsWith('edge/')
          : /(^|\/)(keys|queries|merge)\.ts$|kept-reads.*\.ts$/.test(name);
      if (!decides || /\.test\.ts$/.test(name)) continue;
      hash.update(`${name}\0`).update(readFileSync(path.join(root, folder, name)));
    }
  }
  return hash.digest('hex').slice(0, 16);
}
