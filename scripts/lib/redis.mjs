import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { print, UserError } from './output.mjs';
import { freePort } from './ports.mjs';
import {
  adoptProcess,
  findOnPath,
  lastErrorLine,
  startProcess,
  waitUntilReady,
} from './processes.mjs';
import { folderId } from './settings.mjs';
import { canInstall, installProgram } from './system-packages.mjs';

/** Redis persists its data on SIGTERM. */
const stopSteps = [
  ['SIGTERM', 15_000],
  ['SIGKILL', 5000],
];

const findRedis = () => findOnPath('redis-server', 'valkey-server');

function hasDockerEngine() {
  const docker = findOnPath('docker');
  return docker !== null && spawnSync(docker, ['info'], { timeout: 15_000 }).status === 0;
}

/**
 * Returns how to run Redis: `{ program }` from the PATH, installed if necessary, or `{ docker }`. Throws a
 * `UserError` that names the three ways to provide one.
 */
async function ensureRedis() {
  let failure = '';
  if (findRedis() === null && canInstall()) {
    print('Farmgate needs Redis, which is not installed.');
    await installProgram('redis-server').catch((error) => {
      if (!(error instanceof UserError)) throw error;
      failure = `${error.message}\n`;
    });
  }
  const program = findRedis();
  if (program !== null) return { program };
  if (hasDockerEngine()) return { docker: findOnPath('docker') };
  throw new UserError(
    `${failure}Farmgate needs Redis and found none: install redis-server or valkey-server ` +
      '(on Debian `apt-get install redis-server`), or start a Docker engine, or set REDIS_URL to a ' +
      'running Redis.',
  );
}

/** Returns the data folder and process id of the Redis on this port, or null while none responds. */
async function probe(port) {
  const { createClient } = await import('redis');
  const client = createClient({
    url: `redis://127.0.0.1:${port}`,
    socket: { reconnectStrategy: false, connectTimeout: 2000 },
  });
  client.on('error', () => {});
  try {
    await client.connect();
    const { dir } = await client.configGet('dir');
    const [, pid] = /process_id:(\d+)/.exec(await client.info('server')) ?? [];
    return { dir, pid: Number(pid) };
  } catch {
    return null;
  } finally {
    if (client.isOpen) client.destroy();
  }
}

/**
 * Starts a private Redis with its data in `folder` (append-only file, no eviction), or adopts the one that a
 * crashed run left running. Returns `{ url, folder, exited, stop }`. Throws a `UserError` when Redis cannot be
 * started.
 */
export async function startRedis({ folder, port: wanted }) {
  mkdirSync(folder, { recursive: true });
  const portFile = join(folder, 'port');
  const log = join(folder, 'redis.log');
  const known = existsSync(portFile) ? Number(readFileSync(portFile, 'utf8')) : undefined;

  const leftover = known ? await probe(known) : null;
  if (leftover?.dir === folder) {
    return { url: `redis://127.0.0.1:${known}`, folder, ...adoptProcess(leftover.pid, stopSteps) };
  }

  const { program, docker } = await ensureRedis();
  const port = await freePort(wanted ?? known);
  writeFileSync(portFile, String(port));
  const settings = ['--appendonly', 'yes', '--save', '', '--maxmemory-policy', 'noeviction'];
  const started = program
    ? startProcess(
        program,
        ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, ...settings],
        { log, stop: stopSteps },
      )
    : startInDocker(docker, port, folder, settings, log);
  // With Docker, the first run downloads the image.
  if (!(await waitUntilReady(started, () => probe(port), program ? 60_000 : 300_000))) {
    throw new UserError(`Redis did not start: ${lastErrorLine(log)} (the whole log: ${log})`);
  }
  started.child.unref();
  return { url: `redis://127.0.0.1:${port}`, folder, ...started };
}

/** Runs Redis in the foreground of `docker run`, which passes SIGTERM on to it. */
function startInDocker(docker, port, folder, settings, log) {
  const id = folderId(folder);
  const name = `farmgate-redis-${id}`;
  spawnSync(docker, ['rm', '--force', name]);
  const options = ['--rm', '--name', name, '-p', `127.0.0.1:${port}:6379`, '-v', `${folder}:/data`];
  const args = ['run', ...options, 'redis:7-alpine', 'redis-server', ...settings];
  return startProcess(docker, args, { log, stop: stopSteps });
}
