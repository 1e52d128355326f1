import { Refusal } from './output.mjs';
import { startProcess, untilReady } from './processes.mjs';
import { untilAskedToEnd } from './run.mjs';
import { root } from './settings.mjs';

/**
 * Starts one of the project's own programs with Node. It gets `graceMs` to end in good order. With
 * `prefix` each line that it prints is preceded by its name. Answers `{ name, exited, stop }`.
 */
export function startProgram({ name, args, env, graceMs, prefix = false }) {
  const output = prefix ? 'pipe' : 'inherit';
  const program = startProcess(process.execPath, args, {
    cwd: root,
    env,
    stdio: ['ignore', output, output],
    stop: [
      // Its own limit comes first: the kill is for a program that hangs.
      ['SIGTERM', graceMs + 5000],
      ['SIGKILL', 5000],
    ],
  });
  if (prefix) {
    forward(program.child.stdout, process.stdout, name);
    forward(program.child.stderr, process.stderr, name);
  }
  return { name, ...program };
}

function forward(from, to, name) {
  let rest = '';
  from.setEncoding('utf8').on('data', (text) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop();
    for (const line of lines) to.write(`${name.padEnd(7)} | ${line}\n`);
  });
}

const firstToEnd = (programs) =>
  Promise.race(programs.map(({ name, exited }) => exited.then((end) => ({ name, ...end }))));

/**
 * Waits until the server answers that it is ready. Throws a `Refusal` when it is not so within a minute,
 * or a program ended first.
 */
export async function untilServing(address, programs) {
  let last = 'no answer';
  const exited = firstToEnd(programs);
  const ready = await untilReady(
    { exited },
    async () => {
      try {
        const answer = await fetch(`${address}/readyz`, { signal: AbortSignal.timeout(2000) });
        last = await answer.text();
        return answer.ok;
      } catch {
        return false;
      }
    },
    60_000,
  );
  if (ready) return;
  const ended = await Promise.race([exited, null]);
  if (ended) throw new Refusal(`${sentenceFor(ended)} The start is given up.`);
  throw new Refusal(`The server was not ready within a minute; it says: ${last}`);
}

const sentenceFor = ({ name, code, signal }) =>
  `${name} ended by itself${signal ? ` (${signal})` : code ? ` (exit code ${code})` : ''}.`;

/**
 * Waits until a person or the system asks for the end, or a program ends by itself, which is said; then
 * stops `own`, all at once and in good order. Answers the exit code: 0 when it was asked for, else 1.
 */
export async function serveUntilEnd(own, others = []) {
  const asked = untilAskedToEnd.then(() => null);
  const ended = await Promise.race([asked, firstToEnd([...own, ...others])]);
  if (ended !== null) process.stderr.write(`${sentenceFor(ended)} Stopping the rest.\n`);
  await Promise.all(own.map(({ stop }) => stop()));
  return ended === null ? 0 : 1;
}
