import { constants } from 'node:os';
import { UserError } from './output.mjs';
import { Interrupted, interrupt, interrupted, stopEverything } from './processes.mjs';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
let resolveStopSignal;

/** Resolves to the signal that asks this command to stop. */
export const stopRequested = new Promise((resolve) => {
  resolveStopSignal = resolve;
});

/** Stops when npm was killed: npm forwards no signal then, but this process gets another parent. */
function stopWithNpm() {
  const parent = process.ppid;
  if (process.env.npm_lifecycle_event === undefined) return;
  setInterval(() => {
    if (process.ppid !== parent) process.emit('SIGTERM', 'SIGTERM');
  }, 500).unref();
}

/**
 * Runs a command's work, stops whatever it started, and exits: with the number that `work` returns (default 0),
 * with 1 after a `UserError` (prints its message) or another error (prints its stack), with 128 plus the
 * signal's number when a signal interrupted the work.
 */
export async function run(work) {
  // A closed output pipe (`npm start | head`) must not crash the command before it has stopped its programs.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  for (const signal of signals) {
    process.on(signal, () => {
      interrupt(signal);
      resolveStopSignal(signal);
    });
  }
  stopWithNpm();
  let code = 1;
  try {
    code = (await work()) ?? 0;
  } catch (error) {
    if (error instanceof Interrupted) code = 128 + constants.signals[interrupted()];
    else process.stderr.write(`${error instanceof UserError ? error.message : error.stack}\n`);
  }
  await stopEverything();
  process.exit(code);
}
