import { constants } from 'node:os';
import { Refusal } from './output.mjs';
import { Interrupted, interrupt, interrupted, stopEverything } from './processes.mjs';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
let heard;

/** Resolves to the signal that asks this command to end. */
export const untilAskedToEnd = new Promise((resolve) => {
  heard = resolve;
});

/** An npm that was killed tells nobody, but what it started has another parent then. */
function endWithNpm() {
  const parent = process.ppid;
  if (process.env.npm_lifecycle_event === undefined) return;
  setInterval(() => {
    if (process.ppid !== parent) process.emit('SIGTERM', 'SIGTERM');
  }, 500).unref();
}

/**
 * Runs a command's whole work, stops whatever it started, and ends with an exit code: the number that
 * `work` returns (0 when none), 1 after a `Refusal` (its sentence alone is printed) or another error
 * (with its stack), 128 and the signal's number when a signal came before the work was done.
 */
export async function run(work) {
  // A reader that went away (`npm start | head`) must not take the servers down half-way.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  for (const signal of signals) {
    process.on(signal, () => {
      interrupt(signal);
      heard(signal);
    });
  }
  endWithNpm();
  let code = 1;
  try {
    code = (await work()) ?? 0;
  } catch (error) {
    if (error instanceof Interrupted) code = 128 + constants.signals[interrupted()];
    else process.stderr.write(`${error instanceof Refusal ? error.message : error.stack}\n`);
  }
  await stopEverything();
  process.exit(code);
}
