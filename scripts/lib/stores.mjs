import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Refusal, say } from './output.mjs';
import { startPostgres } from './postgres.mjs';
import { commandOf, keep } from './processes.mjs';
import { startRedis } from './redis.mjs';

/** The command that uses the stores of this folder now, `{ pid, env }`, or null. */
function userOf(folder) {
  const note = join(folder, 'in-use.json');
  if (!existsSync(note)) return null;
  const user = JSON.parse(readFileSync(note, 'utf8'));
  return /scripts\/[a-z]+\.mjs/.test(commandOf(user.pid)) ? user : null;
}

function noteUse(folder, env) {
  const note = join(folder, 'in-use.json');
  writeFileSync(note, JSON.stringify({ pid: process.pid, env }), { mode: 0o600 });
  return note;
}

/** Takes a folder for this command alone, until it ends. Throws a `Refusal` when another has it. */
function occupy(folder) {
  mkdirSync(folder, { recursive: true });
  const user = userOf(folder);
  if (user !== null) {
    throw new Refusal(
      `Farmgate runs from ${folder} already (process ${user.pid}): stop it first, or give this one ` +
        'a DATA_DIR and a PORT of its own.',
    );
  }
  const note = noteUse(folder, {});
  keep(async () => rmSync(note, { force: true }));
}

const erase = (...folders) => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
};

/** Starts a store on an empty folder; after a crash an old one may be there, even running. */
async function startThrowaway(start, place) {
  if (existsSync(place.folder)) {
    const old = await start(place).catch((error) => {
      if (error instanceof Refusal) return null;
      throw error;
    });
    await old?.stop();
    erase(old?.folder ?? place.folder, place.folder);
  }
  const places = [place.folder];
  // Begun last, ended first: the store is stopped by the time that its files go.
  keep(async () => erase(...places));
  const store = await start(place);
  places.push(store.folder);
  return store;
}

/** Settings for a PostgreSQL whose data nobody will miss. */
const careless = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: 400,
};

/**
 * Has Postgres and Redis ready: those of DATABASE_URL and REDIS_URL, else private ones under `folder`,
 * which `throwaway` makes empty, fast and gone at the end. Answers `{ env, programs }`: the settings
 * that name them, and those that were started, each `{ name, exited }`. With `share` it takes those that
 * a running command has. Throws a `Refusal` when one cannot be had or the folder is in use.
 */
export async function openStores(settings, { folder, throwaway = false, share = false }) {
  const given = { DATABASE_URL: settings.databaseUrl, REDIS_URL: settings.redisUrl };
  if (given.DATABASE_URL && given.REDIS_URL) return { env: given, programs: [] };
  const running = share ? userOf(folder)?.env : null;
  if (running?.DATABASE_URL) return { env: running, programs: [] };

  occupy(folder);
  const start = throwaway ? startThrowaway : (store, place) => store(place);
  const env = { ...given };
  const programs = [];
  if (!env.DATABASE_URL) {
    say('Starting PostgreSQL …');
    const place = { folder: join(folder, 'postgres'), ...(throwaway && { settings: careless }) };
    const { url, exited } = await start(startPostgres, place);
    env.DATABASE_URL = url;
    programs.push({ name: 'PostgreSQL', exited });
  }
  if (!env.REDIS_URL) {
    say('Starting Redis …');
    const { url, exited } = await start(startRedis, { folder: join(folder, 'redis') });
    env.REDIS_URL = url;
    programs.push({ name: 'Redis', exited });
  }
  noteUse(folder, env);
  return { env, programs };
}
