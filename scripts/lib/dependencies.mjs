import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Refusal, say } from './output.mjs';
import { findOnPath, runToEnd } from './processes.mjs';
import { root } from './settings.mjs';

const packagesOf = (file) => JSON.parse(readFileSync(join(root, file), 'utf8')).packages;

/**
 * True when what npm noted of its last install is what the lock file asks for. Optional packages may
 * differ: they are the builds for one kind of machine each.
 */
function areInstalled() {
  if (!existsSync(join(root, 'node_modules/.package-lock.json'))) return false;
  const wanted = packagesOf('package-lock.json');
  const present = packagesOf('node_modules/.package-lock.json');
  return [...new Set([...Object.keys(wanted), ...Object.keys(present)])].every((path) => {
    const [one, other] = [wanted[path], present[path]];
    if (path === '' || one?.version === other?.version) return true;
    return (one ?? other).optional && !(one && other);
  });
}

/** Installs the npm packages when they are missing or not those of the lock file. */
export async function ensureDependencies() {
  if (areInstalled()) return;
  say('Installing the npm packages …');
  // The npm that started us knows its own place; a program of that name may be missing from the PATH.
  const npm = process.env.npm_execpath?.endsWith('npm-cli.js') ? process.env.npm_execpath : null;
  const [program, ...first] = npm ? [process.execPath, npm] : [findOnPath('npm')];
  if (!program) throw new Refusal('npm is not on the PATH: it comes with Node.js.');
  // `npm ci` refuses a lock file that does not list the optional builds for every other kind of machine,
  // and some registries do not carry them all; this installs the same versions and writes no lock file.
  // Production would leave out the packages that build the web client, so they are asked for.
  const args = [...first, 'install', '--no-save', '--include=dev', '--loglevel=error'];
  if ((await runToEnd(program, args, { cwd: root })) !== 0) {
    throw new Refusal('The npm packages could not be installed: npm says above why.');
  }
}
