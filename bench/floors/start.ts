import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { freePort } from '../../e2e/stack.ts';
import { killOnExit } from '../../server/testing/kill-on-exit.ts';
import { until } from '../../testing/until.ts';

/** A floor: the smallest program that could do the same, as a separate process. */
export interface Floor {
  url: string;
  child: ChildProcess;
  close(): Promise<void>;
}

/** Starts a program of this folder and waits until it responds. */
export async function startFloor(
  name: 'ready-buffer' | 'koa-sql' | 'koa-orders' | 'socket-io',
  env: Record<string, string> = {},
): Promise<Floor> {
  const port = await freePort();
  const child = spawn(process.execPath, ['--import', 'tsx', `bench/floors/${name}.ts`], {
    env: { ...process.env, ...env, NODE_ENV: 'production', PORT: String(port) },
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  killOnExit(child);
  const url = `http://127.0.0.1:${port}`;
  await until(`${name} to answer`, () =>
    fetch(`${url}/`).then(
      () => true,
      () => false,
    ),
  );
  return {
    url,
    child,
    close: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}
