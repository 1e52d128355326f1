import { UserError } from './output.mjs';
import { requirePort } from './ports.mjs';
import { startProcess, waitUntilReady } from './processes.mjs';
import { stopRequested } from './run.mjs';
import { root } from './settings.mjs';

/**
 * Starts one of the project's own programs with Node. On stop it gets `graceMs` to shut down. With `prefix`
 * its name precedes each line it prints. Returns `{ name, exited, stop }`.
 */
export function startProgram({ name, args, env, graceMs, prefix = false }) {
  const output = prefix ? 'pipe' : 'inherit';
  const program = startProcess(process.execPath, args, {
    cwd: root,
    env,
    stdio: ['ignore', output, output],
    stop: [
      // The program's own limit is shorter; the kill is for one that hangs.
      ['SIGTERM', graceMs + 5000],
      ['SIGKILL', 5000],
    ],
  });
  if (prefix) {
    prefixLines(program.child.stdout, process.stdout, name);
    prefixLines(program.child.stderr, process.stderr, name);
  }
  return { name, ...program };
}

/**
 * Returns the environment of the worker process beside a server. Two processes cannot share METRICS_PORT, so
 * the worker process gets the next port.
 */
export const workersEnv = (env, { metricsPort }) =>
  metricsPort === undefined ? env : { ...env, METRICS_PORT: String(metricsPort + 1) };

/** Throws a `UserError` when a metrics port of the server or of the worker process is taken. */
export async function requireMetricsPorts({ metricsPort, host }) {
  if (metricsPort === undefined || !(metricsPort >= 1 && metricsPort < 65_535)) return;
  for (const port of [metricsPort, metricsPort + 1]) await requirePort(port, host, 'METRICS_PORT');
}

function prefixLines(from, to, name) {
  let rest = '';
  from.setEncoding('utf8').on('data', (text) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop();
    for (const line of lines) to.write(`${name.padEnd(7)} | ${line}\n`);
  });
}

const firstToExit = (programs) =>
  Promise.race(programs.map(({ name, exited }) => exited.then((end) => ({ name, ...end }))));

/**
 * Waits until the server reports that it is ready. Throws a `UserError` after a minute, or when a program
 * exits first.
 */
export async function waitUntilServing(address, programs) {
  let lastResponse = 'no response';
  const exited = firstToExit(programs);
  const ready = await waitUntilReady(
    { exited },
    async () => {
      try {
        const answer = await fetch(`${address}/readyz`, { signal: AbortSignal.timeout(2000) });
        lastResponse = await answer.text();
        return answer.ok;
      } catch {
        return false;
      }
    },
    60_000,
  );
  if (ready) return;
  const ended = await Promise.race([exited, null]);
  if (ended) throw new UserError(`${exitMessage(ended)} Start aborted.`);
  throw new UserError(
    `The server was not ready within a minute; its last response: ${lastResponse}`,
  );
}

const exitMessage = ({ name, code, signal }) =>
  `${name} exited unexpectedly${signal ? ` (${signal})` : code ? ` (exit code ${code})` : ''}.`;

/**
 * Waits for a stop signal or until a program exits unexpectedly, which it prints; then stops `own` programs,
 * all at once. Returns the exit code: 0 after a signal, else 1.
 */
export async function runUntilStopped(own, others = []) {
  const stopSignal = stopRequested.then(() => null);
  const ended = await Promise.race([stopSignal, firstToExit([...own, ...others])]);
  if (ended !== null) process.stderr.write(`${exitMessage(ended)} Stopping the rest.\n`);
  await Promise.all(own.map(({ stop }) => stop()));
  return ended === null ? 0 : 1;
}
