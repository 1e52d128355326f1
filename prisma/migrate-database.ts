import pg from 'pg';
import { knownMigrations } from './database-state.ts';
import { openSchemaEngine } from './schema-engine.ts';
import { applySqlSources } from './sql-sources.ts';

const UNDEFINED_TABLE = '42P01';
/** The engine's code for tables without a record of migrations. */
const NOT_EMPTY = 'P3005';

/** The database holds what no migration of this build leads on from. The message says what to do. */
export class UnusableDatabaseError extends Error {}

/**
 * Brings a database up to date: applies the migrations it does not have, then the files of `prisma/sql`
 * that changed. Does nothing when there is nothing to do; may run at once in several processes.
 * @returns the names of what was applied, in order
 * @throws UnusableDatabaseError when it holds something else, which is left as it is
 * @throws when the database cannot be reached
 */
export async function migrateDatabase(connectionString: string): Promise<string[]> {
  // It connects, and says best when that fails.
  const engine = await openSchemaEngine(connectionString);
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await refuseUnreleased(client);
    const migrations = await engine.applyMigrations().catch((error: Error & { code?: string }) => {
      if (error.code !== NOT_EMPTY) throw error;
      throw new UnusableDatabaseError(
        'This database holds tables of something else: point DATABASE_URL at an empty database.',
      );
    });
    const sources = await applySqlSources(client);
    await followCollation(client);
    return [...migrations, ...sources.map((name) => `sql/${name}`)];
  } finally {
    await client.end();
    engine.close();
  }
}

/** Sorts the indexes of names again where Postgres came with another ICU, which may sort some letters otherwise. */
export async function followCollation(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query(`
    SELECT FROM pg_collation
    WHERE collname = 'by_name' AND collversion <> pg_collation_actual_version(oid)`);
  if (!rowCount) return;
  await client.query('REINDEX INDEX users_name_id_idx');
  await client.query('REINDEX INDEX farmer_profiles_listed_name_user_id_idx');
  await client.query('ALTER COLLATION by_name REFRESH VERSION');
}

/**
 * Refuses a database that was migrated without the first migration of this build, as builds from before
 * the first release did. One that a newer build migrated further has the first, and passes.
 */
async function refuseUnreleased(client: pg.Client): Promise<void> {
  const [first] = knownMigrations();
  const { rows } = await client
    .query<{ name: string }>(
      'SELECT migration_name AS name FROM _prisma_migrations WHERE rolled_back_at IS NULL',
    )
    .catch((error: Error & { code?: string }) => {
      if (error.code === UNDEFINED_TABLE) return { rows: [] };
      throw error;
    });
  if (rows.length === 0 || rows.some(({ name }) => name === first)) return;
  throw new UnusableDatabaseError(
    'This database was made by an unreleased version of Farmgate and cannot be brought up to date: ' +
      'delete the folder postgres in DATA_DIR (.data/postgres if that is not set), or point ' +
      'DATABASE_URL at an empty database.',
  );
}
