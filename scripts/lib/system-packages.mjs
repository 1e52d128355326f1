import { spawnSync } from 'node:child_process';
import { print } from './output.mjs';
import { findOnPath, runQuietly } from './processes.mjs';

/** Returns the command prefix for root rights: none for root, sudo if it needs no password, else null. */
function rootPrefix() {
  if (process.getuid?.() === 0) return [];
  const sudo = findOnPath('sudo');
  return sudo && spawnSync(sudo, ['-n', 'true']).status === 0 ? [sudo, '-n'] : null;
}

/** Returns true when system packages can be installed without a password: apt-get, and root or sudo. */
export function canInstall() {
  return findOnPath('apt-get') !== null && rootPrefix() !== null;
}

/** Runs a command as root, output hidden. Throws a `UserError` that begins with `complaint` when it fails. */
export async function runAsRoot(command, complaint) {
  const [program, ...args] = [
    ...rootPrefix(),
    'env',
    'DEBIAN_FRONTEND=noninteractive',
    // dpkg requires the folders of system tools, which a minimal environment may lack.
    `PATH=${process.env.PATH ?? ''}:/usr/local/sbin:/usr/sbin:/sbin:/usr/bin:/bin`,
    ...command,
  ];
  await runQuietly(program, args, complaint);
}

/** Installs one Debian package. Throws a `UserError` when the package manager fails. */
export async function installPackage(name) {
  const waitOptions = ['-o', 'DPkg::Lock::Timeout=300', '-o', 'Acquire::Retries=3'];
  print(`Installing the system package ${name} …`);
  await runAsRoot(
    ['apt-get', 'update', ...waitOptions],
    'The system packages could not be listed:',
  );
  await runAsRoot(
    ['apt-get', 'install', '-y', '--no-install-recommends', ...waitOptions, name],
    `The system package ${name} could not be installed:`,
  );
}
