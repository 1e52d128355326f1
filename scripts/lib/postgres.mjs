import { randomBytes } from 'node:crypto';
import {
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { Refusal } from './output.mjs';
import { freePort } from './ports.mjs';
import { placeFor } from './postgres-place.mjs';
import {
  adoptProcess,
  commandOf,
  isAlive,
  lastWords,
  runQuietly,
  startProcess,
  untilReady,
} from './processes.mjs';

/** The user and the database. */
const NAME = 'farmgate';

/** SIGINT is PostgreSQL's fast shutdown: it ends the sessions and writes everything down. */
const stop = [
  ['SIGINT', 20_000],
  ['SIGQUIT', 5000],
  ['SIGKILL', 5000],
];

const urlOf = ({ port, password }, database) =>
  `postgres://${NAME}:${password}@127.0.0.1:${port}/${database}`;

/** Connects once and runs `work`; null when PostgreSQL does not answer there or `work` fails. */
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

/** Makes a new cluster beside its final place and moves it there whole: half a cluster is never used. */
async function initialise(data, programs, account, password, durable) {
  const fresh = `${data}.new`;
  const passwordFile = `${data}.password`;
  rmSync(fresh, { recursive: true, force: true });
  mkdirSync(fresh, { mode: 0o700 });
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
  if (account.uid !== undefined) {
    for (const made of [fresh, passwordFile]) chownSync(made, account.uid, account.gid);
  }
  const options = {
    pgdata: fresh,
    username: NAME,
    pwfile: passwordFile,
    auth: 'scram-sha-256',
    encoding: 'UTF8',
    // The same order and case rules on every machine, and letters beyond ASCII count as letters.
    'locale-provider': 'builtin',
    'builtin-locale': 'C.UTF-8',
    locale: process.platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8',
    'lc-messages': 'C',
  };
  const args = Object.entries(options).map(([name, value]) => `--${name}=${value}`);
  try {
    await runQuietly(
      join(programs, 'bin', 'initdb'),
      durable ? args : [...args, '--no-sync'],
      'PostgreSQL could not be set up:',
      { ...account, cwd: '/' },
    );
  } finally {
    rmSync(passwordFile, { force: true });
  }
  renameSync(fresh, data);
}

/** The process that serves this data, ready or not; null when there is none. */
function servingProcess(data) {
  const note = join(data, 'postmaster.pid');
  if (!existsSync(note)) return null;
  const pid = Number(readFileSync(note, 'utf8').split('\n')[0]);
  if (!(pid > 0 && isAlive(pid))) return null;
  if (commandOf(pid).includes(data)) return pid;
  // A note that a crash left, with an id that is another program's by now: PostgreSQL would heed it.
  rmSync(note, { force: true });
  return null;
}

/**
 * Starts a real PostgreSQL with its data in `folder`, made on the first run, or takes over the one that
 * a crashed run left there. `settings` are server settings; with `fsync: 'off'` the data is throwaway.
 * Answers `{ url, folder, exited, stop }`, `folder` being where the data is in truth (see `placeFor`).
 * Throws a `Refusal` when it cannot be had.
 */
export async function startPostgres({ folder: wanted, settings = {}, port, password }) {
  const { folder, programs, account } = placeFor(wanted);
  const data = join(folder, 'data');
  const log = join(folder, 'postgres.log');
  const memory = join(folder, 'connection.json');
  const known = existsSync(memory) ? JSON.parse(readFileSync(memory, 'utf8')) : null;

  const leftover = servingProcess(data);
  if (leftover !== null) {
    const adopted = adoptProcess(leftover, stop);
    const answers = () => known && ask(urlOf(known, NAME), async () => true);
    if (await untilReady(adopted, answers, 30_000)) {
      return { url: urlOf(known, NAME), folder, ...adopted };
    }
    await adopted.stop();
  }

  const connection = {
    port: await freePort(port ?? known?.port),
    password: known?.password ?? password ?? randomBytes(18).toString('base64url'),
  };
  writeFileSync(memory, JSON.stringify(connection), { mode: 0o600 });
  if (!existsSync(data)) {
    await initialise(data, programs, account, connection.password, settings.fsync !== 'off');
  }
  const options = Object.entries({
    port: connection.port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    timezone: 'UTC',
    log_timezone: 'UTC',
    max_connections: 200,
    ...settings,
  }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const started = startProcess(join(programs, 'bin', 'postgres'), ['-D', data, ...options], {
    ...account,
    cwd: '/',
    log,
    stop,
  });
  const server = urlOf(connection, 'postgres');
  if (!(await untilReady(started, () => ask(server, async () => true), 120_000))) {
    throw new Refusal(`PostgreSQL did not start: ${lastWords(log)} (the whole log: ${log})`);
  }
  const made = await ask(server, async (client) => {
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [NAME]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${NAME}`);
    return true;
  });
  if (made === null) throw new Refusal(`PostgreSQL did not make its database (see ${log}).`);
  started.child.unref();
  return { url: urlOf(connection, NAME), folder, ...started };
}
