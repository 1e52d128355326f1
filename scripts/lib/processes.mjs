import { spawn, spawnSync } from 'node:child_process';
import { accessSync, closeSync, constants, openSync, readFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { UserError } from './output.mjs';

/** Thrown by running work once a stop signal was received. */
export class Interrupted extends Error {}

/** Functions that stop what was started, in the order it was started. */
const stopHandlers = [];
/** Child processes of commands that are running. */
const runningCommands = new Set();
let interruption = null;

/** Returns the full path of the first of these programs on the PATH, or null. */
export function findOnPath(...names) {
  for (const name of names) {
    for (const folder of (process.env.PATH ?? '').split(delimiter)) {
      if (folder === '') continue;
      try {
        accessSync(join(folder, name), constants.X_OK);
        return join(folder, name);
      } catch {
        // Not in this folder.
      }
    }
  }
  return null;
}

/**
 * Returns true while a process with this id runs. A zombie does not run; in a container without an init
 * process it stays one.
 */
export function isAlive(pid) {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (error.code !== 'EPERM') return false;
  }
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    // Not Linux, or the process has just exited, which the next call detects.
    return true;
  }
}

/** Returns the command line of a process, or ''. Ids are reused, so an id alone identifies nothing. */
export function commandOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return (
      spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout ?? ''
    );
  }
}

/** Waits until `test` returns something truthy and returns it; null after `timeoutMs`. */
export async function until(test, timeoutMs, everyMs = 50) {
  for (const end = Date.now() + timeoutMs; ; await sleep(everyMs)) {
    const found = await test();
    if (found) return found;
    if (Date.now() > end) return null;
  }
}

/** Sends each `[signal, waitMs]` in turn until the process has exited. */
export async function stopProcess(pid, steps) {
  for (const [signal, waitMs] of steps) {
    try {
      process.kill(pid, signal);
    } catch {
      return;
    }
    if (await until(() => !isAlive(pid), waitMs)) return;
  }
}

/**
 * Registers `stop` for `stopEverything`. Returns a function that stops earlier; `stop` runs once, however often
 * it is called.
 */
export function onStop(stop) {
  let stopping;
  const entry = () => {
    stopping ??= stop().finally(() => stopHandlers.splice(stopHandlers.indexOf(entry), 1));
    return stopping;
  };
  stopHandlers.push(entry);
  return entry;
}

/** Stops everything in reverse order, because later programs depend on earlier ones. */
export async function stopEverything() {
  while (stopHandlers.length > 0) await stopHandlers.at(-1)();
}

/** Prevents new programs from starting and terminates running commands. */
export function interrupt(signal) {
  interruption ??= signal;
  for (const child of runningCommands) child.kill('SIGTERM');
}

/** Returns the signal that interrupted the work, or null. */
export const interrupted = () => interruption;

function start(command, args, options) {
  if (interruption !== null) throw new Interrupted(interruption);
  const child = spawn(command, args, options);
  const exited = new Promise((resolve) => {
    child.once('error', (error) => resolve({ code: 127, error }));
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  return { child, exited };
}

/**
 * Starts a shell that sends `signal` to a program when this process is killed: the pipe between them closes
 * then. A line through the pipe ends the shell.
 */
function startWatchdog({ child, exited }, signal) {
  const script = 'read -r _ || kill -s "$1" "$2"';
  const shell = spawn('sh', ['-c', script, 'sh', signal.replace('SIG', ''), String(child.pid)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    cwd: '/',
  });
  // Without a shell the program survives a SIGKILL of this process; the next start adopts it.
  shell.on('error', () => {});
  shell.stdin.on('error', () => {});
  shell.unref();
  if (shell.stdin instanceof Socket) shell.stdin.unref();
  exited.then(() => shell.stdin.end('\n'));
}

/**
 * Starts a long-running program in its own process group, so that Ctrl-C in the terminal reaches this process
 * only, which stops its programs in order, with the `[signal, waitMs]` pairs of `stop`. The rest of the
 * group is killed afterwards, and the program is stopped when this process is killed. `log` names a file for
 * its output; without it `stdio` applies. `exited` resolves to `{ code, signal, error }`.
 */
export function startProcess(command, args, { stop: steps, log = undefined, ...options }) {
  const file = log === undefined ? null : openSync(log, 'w', 0o600);
  const output = file === null ? {} : { stdio: ['ignore', file, file] };
  const { child, exited } = start(command, args, { detached: true, ...output, ...options });
  if (file !== null) closeSync(file);
  if (child.pid !== undefined) startWatchdog({ child, exited }, steps[0][0]);
  const stop = onStop(async () => {
    if (child.pid === undefined) return;
    await stopProcess(child.pid, steps);
    killGroup(child.pid);
  });
  return { child, exited, stop };
}

/**
 * Adopts a program that an earlier run left running, so that it is stopped like a started one. `exited`
 * resolves when it has exited.
 */
export function adoptProcess(pid, steps) {
  return {
    stop: onStop(() => stopProcess(pid, steps)),
    exited: until(() => !isAlive(pid), Number.POSITIVE_INFINITY, 1000).then(() => ({ code: null })),
  };
}

/**
 * Waits until `test` returns true for a started program. Returns false when the program exits first or after
 * `timeoutMs`. Throws `Interrupted` after a stop signal.
 */
export async function waitUntilReady({ exited }, test, timeoutMs) {
  let ended = false;
  exited.then(() => {
    ended = true;
  });
  const ready = async () => ended || interruption !== null || (await test());
  const happened = await until(ready, timeoutMs);
  if (interruption !== null) throw new Interrupted(interruption);
  return happened !== null && !ended;
}

function killGroup(pid) {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The group is empty.
  }
}

async function runCommand(program, args, options) {
  const { child, exited } = start(program, args, options);
  runningCommands.add(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
  }
  const { code, error } = await exited;
  runningCommands.delete(child);
  if (interruption !== null) throw new Interrupted(interruption);
  return { code: code ?? 1, output: error?.message ?? output };
}

/** Runs a command with its output shown. Returns its exit code. */
export async function runToEnd(program, args, options = {}) {
  const { code } = await runCommand(program, args, {
    stdio: ['ignore', 'inherit', 'inherit'],
    ...options,
  });
  return code;
}

/** Runs a command with its output hidden. Throws a `UserError` with `complaint` and its last lines when it fails. */
export async function runQuietly(program, args, complaint, options = {}) {
  const { code, output } = await runCommand(program, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    ...options,
  });
  if (code !== 0) {
    throw new UserError([complaint, ...output.trim().split('\n').slice(-30)].join('\n'));
  }
}

/** Returns the last error line of a log, else its last line. */
export function lastErrorLine(log) {
  const lines = readFileSync(log, 'utf8').trim().split('\n');
  return lines.findLast((line) => /fatal|error/i.test(line)) ?? lines.at(-1) ?? '';
}
