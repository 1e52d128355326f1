import { spawn, spawnSync } from 'node:child_process';
import { accessSync, closeSync, constants, openSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Refusal } from './output.mjs';

/** The full path of the first of these programs that the PATH has, or null. */
export function findOnPath(...names) {
  for (const name of names) {
    for (const folder of (process.env.PATH ?? '').split(delimiter)) {
      const file = join(folder, name);
      try {
        accessSync(file, constants.X_OK);
        if (folder !== '') return file;
      } catch {
        // Not in this folder.
      }
    }
  }
  return null;
}

/** True while a process with this id exists. */
export function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** The command line of a process, or '' when there is none. Ids are reused, so an id alone says little. */
export function commandOf(pid) {
  return spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout ?? '';
}

/** Waits until `test` answers something truthy and gives it back; null after `timeoutMs`. */
export async function until(test, timeoutMs, everyMs = 50) {
  for (const end = Date.now() + timeoutMs; ; await sleep(everyMs)) {
    const found = await test();
    if (found) return found;
    if (Date.now() > end) return null;
  }
}

/**
 * Starts a long-lived program in a process group of its own, so that a Ctrl-C in the terminal reaches
 * this program alone and the children are stopped in order. `log` names a file for its output, which
 * lets it outlive this process; without it the output goes where `stdio` says.
 */
export function startProcess(command, args, { log, ...options } = {}) {
  const file = log === undefined ? null : openSync(log, 'w', 0o600);
  const child = spawn(command, args, {
    detached: true,
    ...(file === null ? {} : { stdio: ['ignore', file, file] }),
    ...options,
  });
  if (file !== null) closeSync(file);
  const exited = new Promise((resolve) => {
    child.once('error', (error) => resolve({ code: 127, signal: null, error }));
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  return { child, exited };
}

/** Asks a process to end with each signal in turn, waiting for it in between (milliseconds). */
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

/** Runs a short-lived program to its end and gives its exit code; its output is the person's to see. */
export async function runToEnd(command, args, options = {}) {
  const { exited } = startProcess(command, args, { stdio: 'inherit', detached: false, ...options });
  const { code, signal } = await exited;
  return code ?? (signal === null ? 1 : 128);
}

/** Runs a short-lived program quietly; a `Refusal` with `complaint` and its last words when it fails. */
export function runQuietly(command, args, complaint, options = {}) {
  const result = spawnSync(command, args, { encoding: 'utf8', maxBuffer: 64 << 20, ...options });
  if (result.status === 0) return result.stdout;
  const said = result.error?.message ?? `${result.stdout}\n${result.stderr}`;
  throw new Refusal(`${complaint}\n${said.trim().split('\n').slice(-12).join('\n')}`);
}

/** The last line of a log that says why a program ended, for a message. */
export function lastWords(log) {
  const lines = readFileSync(log, 'utf8').trim().split('\n');
  return lines.findLast((line) => /FATAL|ERROR|error/.test(line)) ?? lines.at(-1) ?? '';
}
