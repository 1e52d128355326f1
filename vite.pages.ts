import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Plugin } from 'vite';
import { isRendered, MISSING, PAGES, patternOf, SERVER_PATHS } from './contract/edge/constants.ts';

const CLIENT_PAGES = path.resolve('web/app/client-pages.ts');

/** Writes out what that file makes of the table of pages: every visitor would load the name of each file twice. */
const clientPages: Plugin = {
  name: 'client-pages',
  apply: 'build',
  load(id) {
    if (id !== CLIENT_PAGES) return null;
    const pages = PAGES.map(([address, file, guard, title, ...rest]) => {
      const load = `() => import('../pages/${file}')`;
      const others = [guard, title?.text ?? '', ...rest].map((each) => JSON.stringify(each));
      return `[${[JSON.stringify(address), load, ...others]}]`;
    });
    return `export const clientPages = [${pages}];`;
  },
};

/** The script of the first paint, with the addresses of each shape but `rows`, and without its comments. */
export function firstPaintScript(): string {
  const shapes = new Set(PAGES.flatMap(([, , , , options]) => options?.shape ?? []));
  const patterns = Array.from(shapes, (shape) => [
    shape,
    patternOf(PAGES.filter(([, , , , options]) => options?.shape === shape)),
  ]);
  const script = readFileSync(path.resolve('web/public/first-paint.js'), 'utf8');
  return script
    .replace('SHAPES = []', () => `SHAPES = ${JSON.stringify(patterns)}`)
    .replace(/^\s*\/\/.*\n/gm, '');
}

const firstPaint: Plugin = {
  name: 'first-paint',
  configureServer({ middlewares }) {
    middlewares.use('/first-paint.js', (_, response) => {
      response.setHeader('Content-Type', 'text/javascript').end(firstPaintScript());
    });
  },
  writeBundle: {
    // The service worker is told of it as it is served.
    order: 'pre',
    handler({ dir = '' }) {
      writeFileSync(path.join(dir, 'first-paint.js'), firstPaintScript());
    },
  },
};

/** Gives the client and its first paint what they need of the table of pages. */
export const pages: Plugin[] = [clientPages, firstPaint];

const others = PAGES.filter(([, , guard]) => guard !== 'public');

/** What may stand before the path of a page: see contract/platform/text/constants/reader.ts. */
const LANGUAGE = '(/[a-z]{2,3}(-\\w+)?)?';

/** How the service worker tells addresses apart. */
export const workerPatterns = {
  servers: `^(${SERVER_PATHS.join('|')})(/|$)|\\.\\w+$`,
  shellAlone: `^${LANGUAGE}/(${[...new Set(others.map(([address]) => address.split('/')[1]))].join('|')})(/|$)`,
  everybodys: patternOf(PAGES.filter((page) => isRendered(page) && page[0] !== MISSING)).replace(
    '^',
    `^${LANGUAGE}`,
  ),
};
