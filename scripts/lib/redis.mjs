import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Refusal, say } from './output.mjs';
import { freePort } from './ports.mjs';
import { adoptProcess, findOnPath, lastWords, startProcess, untilReady } from './processes.mjs';
import { canInstall, installPackage, runAsRoot } from './system-packages.mjs';

/** On SIGTERM Redis writes down what it has and ends. */
const stop = [
  ['SIGTERM', 15_000],
  ['SIGKILL', 5000],
];

const findRedis = () => findOnPath('redis-server', 'valkey-server');

function hasDockerEngine() {
  const docker = findOnPath('docker');
  return docker !== null && spawnSync(docker, ['info'], { timeout: 15_000 }).status === 0;
}

/** Installs Debian's Redis, and puts the system-wide service to rest that comes with it: ours is private. */
async function installRedis() {
  say('Farmgate needs Redis, and this machine has none.');
  await installPackage('redis-server');
  for (const command of [
    ['invoke-rc.d', 'redis-server', 'stop'],
    ['update-rc.d', 'redis-server', 'disable'],
  ]) {
    // Where services never start by themselves there is nothing to stop, and that is said by failing.
    await runAsRoot(command, 'The Redis service stayed as it was:').catch((error) => {
      if (!(error instanceof Refusal)) throw error;
    });
  }
}

/**
 * How Redis can be had here: `{ program }` from the PATH, installed if need be, or `{ docker }`. Throws
 * a `Refusal` that names the three ways to have one.
 */
async function ensureRedis() {
  let failure = '';
  if (findRedis() === null && canInstall()) {
    await installRedis().catch((error) => {
      if (!(error instanceof Refusal)) throw error;
      failure = `${error.message}\n`;
    });
  }
  const program = findRedis();
  if (program !== null) return { program };
  if (hasDockerEngine()) return { docker: findOnPath('docker') };
  throw new Refusal(
    `${failure}Farmgate needs Redis, and none is in reach: install redis-server or valkey-server ` +
      '(on Debian `apt-get install redis-server`), or start a Docker engine, or set REDIS_URL to a ' +
      'running Redis.',
  );
}

/** The data folder and process id of the Redis on this port, or null while none answers. */
async function ask(port) {
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
 * Starts a private Redis with its data in `folder` (append-only file on, nothing ever evicted), or takes
 * over the one that a crashed run left there. Answers `{ url, folder, exited, stop }`. Throws a `Refusal` when
 * none can be had.
 */
export async function startRedis({ folder, port: wanted }) {
  mkdirSync(folder, { recursive: true });
  const memory = join(folder, 'port');
  const log = join(folder, 'redis.log');
  const known = existsSync(memory) ? Number(readFileSync(memory, 'utf8')) : undefined;

  const leftover = known ? await ask(known) : null;
  if (leftover?.dir === folder) {
    return { url: `redis://127.0.0.1:${known}`, folder, ...adoptProcess(leftover.pid, stop) };
  }

  const { program, docker } = await ensureRedis();
  const port = await freePort(wanted ?? known);
  writeFileSync(memory, String(port));
  const settings = ['--appendonly', 'yes', '--save', '', '--maxmemory-policy', 'noeviction'];
  const started = program
    ? startProcess(
        program,
        ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, ...settings],
        { log, stop },
      )
    : startInDocker(docker, port, folder, settings, log);
  // In Docker the first run fetches the image.
  if (!(await untilReady(started, () => ask(port), program ? 60_000 : 300_000))) {
    throw new Refusal(`Redis did not start: ${lastWords(log)} (the whole log: ${log})`);
  }
  started.child.unref();
  return { url: `redis://127.0.0.1:${port}`, folder, ...started };
}

/** The client of the engine stays in front of its container: a SIGTERM reaches Redis through it. */
function startInDocker(docker, port, folder, settings, log) {
  const id = createHash('sha256').update(folder).digest('hex').slice(0, 12);
  const name = `farmgate-redis-${id}`;
  spawnSync(docker, ['rm', '--force', name]);
  const options = ['--rm', '--name', name, '-p', `127.0.0.1:${port}:6379`, '-v', `${folder}:/data`];
  const args = ['run', ...options, 'redis:7-alpine', 'redis-server', ...settings];
  return startProcess(docker, args, { log, stop });
}
