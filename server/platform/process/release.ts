import { readFileSync, utimesSync } from 'node:fs';
import path from 'node:path';

export const isFromSources: boolean = import.meta.url.endsWith('.ts');

/**
 * The folder of the release that this process runs, with `server`, `web` and `pages`. A newer build leaves it as it is
 * and changes only what `dist` names: scripts/lib/build.mjs.
 */
export const RELEASE_FOLDER: string = isFromSources
  ? path.resolve('dist')
  : import.meta.dirname.replace(/\/server(\/assets)?$/, '');

const SCRIPTS = /<script type="module"[^>]* src="(\/assets\/[^"]+\.js)"/g;

/**
 * The name of the web client's release: the address of the last script of its pages, which changes with every file of
 * the client. Undefined where the client is not built.
 */
export const RELEASE: string | undefined = readRelease();

function readRelease(): string | undefined {
  // In development Vite serves the client, whatever was built.
  if (isFromSources && process.env.NODE_ENV !== 'test') return undefined;
  try {
    const html = readFileSync(path.join(RELEASE_FOLDER, 'web/index.html'), 'utf8');
    return Array.from(html.matchAll(SCRIPTS), ([, address]) => address).at(-1);
  } catch {
    return undefined;
  }
}

const MARK_INTERVAL_MS = 3_600_000;

/** Marks the release as used, now and each hour, so that no build removes it while this process runs. */
export function keepRelease(): void {
  const mark = () => {
    try {
      utimesSync(RELEASE_FOLDER, new Date(), new Date());
    } catch {
      // It cannot be written, so no build removes it either.
    }
  };
  mark();
  setInterval(mark, MARK_INTERVAL_MS).unref();
}
