import {
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { print, UserError } from './output.mjs';
import { startPostgres } from './postgres.mjs';
import { commandOf, onStop } from './processes.mjs';
import { startRedis } from './redis.mjs';
import { folderId } from './settings.mjs';

/** Returns the running command that uses the stores in this folder, `{ pid, env }`, or null. */
function lockHolderOf(folder) {
  const lockFile = join(folder, 'in-use.json');
  if (!existsSync(lockFile)) return null;
  const holder = JSON.parse(readFileSync(lockFile, 'utf8'));
  return /scripts\/[a-z]+\.mjs/.test(commandOf(holder.pid)) ? holder : null;
}

function writeLock(folder, env) {
  const lockFile = join(folder, 'in-use.json');
  writeFileSync(lockFile, JSON.stringify({ pid: process.pid, env }), { mode: 0o600 });
  return lockFile;
}

/** Locks a folder for this command until it ends. Throws a `UserError` when another command uses it. */
function lockFolder(folder) {
  mkdirSync(folder, { recursive: true });
  const holder = lockHolderOf(folder);
  if (holder !== null) {
    throw new UserError(
      `Farmgate already runs from ${folder} (process ${holder.pid}): stop it first, or set another ` +
        'DATA_DIR and PORT for this one.',
    );
  }
  const lockFile = writeLock(folder, {});
  onStop(async () => rmSync(lockFile, { force: true }));
}

const removeFolders = (...folders) => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
};

/** Starts a store on an empty folder. After a crash an old store may still be there, even running. */
async function startThrowaway(start, place) {
  if (existsSync(place.folder)) {
    const old = await start(place).catch((error) => {
      if (error instanceof UserError) return null;
      throw error;
    });
    await old?.stop();
    removeFolders(old?.folder ?? place.folder, place.folder);
  }
  const places = [place.folder];
  // Registered before the store starts, so it runs after the store has stopped.
  onStop(async () => removeFolders(...places));
  const store = await start(place);
  places.push(store.folder);
  return store;
}

/** Linux keeps the files of this folder in memory. */
const MEMORY_FOLDER = '/dev/shm';
/** Many times what the tests need, so that neither they nor anything beside them run out of memory. */
const MEMORY_MIN_BYTES = 4 * 1024 ** 3;

/**
 * Returns a folder in memory to be used in place of `folder`, always the same one, or null on a machine without such a
 * folder or with little memory. Test databases are made and dropped by the hundred: on a disk, making their files takes
 * longer than what the tests ask of them (bench/results/2026-11-26.md).
 */
function memoryFolder(folder) {
  const id = folderId(folder);
  const place = join(MEMORY_FOLDER, `farmgate-${id}`);
  try {
    const { bavail, bsize } = statfsSync(MEMORY_FOLDER);
    if (Math.min(bavail * bsize, process.availableMemory()) < MEMORY_MIN_BYTES) return null;
    mkdirSync(place, { recursive: true, mode: 0o755 });
    // Anyone may make folders there.
    return statSync(place).uid === process.getuid?.() ? place : null;
  } catch {
    return null;
  }
}

/** Settings for a PostgreSQL with throwaway data: speed instead of durability. */
const throwawaySettings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: 400,
};

/**
 * Prepares Postgres and Redis: those of DATABASE_URL and REDIS_URL, else private ones under `folder`. With
 * `throwaway` private stores start empty, are not durable and are removed at the end; with `inMemory` Postgres
 * keeps its files in memory where the machine has enough. With `share` the stores of a running command are used. Redis
 * is left alone without `usesRedis`. Returns `{ env, programs }`: the settings with their addresses, and the started
 * programs, each `{ name, exited }`. Throws a `UserError` when a store cannot be started or the folder is in use.
 */
export async function openStores(
  settings,
  { folder, throwaway = false, inMemory = false, share = false, usesRedis = true },
) {
  const given = { DATABASE_URL: settings.databaseUrl, REDIS_URL: settings.redisUrl };
  if (given.DATABASE_URL && (given.REDIS_URL || !usesRedis)) return { env: given, programs: [] };
  const running = share ? lockHolderOf(folder)?.env : null;
  if (running?.DATABASE_URL && (running.REDIS_URL || !usesRedis)) {
    return { env: running, programs: [] };
  }

  lockFolder(folder);
  const start = throwaway ? startThrowaway : (store, place) => store(place);
  /** @type {Record<string, string | undefined>} */
  const env = { ...given };
  const programs = [];
  if (!env.DATABASE_URL) {
    print('Starting PostgreSQL …');
    const onDisk = join(folder, 'postgres');
    const place = {
      folder: (inMemory && memoryFolder(onDisk)) || onDisk,
      ...(throwaway && { settings: throwawaySettings }),
    };
    const { url, exited } = await start(startPostgres, place);
    env.DATABASE_URL = url;
    // That of another database, if there is one.
    env.DIRECT_URL = '';
    programs.push({ name: 'PostgreSQL', exited });
  }
  if (usesRedis && !env.REDIS_URL) {
    print('Starting Redis …');
    const { url, exited } = await start(startRedis, { folder: join(folder, 'redis') });
    env.REDIS_URL = url;
    programs.push({ name: 'Redis', exited });
  }
  writeLock(folder, env);
  return { env, programs };
}
