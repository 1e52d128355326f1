// @long It starts programs.
import { execFile } from 'node:child_process';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase } from '../server/testing/database.ts';
import { knownMigrations } from './database-state.ts';
import { readSqlSources } from './sql-sources.ts';
import { LATER_MIGRATION, makeLaterBuild } from './testing/later-build.ts';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let client: pg.Client;

const open = async (template?: string) => {
  database = await createTestDatabase(template);
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
};

afterEach(async () => {
  await client.end();
  await database.drop();
});

/** Runs the step with which `npm start` and `npm run db:migrate` of a build bring the database up to date. */
const migrate = (build = process.cwd()) =>
  new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
    const env = { ...process.env, DATABASE_URL: database.url };
    const options = { env, cwd: build };
    execFile(process.execPath, ['dist/server/migrate.js'], options, (error, stdout, stderr) =>
      resolve({ code: error ? error.code : 0, stdout, stderr }),
    );
  });

/** Names, columns and rows of everything that a migration or a file of prisma/sql could change. */
async function contents(): Promise<unknown> {
  const { rows: columns } = await client.query(
    `SELECT table_name, column_name, data_type FROM information_schema.columns
     WHERE table_schema = 'public' ORDER BY 1, 2`,
  );
  const { rows: functions } = await client.query(
    `SELECT proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace ORDER BY 1`,
  );
  return { columns, functions };
}

const REFUSAL =
  'This database was made by an unreleased version of Farmgate and cannot be brought up to date: ' +
  'delete the folder postgres in DATA_DIR (.data/postgres if that is not set), or point ' +
  'DATABASE_URL at an empty database.\n';

describe('an empty database', () => {
  beforeEach(() => open('template1'));

  it('gets the migrations, then the files of prisma/sql, and nothing the second time', async () => {
    const names = [
      ...knownMigrations(),
      ...(await readSqlSources()).map(({ name }) => `sql/${name}`),
    ];
    expect(await migrate()).toEqual({
      code: 0,
      stdout: `Applied ${names.join(', ')}.\n`,
      stderr: '',
    });
    expect(await migrate()).toMatchObject({ code: 0, stdout: 'The database is up to date.\n' });
  });

  it('may be migrated by several processes at once', async () => {
    const outcomes = await Promise.all([migrate(), migrate(), migrate()]);
    expect(outcomes.map(({ code, stderr }) => ({ code, stderr }))).toEqual(
      outcomes.map(() => ({ code: 0, stderr: '' })),
    );
  });

  it('that holds tables of something else is refused and left as it is', async () => {
    await client.query('CREATE TABLE users (id int)');
    const before = await contents();
    expect(await migrate()).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'This database holds tables of something else: point DATABASE_URL at an empty database.\n',
    });
    expect(await contents()).toEqual(before);
  });
});

describe('a database that was migrated before', () => {
  beforeEach(() => open());

  const record = (names: string[], finished = true) =>
    client.query(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at)
       SELECT gen_random_uuid()::text, '', name, CASE WHEN $2 THEN now() END
       FROM unnest($1::text[]) AS name`,
      [names, finished],
    );

  it.each([
    ['finished', ['20261101000000_market', '20261123000000_sql_sources'], true],
    ['given up halfway', ['20261101000000_market', '20261123000000_sql_sources'], false],
    ['of a later time', ['20261201000000_market', '20270106000000_pickup_openings'], true],
  ])('by an unreleased build, %s, is refused and left as it is', async (_how, names, finished) => {
    await client.query('DELETE FROM _prisma_migrations');
    await client.query("UPDATE sql_sources SET hash = ''");
    await record(names, finished);
    const before = await contents();
    expect(await migrate()).toEqual({ code: 1, stdout: '', stderr: REFUSAL });
    expect(await migrate()).toEqual({ code: 1, stdout: '', stderr: REFUSAL });
    expect(await contents()).toEqual(before);
    const { rowCount } = await client.query("SELECT FROM sql_sources WHERE hash <> ''");
    expect(rowCount).toBe(0);
  });

  it('by an older build gets the migrations that it lacks', async () => {
    const later = await makeLaterBuild('CREATE TABLE later (id int)');
    try {
      expect(await migrate(later.folder)).toEqual({
        code: 0,
        stdout: `Applied ${LATER_MIGRATION}.\n`,
        stderr: '',
      });
      await client.query('SELECT id FROM later');
      const upToDate = { code: 0, stdout: 'The database is up to date.\n' };
      expect(await migrate(later.folder)).toMatchObject(upToDate);
      expect(await migrate()).toMatchObject(upToDate);
    } finally {
      await later.remove();
    }
  });

  it('further, by a newer build, is served', async () => {
    await record([LATER_MIGRATION]);
    expect(await migrate()).toMatchObject({ code: 0, stdout: 'The database is up to date.\n' });
  });
});
