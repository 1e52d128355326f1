import { readdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';

/**
 * Whether the database can be used: `refused` stands for a wrong user, password or database name, which
 * does not pass by itself.
 */
export type DatabaseState = 'ready' | 'not migrated' | 'away' | 'refused';

/** A little less than the 2 s within which readiness is to be answered. */
const ANSWER_WITHIN_MS = 1900;
/** Checks that come closer together than this share one answer. */
const CACHE_MS = 500;

const REFUSALS = new Set(['28P01', '28000', '3D000']);
const UNDEFINED_TABLE = '42P01';

/** The migrations of this build, in the order in which `npm run db:migrate` applies them. */
export function knownMigrations(): string[] {
  const directory = path.resolve('prisma/migrations');
  const entries = readdirSync(directory, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}

/**
 * Creates the function that returns, within 2 s, whether Postgres answers and has every migration of this
 * build and the functions of `prisma/sql`. Both may be those of a newer build.
 * It throws when the folder of migrations cannot be read.
 * @param listMigrations returns the migrations of this build
 */
export function createDatabaseState(
  pool: pg.Pool,
  isHanging: () => boolean,
  listMigrations: () => string[] = knownMigrations,
): () => Promise<DatabaseState> {
  let known: string[] | undefined;
  let latest: { state: DatabaseState; at: number } | undefined;
  let asking: Promise<DatabaseState> | undefined;

  async function ask(): Promise<DatabaseState> {
    known ??= listMigrations();
    let state: DatabaseState;
    try {
      const { rows } = await pool.query<{ name: string }>({
        name: 'applied_migrations',
        // The files of prisma/sql are applied all at once, after the migrations.
        text: `SELECT migration_name AS name FROM _prisma_migrations
               WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL
                 AND EXISTS (SELECT FROM sql_sources)`,
      });
      const applied = new Set(rows.map(({ name }) => name));
      state = known.every((name) => applied.has(name)) ? 'ready' : 'not migrated';
    } catch (error) {
      const { code } = error as { code?: string };
      if (code === UNDEFINED_TABLE) state = 'not migrated';
      else state = code !== undefined && REFUSALS.has(code) ? 'refused' : 'away';
    }
    latest = { state, at: Date.now() };
    return state;
  }

  return async () => {
    if (isHanging()) return 'away';
    if (latest && Date.now() - latest.at < CACHE_MS) return latest.state;
    asking ??= ask().finally(() => {
      asking = undefined;
    });
    const timer = new AbortController();
    const answer = await Promise.race([
      asking,
      sleep(ANSWER_WITHIN_MS, undefined, { signal: timer.signal }).catch(() => undefined),
    ]);
    timer.abort();
    if (answer) return answer;
    // Every connection is in use, which a long queue of consumers may cause: that is no outage.
    return isHanging() ? 'away' : (latest?.state ?? 'away');
  };
}
