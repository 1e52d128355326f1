import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { type Env, readEnv } from '../process/env.ts';
import { BackupError, explainBackupFailure } from './manifest.ts';

/** The settings that `npm run backup` and `npm run restore` use. */
interface CommandSettings {
  env: Env;
  /** The file of the secret that signs sessions; undefined where the secret is a setting. */
  secretFile: string | undefined;
}

/** Reads the settings. @throws SettingError naming the first wrong one */
export function readCommandSettings(): CommandSettings {
  // Neither command uses Redis: a machine that only keeps backups may have none.
  const env = readEnv({
    ...process.env,
    REDIS_URL: process.env.REDIS_URL || 'redis://localhost:6379',
  });
  const secretFile = process.env.JWT_SECRET ? undefined : path.join(env.DATA_DIR, 'jwt-secret');
  return { env, secretFile };
}

/** Returns the secret that is kept in this file, or undefined. */
export function readSecretFile(file: string | undefined): string | undefined {
  try {
    return file && readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

/** Returns the full path of a folder that was named where the user typed the command. */
export const resolveFolder = (folder: string): string =>
  path.resolve(process.env.INIT_CWD || '.', folder);

/** Reads the command's options. @throws BackupError with `usage` for an unknown one */
export function readOptions<const Options extends NonNullable<ParseArgsConfig['options']>>(
  options: Options,
  usage: string,
) {
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    throw new BackupError(`${(error as Error).message}\n${usage}`);
  }
}

/** Returns a size such as `12.3 MB`. */
export function formatBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`;
}

/**
 * Runs a command's work, which a stop signal gives up. A failure is printed as a sentence, and the exit code is 1.
 * `whereOf` names the folder that the work is about.
 */
export async function runCommand(
  work: (signal: AbortSignal) => Promise<void>,
  whereOf: () => string,
): Promise<void> {
  const interruption = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => interruption.abort());
  }
  try {
    await work(interruption.signal);
  } catch (error) {
    console.error(
      interruption.signal.aborted
        ? 'Interrupted. Nothing was changed.'
        : explainBackupFailure(error, whereOf()),
    );
    process.exitCode = 1;
  }
}
