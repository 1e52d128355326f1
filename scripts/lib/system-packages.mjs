import { spawnSync } from 'node:child_process';
import { print, UserError } from './output.mjs';
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

/** Installs a package with a service of its own, and disables that: Farmgate runs the program itself. */
export async function installProgram(name) {
  await installPackage(name);
  for (const command of [
    ['invoke-rc.d', name, 'stop'],
    ['update-rc.d', name, 'disable'],
  ]) {
    // These commands fail where no service manager runs; then there is nothing to stop.
    await runAsRoot(command, 'A system service could not be disabled:').catch((error) => {
      if (!(error instanceof UserError)) throw error;
    });
  }
}

/**
 * Returns the environment variable that names PgBouncer for the tests behind it, installed if possible. They are left
 * out where there is none.
 */
export async function ensurePooler() {
  if (findOnPath('pgbouncer') === null && canInstall()) {
    await installProgram('pgbouncer').catch((error) => {
      if (!(error instanceof UserError)) throw error;
      print(error.message);
    });
  }
  const found = findOnPath('pgbouncer');
  return found ? { PGBOUNCER_PATH: found } : {};
}
