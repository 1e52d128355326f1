import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createClient } from 'redis';
import { killOnExit } from '../../server/testing/kill-on-exit.ts';

/** Starts a Redis that a test can stop, start and empty. It stores nothing on disk. `settings` are arguments of its program. */
export async function startOwnRedis(settings: readonly string[] = []) {
  const folder = await mkdtemp(path.join(tmpdir(), 'farmgate-redis-'));
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  const url = `redis://127.0.0.1:${port}`;
  let program: ChildProcess | undefined;

  async function start(): Promise<void> {
    const place = ['--port', String(port), '--dir', folder, '--save', ''];
    program = spawn('redis-server', [...place, ...settings], { stdio: 'ignore' });
    killOnExit(program);
    const client = createClient({ url, socket: { reconnectStrategy: 50 } });
    client.on('error', () => {});
    await client.connect();
    client.destroy();
  }

  async function stop(): Promise<void> {
    if (!program || program.exitCode !== null) return;
    program.kill('SIGKILL');
    await once(program, 'exit');
  }

  /** Suspends the process: connections stay open and get no answer until `thaw`. */
  const freeze = () => program?.kill('SIGSTOP');
  const thaw = () => program?.kill('SIGCONT');

  /** Deletes everything. */
  async function flush(): Promise<void> {
    const client = createClient({ url });
    await client.connect();
    await client.flushAll();
    client.destroy();
  }

  async function remove(): Promise<void> {
    await stop();
    await rm(folder, { recursive: true, force: true });
  }

  await start();
  return { url, start, stop, freeze, thaw, flush, remove };
}
