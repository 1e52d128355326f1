import { readdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { READ_ONLY } from './connection-guard.ts';

/**
 * Whether the database can be used. `refused` stands for a wrong user, password or database name, which does not pass
 * by itself; `no writes` for a server that only reads: a standby, or one whose disk is full.
 */
export type DatabaseState = 'ready' | 'not migrated' | 'away' | 'no writes' | 'refused';

interface Found {
  state: DatabaseState;
  reason?: string;
}

/** A little less than the 2 s within which readiness is to be answered. */
const ANSWER_WITHIN_MS = 1900;
/** Checks that come closer together than this share one answer. */
const CACHE_MS = 500;

const REFUSALS = new Set(['28P01', '28000', '3D000']);
const UNDEFINED_TABLE = '42P01';
/** Out of resources, or an error of the machine below: what still reads may no longer write. */
const OF_THE_MACHINE = /^5[38]/;

/** The migrations of this build, in the order in which `npm run db:migrate` applies them. */
export function knownMigrations(): string[] {
  const directory = path.resolve('prisma/migrations');
  const entries = readdirSync(directory, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}

const HAS_MIGRATIONS = {
  name: 'applied_migrations',
  // The files of prisma/sql are applied all at once, after the migrations.
  text: `SELECT current_setting('transaction_read_only') = 'on' AS "isReadOnly",
                coalesce((SELECT array_agg(migration_name::text) FROM _prisma_migrations
                          WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL
                            AND EXISTS (SELECT FROM sql_sources)), '{}') AS names`,
};
/** Takes new space on the database's disk, and leaves nothing behind. */
const TRY_TO_WRITE =
  'CREATE TEMPORARY TABLE written ON COMMIT DROP AS SELECT generate_series(1, 10000) AS number';

/**
 * Creates the function that returns, within 2 s, whether Postgres answers, takes writes, and has every migration of
 * this build and the functions of `prisma/sql`. Both may be those of a newer build.
 * It throws when the folder of migrations cannot be read.
 */
export function createDatabaseState(options: {
  pool: pg.Pool;
  isHanging: () => boolean;
  /** Called when the server that answers takes no writes. */
  onReadOnly: () => void;
  /** Returns the migrations of this build. */
  listMigrations?: () => string[];
}) {
  const { pool, isHanging, listMigrations = knownMigrations } = options;
  let known: string[] | undefined;
  /** What the last look found, however long ago. */
  let latest: (Found & { at: number }) | undefined;
  let asking: Promise<DatabaseState> | undefined;
  let mustTryToWrite = false;

  async function look(): Promise<Found> {
    known ??= listMigrations();
    try {
      const { rows } = await pool.query<{ isReadOnly: boolean; names: string[] }>(HAS_MIGRATIONS);
      const [row] = rows;
      if (row?.isReadOnly) {
        options.onReadOnly();
        return { state: 'no writes', reason: 'it is read-only' };
      }
      if (mustTryToWrite) {
        await pool.query(TRY_TO_WRITE);
        mustTryToWrite = false;
      }
      const applied = new Set(row?.names);
      return { state: known.every((name) => applied.has(name)) ? 'ready' : 'not migrated' };
    } catch (error) {
      const { code = '', message: reason } = error as Error & { code?: string };
      if (code === UNDEFINED_TABLE) return { state: 'not migrated' };
      if (code === READ_ONLY || OF_THE_MACHINE.test(code)) return { state: 'no writes', reason };
      return { state: REFUSALS.has(code) ? 'refused' : 'away', reason };
    }
  }

  async function ask(): Promise<DatabaseState> {
    const found = await look();
    latest = { ...found, at: Date.now() };
    return found.state;
  }

  async function read(): Promise<DatabaseState> {
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
  }

  return {
    read,
    /** What Postgres or the network said, if the last look found something else than `ready`. */
    reason: () => (isHanging() ? 'it does not answer' : latest?.reason),
    /** Has the next look find out whether what the server said once still holds. */
    noteRefusal(code: string): void {
      if (OF_THE_MACHINE.test(code)) mustTryToWrite = true;
      if (latest) latest.at = Number.NEGATIVE_INFINITY;
    },
  };
}
