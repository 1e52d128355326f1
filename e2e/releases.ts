import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, readFile, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';

export type Releases = Awaited<ReturnType<typeof buildReleases>>;

/** What the second release says on the page About, in the place of the first word of the first. */
export const SECOND_WORD = 'Connect anew';

/** Changes one word of one page: the names of nearly all files follow from it. */
const changeAbout = `(code, id) =>
  id.endsWith('/AboutPage.tsx') ? code.replace("'Connect'", "'${SECOND_WORD}'") : null`;

const changedConfig = (config: string, transform: string) => `
import { mergeConfig } from 'vite';
import config from '../../../${config}';
const changed = { name: 'changed', enforce: 'pre', transform: ${transform} };
export default mergeConfig(config, { plugins: [changed] });
`;

/**
 * Builds a part of the client, its modules changed by `transform`, the source of a function, from a configuration in
 * `folder`, which lies in `dist/releases`. @throws with the output of the build
 */
export async function buildChanged(
  folder: string,
  config: string,
  to: string,
  transform: string,
): Promise<void> {
  const file = path.join(folder, config);
  await writeFile(file, changedConfig(config, transform));
  const { NODE_ENV: _, ...env } = process.env;
  const args = ['node_modules/vite/bin/vite.js', 'build', '--config', file, '--outDir', to];
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`The build exited with ${code}: ${output}`);
}

/** Lays out two releases as `npm run build` does: the one that is built, and one whose client differs from it. */
export async function buildReleases() {
  // Within the project, whose packages the programs need, and where builds remove what was left behind.
  const folder = path.resolve(`dist/releases/testing-${process.pid}`);
  const [first, second] = ['first', 'second'].map((name) => path.join(folder, 'releases', name));
  if (!first || !second) throw new Error('There are two releases.');
  await rm(folder, { recursive: true, force: true });
  await mkdir(second, { recursive: true });
  const built = await realpath('dist/current');
  await Promise.all([
    cp(built, first, { recursive: true }),
    cp(path.join(built, 'server'), path.join(second, 'server'), { recursive: true }),
    buildChanged(folder, 'vite.config.ts', path.join(second, 'web'), changeAbout),
    buildChanged(folder, 'vite.pages.config.ts', path.join(second, 'pages'), changeAbout),
  ]);

  /** Returns the script that names a release. */
  async function nameOf(release: string): Promise<string> {
    const html = await readFile(path.join(release, 'web/index.html'), 'utf8');
    const scripts = Array.from(
      html.matchAll(/<script type="module"[^>]* src="([^"]+)"/g),
      ([, address = '']) => address,
    );
    return scripts.at(-1) ?? '';
  }
  /** Makes a release the one that is started next, as the end of a build does. */
  async function switchTo(release: string): Promise<void> {
    await symlink(release, path.join(folder, 'next'));
    await rename(path.join(folder, 'next'), path.join(folder, 'current'));
  }
  await switchTo(first);
  return {
    first: { folder: first, name: await nameOf(first) },
    second: { folder: second, name: await nameOf(second) },
    /** The programs that are started next. */
    programs: path.join(folder, 'current/server'),
    switchTo,
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
