import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Env } from '../../server/platform/process/env.ts';
import { killOnExit } from '../../server/testing/kill-on-exit.ts';

/** Starts a worker process as `npm run start:workers` does. */
export async function startWorkerProcess(
  env: Env,
  settings: Record<string, string> = {},
): Promise<{ program: ChildProcess; kill: (signal: NodeJS.Signals) => Promise<number | null> }> {
  const program = spawn(process.execPath, ['dist/server/workers.js'], {
    env: {
      ...process.env,
      NODE_ENV: 'test',
      DATABASE_URL: env.DATABASE_URL,
      DATABASE_SILENCE_MAX_MS: String(env.DATABASE_SILENCE_MAX_MS),
      REDIS_URL: env.REDIS_URL,
      REDIS_PREFIX: env.REDIS_PREFIX,
      DATA_DIR: env.DATA_DIR,
      JWT_SECRET: env.JWT_SECRET,
      LOG_LEVEL: 'info',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  killOnExit(program);
  await new Promise<void>((resolve, reject) => {
    program.once('exit', (code) => reject(new Error(`The worker ended with ${code}.`)));
    program.stdout?.on('data', (line: Buffer) => {
      if (line.includes('Workers started')) resolve();
    });
  });
  return {
    program,
    kill: async (signal) => {
      if (program.exitCode !== null || program.signalCode !== null) return program.exitCode;
      const exited = once(program, 'exit');
      program.kill(signal);
      const [code] = (await exited) as [number | null];
      return code;
    },
  };
}
