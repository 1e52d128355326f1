import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Refusal, say } from './output.mjs';
import { freePort } from './ports.mjs';
import { findOnPath, isAlive, lastWords, startProcess, stopProcess, until } from './processes.mjs';
import { canInstall, installPackage, runAsRoot } from './system-packages.mjs';

const findRedis = () => findOnPath('redis-server', 'valkey-server');

function hasDockerEngine() {
  const docker = findOnPath('docker');
  return docker !== null && spawnSync(docker, ['info'], { timeout: 15_000 }).status === 0;
}

/**
 * Says how Redis can be had here: `{ program }` from the PATH, installed if need be, or `{ docker }`.
 * Throws a `Refusal` that names the three ways when there is none.
 */
export function ensureRedis() {
  const present = findRedis();
  if (present !== null) return { program: present };
  if (canInstall()) {
    say('Farmgate needs Redis, and this machine has none.');
    installPackage('redis-server');
    // The package also sets up a system-wide service. Ours is private, so that one is put to rest; on
    // machines without a service manager both commands have nothing to do and may say so.
    for (const command of [
      ['invoke-rc.d', 'redis-server', 'stop'],
      ['update-rc.d', 'redis-server', 'disable'],
    ]) {
      try {
        runAsRoot(command, '');
      } catch {
        // Nothing was running.
      }
    }
    const program = findRedis() ?? (existsSync('/usr/bin/redis-server') && '/usr/bin/redis-server');
    if (program) return { program };
  }
  if (hasDockerEngine()) return { docker: findOnPath('docker') };
  throw new Refusal(
    'Farmgate needs Redis, and none is in reach: install redis-server or valkey-server (on Debian ' +
      '`apt-get install redis-server`), or start a Docker engine, or set REDIS_URL to a running Redis.',
  );
}

/** What the Redis behind `port` says of itself, or null while none answers. */
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
    const info = await client.info('server');
    return { directory: dir, pid: Number(/process_id:(\d+)/.exec(info)?.[1]) };
  } catch {
    return null;
  } finally {
    if (client.isOpen) client.destroy();
  }
}

/**
 * Starts a private Redis whose data lies in `directory` (append-only file on, nothing ever evicted), or
 * takes over the one that a crashed run left there. Answers its `url`, `stop()`, and `exited`, a
 * promise that is null for one taken over.
 */
export async function startRedis({ directory, port: wanted }) {
  const way = ensureRedis();
  mkdirSync(directory, { recursive: true });
  const memory = join(directory, 'port');
  const log = join(directory, 'redis.log');
  const remembered = existsSync(memory) ? Number(readFileSync(memory, 'utf8')) : undefined;
  const inDocker = way.docker !== undefined;

  const left = remembered ? await ask(remembered) : null;
  if (left !== null && left.directory === (inDocker ? '/data' : directory)) {
    return handle(remembered, left.pid, null);
  }
  const port = await freePort(wanted ?? remembered);
  writeFileSync(memory, String(port));
  const settings = [
    ...['--appendonly', 'yes', '--save', '', '--maxmemory-policy', 'noeviction'],
    ...['--daemonize', 'no', '--logfile', ''],
  ];
  const name = `farmgate-redis-${createHash('sha256').update(directory).digest('hex').slice(0, 12)}`;
  const [command, args] = inDocker
    ? [
        way.docker,
        [
          ...['run', '--rm', '--name', name, '-p', `127.0.0.1:${port}:6379`],
          ...['-v', `${directory}:/data`, 'redis:7-alpine', 'redis-server'],
          ...settings,
        ],
      ]
    : [
        way.program,
        ['--port', String(port), '--bind', '127.0.0.1', '--dir', directory, ...settings],
      ];
  if (inDocker) spawnSync(way.docker, ['rm', '-f', name]);
  const { child, exited } = startProcess(command, args, { log });
  let over = false;
  exited.then(() => {
    over = true;
  });
  // The first run in Docker fetches the image.
  const answered = await until(async () => over || (await ask(port)), inDocker ? 300_000 : 60_000);
  if (over || answered === null) {
    if (!over) await stopProcess(child.pid, [['SIGKILL', 5000]]);
    throw new Refusal(`Redis did not start: ${lastWords(log)} (the whole log: ${log})`);
  }
  child.unref();
  return handle(port, child.pid, exited);

  function handle(onPort, pid, exit) {
    return {
      url: `redis://127.0.0.1:${onPort}`,
      exited: exit,
      isAlive: () => inDocker || isAlive(pid),
      async stop() {
        if (inDocker) spawnSync(way.docker, ['stop', name]);
        else
          await stopProcess(pid, [
            ['SIGTERM', 10_000],
            ['SIGKILL', 5000],
          ]);
      },
    };
  }
}
