import { execFileSync } from 'node:child_process';
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
import { UserError } from './output.mjs';
import { freePort } from './ports.mjs';
import { resolvePlace } from './postgres-place.mjs';
import {
  adoptProcess,
  commandOf,
  isAlive,
  lastErrorLine,
  runQuietly,
  startProcess,
  waitUntilReady,
} from './processes.mjs';

/** The name of both the user and the database. */
const NAME = 'farmgate';

/** SIGINT is PostgreSQL's fast shutdown: it ends the sessions and flushes everything. */
const stopSteps = [
  ['SIGINT', 20_000],
  ['SIGQUIT', 5000],
  ['SIGKILL', 5000],
];

const urlOf = ({ port, password }, database) =>
  `postgres://${NAME}:${password}@127.0.0.1:${port}/${database}`;

/** Connects once and runs `work`; returns null when PostgreSQL does not respond or `work` fails. */
async function tryQuery(url, work) {
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

/** Returns the main version of PostgreSQL's programs, such as 18. */
const versionOf = (programs) =>
  Number(
    /\d+/.exec(
      execFileSync(join(programs, 'bin', 'postgres'), ['--version'], { encoding: 'utf8' }),
    ),
  );

/** Creates a cluster in a temporary folder and renames it, so that a partial cluster is never used. */
async function initialise(data, programs, account, password, durable) {
  const fresh = `${data}.new`;
  const passwordFile = `${data}.password`;
  rmSync(fresh, { recursive: true, force: true });
  mkdirSync(fresh, { mode: 0o700 });
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
  if (account.uid !== undefined) {
    for (const created of [fresh, passwordFile]) chownSync(created, account.uid, account.gid);
  }
  const options = {
    pgdata: fresh,
    username: NAME,
    pwfile: passwordFile,
    auth: 'scram-sha-256',
    encoding: 'UTF8',
    // The same collation and case rules on every machine, also for letters beyond ASCII. Before 17 the system has them.
    ...(versionOf(programs) >= 17 && {
      'locale-provider': 'builtin',
      'builtin-locale': 'C.UTF-8',
    }),
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

/** Returns the process id that serves this data, ready or not; null when there is none. */
function servingPid(data) {
  const pidFile = join(data, 'postmaster.pid');
  if (!existsSync(pidFile)) return null;
  const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0]);
  if (!(pid > 0 && isAlive(pid))) return null;
  if (commandOf(pid).includes(data)) return pid;
  // The file is stale and its id belongs to another program now; PostgreSQL would refuse to start.
  rmSync(pidFile, { force: true });
  return null;
}

/**
 * Starts a PostgreSQL with its data in `folder`, created on the first run, or adopts the one that a crashed run
 * left running. `settings` are server settings; with `fsync: 'off'` the data is throwaway. `installed` is the folder of
 * other programs than those of the npm package. Returns
 * `{ url, folder, exited, stop }`, where `folder` is the actual data folder (see `resolvePlace`). Throws a
 * `UserError` when PostgreSQL cannot be started.
 */
export async function startPostgres({ folder: wanted, settings = {}, port, password, installed }) {
  const place = resolvePlace(wanted);
  const { folder, account } = place;
  const programs = installed ?? place.programs;
  const data = join(folder, 'data');
  const log = join(folder, 'postgres.log');
  const connectionFile = join(folder, 'connection.json');
  const known = existsSync(connectionFile)
    ? JSON.parse(readFileSync(connectionFile, 'utf8'))
    : null;

  const orphanPid = servingPid(data);
  if (orphanPid !== null) {
    const adopted = adoptProcess(orphanPid, stopSteps);
    const responds = () => known && tryQuery(urlOf(known, NAME), async () => true);
    if (await waitUntilReady(adopted, responds, 30_000)) {
      return { url: urlOf(known, NAME), folder, ...adopted };
    }
    await adopted.stop();
  }

  const connection = {
    port: await freePort(port ?? known?.port),
    password: known?.password ?? password ?? randomBytes(18).toString('base64url'),
  };
  writeFileSync(connectionFile, JSON.stringify(connection), { mode: 0o600 });
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
    stop: stopSteps,
  });
  const server = urlOf(connection, 'postgres');
  if (!(await waitUntilReady(started, () => tryQuery(server, async () => true), 120_000))) {
    throw new UserError(`PostgreSQL did not start: ${lastErrorLine(log)} (the whole log: ${log})`);
  }
  const isCreated = await tryQuery(server, async (client) => {
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [NAME]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${NAME}`);
    return true;
  });
  if (isCreated === null)
    throw new UserError(`PostgreSQL did not create the database (see ${log}).`);
  started.child.unref();
  return { url: urlOf(connection, NAME), folder, ...started };
}
