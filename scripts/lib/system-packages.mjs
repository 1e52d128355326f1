import { spawnSync } from 'node:child_process';
import { say } from './output.mjs';
import { findOnPath, runQuietly } from './processes.mjs';

const isRoot = process.getuid?.() === 0;

/** The words before a command that make root of us: none for root, sudo where it asks nothing, else null. */
function rootPrefix() {
  if (isRoot) return [];
  const sudo = findOnPath('sudo');
  return sudo && spawnSync(sudo, ['-n', 'true']).status === 0 ? [sudo, '-n'] : null;
}

/** True when a system package can be installed without asking anybody: apt-get, and root or passwordless sudo. */
export function canInstall() {
  return findOnPath('apt-get') !== null && rootPrefix() !== null;
}

/** Runs a command as root, its output hidden unless it fails. Throws a `Refusal` that begins with `complaint`. */
export function runAsRoot(command, complaint) {
  const [program, ...args] = [
    ...rootPrefix(),
    'env',
    'DEBIAN_FRONTEND=noninteractive',
    // Without a login environment the folders of the system's own tools may be missing, which dpkg refuses.
    `PATH=${process.env.PATH ?? ''}:/usr/local/sbin:/usr/sbin:/sbin:/usr/bin:/bin`,
    ...command,
  ];
  return runQuietly(program, args, complaint);
}

/** Installs one Debian package. Throws a `Refusal` when the package manager fails. */
export function installPackage(name) {
  const wait = ['-o', 'DPkg::Lock::Timeout=300', '-o', 'Acquire::Retries=3'];
  say(`Installing the system package ${name} (apt-get) …`);
  runAsRoot(['apt-get', 'update', ...wait], 'apt-get could not read its package lists:');
  runAsRoot(
    ['apt-get', 'install', '-y', '--no-install-recommends', ...wait, name],
    `apt-get could not install ${name}:`,
  );
}
