import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { endWithUs, freePort, until } from '../e2e/stack.ts';
import { report, round } from './report.ts';

/**
 * Seconds from `npm start` to a ready market: in a fresh clone of the last commit, dependencies and
 * demo market included, and once more in the same place. Whatever npm has in its cache stays there.
 */
const MINUTES_20 = 20 * 60_000;

const folder = mkdtempSync(path.join(tmpdir(), 'farmgate-start-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
const clone = path.join(folder, 'farmgate');
const cloned = spawnSync('git', ['clone', '--quiet', '--local', '.', clone], { stdio: 'inherit' });
if (cloned.status !== 0) throw new Error('The repository could not be cloned.');

const env: NodeJS.ProcessEnv = { ...process.env, PORT: String(await freePort()) };
// As somebody has it who has just cloned: no stores, nothing set.
for (const name of [
  'DATABASE_URL',
  'REDIS_URL',
  'REDIS_PREFIX',
  'DATA_DIR',
  'PUBLIC_URL',
  'NODE_ENV',
]) {
  delete env[name];
}

async function seconds(): Promise<number> {
  const startedAt = performance.now();
  const child: ChildProcess = spawn('npm', ['start'], {
    cwd: clone,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  endWithUs(child);
  await until(
    'the market to be ready',
    () => {
      if (child.exitCode !== null) throw new Error(`npm start ended with ${child.exitCode}`);
      return fetch(`http://localhost:${env.PORT}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      );
    },
    MINUTES_20,
  );
  const taken = (performance.now() - startedAt) / 1000;
  const ended = once(child, 'exit');
  child.kill('SIGINT');
  await ended;
  return taken;
}

const first = await seconds();
const second = await seconds();
report(
  'start',
  [
    { start: 'a fresh clone, npm cache as it was', seconds: round(first, 1) },
    { start: 'the second', seconds: round(second, 1) },
  ],
  { 'the second start ready within 10 s': second < 10 },
);
process.exit(0);
