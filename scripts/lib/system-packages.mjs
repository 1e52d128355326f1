import { spawnSync } from 'node:child_process';
import { say } from './output.mjs';
import { findOnPath, runQuietly } from './processes.mjs';

/** The words before a command that make root of us: none for root, sudo where it asks nothing, else null. */
function rootPrefix() {
  if (process.getuid?.() === 0) return [];
  const sudo = findOnPath('sudo');
  return sudo && spawnSync(sudo, ['-n', 'true']).status === 0 ? [sudo, '-n'] : null;
}

/** True when a system package can be installed without asking anybody: apt-get, and root or passwordless sudo. */
export function canInstall() {
  return findOnPath('apt-get') !== null && rootPrefix() !== null;
}

/** Runs a command as root, its output shown only if it fails: a `Refusal` that begins with `complaint`. */
export async function runAsRoot(command, complaint) {
  const [program, ...args] = [
    ...rootPrefix(),
    'env',
    'DEBIAN_FRONTEND=noninteractive',
    // A bare environment may lack the folders of the system's own tools, which dpkg insists on.
    `PATH=${process.env.PATH ?? ''}:/usr/local/sbin:/usr/sbin:/sbin:/usr/bin:/bin`,
    ...command,
  ];
  await runQuietly(program, args, complaint);
}

/** Installs one Debian package. Throws a `Refusal` when the package manager fails. */
export async function installPackage(name) {
  const patience = ['-o', 'DPkg::Lock::Timeout=300', '-o', 'Acquire::Retries=3'];
  say(`Installing the system package ${name} …`);
  await runAsRoot(['apt-get', 'update', ...patience], 'The system packages could not be listed:');
  await runAsRoot(
    ['apt-get', 'install', '-y', '--no-install-recommends', ...patience, name],
    `The system package ${name} could not be installed:`,
  );
}
