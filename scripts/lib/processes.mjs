import { spawn, spawnSync } from 'node:child_process';
import { accessSync, closeSync, constants, openSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Refusal } from './output.mjs';

/** What work in progress throws once a person or the system asked for the end. */
export class Interrupted extends Error {}

/** How to stop each program that lasts, in the order they were started. */
const lasting = [];
/** The commands under way. */
const commands = new Set();
let interruption = null;

/** The full path of the first of these programs that the PATH has, or null. */
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
 * True while a process with this id runs. One that ended but that its parent has not heard of yet (a
 * zombie; in a container without an init it stays one) does not run.
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
    // Not Linux, or gone this very moment, which the next look will tell.
    return true;
  }
}

/** The command line of a process, or '' when there is none. Ids are reused, so an id alone says little. */
export function commandOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return (
      spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout ?? ''
    );
  }
}

/** Waits until `test` answers something truthy and gives it back; null after `timeoutMs`. */
export async function until(test, timeoutMs, everyMs = 50) {
  for (const end = Date.now() + timeoutMs; ; await sleep(everyMs)) {
    const found = await test();
    if (found) return found;
    if (Date.now() > end) return null;
  }
}

/** Asks a process to end with each `[signal, waitMs]` in turn, until it is gone. */
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
 * Has `stopEverything` call `stop` for something that lasts. Answers a function that stops it sooner;
 * however often it is called, it is stopped once.
 */
export function keep(stop) {
  let stopping;
  const entry = () => {
    stopping ??= stop().finally(() => lasting.splice(lasting.indexOf(entry), 1));
    return stopping;
  };
  lasting.push(entry);
  return entry;
}

/** Stops what lasts, the youngest first: each was started on top of those before it. */
export async function stopEverything() {
  while (lasting.length > 0) await lasting.at(-1)();
}

/** From now on nothing new starts, and the commands that are under way are asked to end. */
export function interrupt(signal) {
  interruption ??= signal;
  for (const child of commands) child.kill('SIGTERM');
}

/** The signal that asked for the end, or null. */
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
 * Has a shell wait beside a program and send it `signal` if this process goes away without a word, as
 * after a SIGKILL: the pipe between us closes then. A line through it sends the shell home.
 */
function endWithUs({ child, exited }, signal) {
  const script = 'read -r _ || kill -s "$1" "$2"';
  const shell = spawn('sh', ['-c', script, 'sh', signal.replace('SIG', ''), String(child.pid)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    cwd: '/',
  });
  // Without a shell it is only left behind after a SIGKILL, and the next start takes it over.
  shell.on('error', () => {});
  shell.stdin.on('error', () => {});
  shell.unref();
  shell.stdin.unref();
  exited.then(() => shell.stdin.end('\n'));
}

/**
 * Starts a program that lasts, in a process group of its own: a Ctrl-C in the terminal reaches this
 * process alone, and what it started is stopped in order, with the `[signal, waitMs]` pairs of `stop`.
 * Whatever its group leaves behind is ended too, and so is the program when this process is killed.
 * `log` names a file for its output, without which `stdio` says where that goes. `exited` resolves to
 * `{ code, signal, error }`.
 */
export function startProcess(command, args, { stop: steps, log, ...options }) {
  const file = log === undefined ? null : openSync(log, 'w', 0o600);
  const output = file === null ? {} : { stdio: ['ignore', file, file] };
  const { child, exited } = start(command, args, { detached: true, ...output, ...options });
  if (file !== null) closeSync(file);
  if (child.pid !== undefined) endWithUs({ child, exited }, steps[0][0]);
  const stop = keep(async () => {
    if (child.pid === undefined) return;
    await stopProcess(child.pid, steps);
    endGroup(child.pid);
  });
  return { child, exited, stop };
}

/**
 * Takes over a program that an earlier run left behind: it is stopped like one of ours. `exited`
 * resolves when it is gone.
 */
export function adoptProcess(pid, steps) {
  return {
    stop: keep(() => stopProcess(pid, steps)),
    exited: until(() => !isAlive(pid), Number.POSITIVE_INFINITY, 1000).then(() => ({ code: null })),
  };
}

/**
 * Waits until `test` answers true for a program that was started. False when it ended first or took
 * longer than `timeoutMs`. Throws `Interrupted` when the end was asked for meanwhile.
 */
export async function untilReady({ exited }, test, timeoutMs) {
  let ended = false;
  exited.then(() => {
    ended = true;
  });
  const ready = async () => ended || interruption !== null || (await test());
  const happened = await until(ready, timeoutMs);
  if (interruption !== null) throw new Interrupted(interruption);
  return happened !== null && !ended;
}

function endGroup(pid) {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Nobody is left in it.
  }
}

async function command(program, args, options) {
  const { child, exited } = start(program, args, options);
  commands.add(child);
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text) => {
      said += text;
    });
  }
  const { code, error } = await exited;
  commands.delete(child);
  if (interruption !== null) throw new Interrupted(interruption);
  return { code: code ?? 1, said: error?.message ?? said };
}

/** Runs a command to its end, its output the person's to see, and gives its exit code. */
export async function runToEnd(program, args, options = {}) {
  const { code } = await command(program, args, {
    stdio: ['ignore', 'inherit', 'inherit'],
    ...options,
  });
  return code;
}

/** Runs a command without a word unless it fails: then a `Refusal` with `complaint` and what it said last. */
export async function runQuietly(program, args, complaint, options = {}) {
  const { code, said } = await command(program, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    ...options,
  });
  if (code !== 0) {
    throw new Refusal([complaint, ...said.trim().split('\n').slice(-30)].join('\n'));
  }
}

/** The line of a log that says best why its program ended. */
export function lastWords(log) {
  const lines = readFileSync(log, 'utf8').trim().split('\n');
  return lines.findLast((line) => /fatal|error/i.test(line)) ?? lines.at(-1) ?? '';
}
