import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { print, UserError } from './output.mjs';
import { findOnPath, runToEnd } from './processes.mjs';
import { root } from './settings.mjs';

const packagesOf = (file) => JSON.parse(readFileSync(join(root, file), 'utf8')).packages;

/**
 * Returns true when the installed packages match the lock file. Optional packages may differ, because each is
 * a build for one platform.
 */
function areInstalled() {
  if (!existsSync(join(root, 'node_modules/.package-lock.json'))) return false;
  const locked = packagesOf('package-lock.json');
  const installed = packagesOf('node_modules/.package-lock.json');
  return [...new Set([...Object.keys(locked), ...Object.keys(installed)])].every((path) => {
    const [one, other] = [locked[path], installed[path]];
    if (path === '' || one?.version === other?.version) return true;
    return (one ?? other).optional && !(one && other);
  });
}

/** Installs the npm packages when they are missing or not those of the lock file. */
export async function ensureDependencies() {
  if (areInstalled()) return;
  print('Installing the npm packages …');
  // npm passes its own path to scripts; npm may be missing from the PATH.
  const npm = process.env.npm_execpath?.endsWith('npm-cli.js') ? process.env.npm_execpath : null;
  const [program, ...first] = npm ? [process.execPath, npm] : [findOnPath('npm')];
  if (!program) throw new UserError('npm is not on the PATH: it comes with Node.js.');
  // `npm ci` rejects a lock file without the optional builds for every platform, and some registries lack
  // some of them; this installs the same versions and writes no lock file. `--include=dev` because the
  // build needs development packages, also when NODE_ENV is production.
  const args = [...first, 'install', '--no-save', '--include=dev', '--loglevel=error'];
  if ((await runToEnd(program, args, { cwd: root })) !== 0) {
    throw new UserError('The npm packages could not be installed; see the output of npm above.');
  }
}
