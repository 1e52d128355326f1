import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '../e2e/stack.ts';
import { killOnExit } from '../server/testing/kill-on-exit.ts';
import { until } from '../testing/until.ts';
import { report, round } from './report.ts';

/**
 * Measures the seconds from `npm start` to a ready market: in a fresh clone of the last commit, with dependencies
 * and demo market, and again in the same folder. npm's cache is kept.
 */
const START_TIMEOUT_MS = 20 * 60_000;

const folder = mkdtempSync(path.join(tmpdir(), 'farmgate-start-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
const clone = path.join(folder, 'farmgate');
const cloned = spawnSync('git', ['clone', '--quiet', '--local', '.', clone], { stdio: 'inherit' });
if (cloned.status !== 0) throw new Error('The repository could not be cloned.');

const env: NodeJS.ProcessEnv = { ...process.env, PORT: String(await freePort()) };
// A fresh clone has no stores and no settings.
for (const name of [
  'DATABASE_URL',
  'DIRECT_URL',
  'REDIS_URL',
  'REDIS_PREFIX',
  'DATA_DIR',
  'PUBLIC_URL',
  'NODE_ENV',
]) {
  delete env[name];
}

async function measureStart(): Promise<number> {
  const startedAt = performance.now();
  const child: ChildProcess = spawn('npm', ['start'], {
    cwd: clone,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  killOnExit(child);
  await until(
    'the market to be ready',
    () => {
      if (child.exitCode !== null) throw new Error(`npm start exited with ${child.exitCode}`);
      return fetch(`http://localhost:${env.PORT}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      );
    },
    START_TIMEOUT_MS,
  );
  const seconds = (performance.now() - startedAt) / 1000;
  const ended = once(child, 'exit');
  child.kill('SIGINT');
  await ended;
  return seconds;
}

const first = await measureStart();
const second = await measureStart();
report(
  'start',
  [
    { start: 'a fresh clone, npm cache as it was', seconds: round(first, 1) },
    { start: 'the second', seconds: round(second, 1) },
  ],
  { 'the second start ready within 10 s': second < 10 },
);
process.exit(0);
