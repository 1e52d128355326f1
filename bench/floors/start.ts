import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { endWithUs, freePort, until } from '../../e2e/stack.ts';

/** A floor: the least that could do the same, as a process of its own. */
export interface Floor {
  url: string;
  child: ChildProcess;
  close(): Promise<void>;
}

/** Starts one of the programs beside this file and waits until it answers. */
export async function startFloor(
  name: 'ready-buffer' | 'koa-sql' | 'koa-orders' | 'socket-io',
  env: Record<string, string> = {},
): Promise<Floor> {
  const port = await freePort();
  const child = spawn(process.execPath, ['--import', 'tsx', `bench/floors/${name}.ts`], {
    env: { ...process.env, ...env, NODE_ENV: 'production', PORT: String(port) },
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  endWithUs(child);
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
