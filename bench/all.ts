import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { killOnExit } from '../server/testing/kill-on-exit.ts';

/** Runs all benches one after the other, or those named as arguments. */
const BENCHES = [
  'catalogue',
  'orders',
  'import',
  'accept-to-screen',
  'proposal-to-screen',
  'picklist',
  'fan-out',
  'catch-up',
  'without-websocket',
  'growth',
  'browser',
  'first-look',
  'lighthouse',
  'keys',
  'start',
  'mixed',
];

const named = process.argv.slice(2);
const unknown = named.filter((name) => !BENCHES.includes(name));
if (unknown.length > 0) {
  console.error(`Unknown bench: ${unknown.join(', ')}. Known: ${BENCHES.join(', ')}.`);
  process.exit(2);
}
const failed: string[] = [];
for (const name of named.length > 0 ? named : BENCHES) {
  const child = spawn(process.execPath, ['--import', 'tsx', `bench/${name}.ts`], {
    stdio: 'inherit',
  });
  killOnExit(child);
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) failed.push(name);
}
if (failed.length > 0) console.error(`These benches failed: ${failed.join(', ')}.`);
process.exit(failed.length > 0 ? 1 : 0);
