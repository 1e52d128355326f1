import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import pg from 'pg';
import { type OpenDatabase, openDatabase } from '../../prisma/client.ts';
import { migrateDatabase } from '../../prisma/migrate-database.ts';
import { scaled } from '../../testing/until.ts';

const serverUrl = (): string => {
  const url = process.env.DATABASE_URL;
  if (!url) throw new Error('Tests need DATABASE_URL and REDIS_URL: run them with npm test.');
  return url;
};

const urlOf = (database: string): string => {
  const url = new URL(serverUrl());
  url.pathname = `/${database}`;
  return url.toString();
};

async function onServer<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: serverUrl() });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Returns a name with a hash of the migrations and SQL sources, so that changes use a new template. */
function templateName(): string {
  const hash = createHash('sha1');
  for (const entry of readdirSync('prisma/migrations', { withFileTypes: true })) {
    if (!entry.isDirectory()) continue;
    hash.update(readFileSync(`prisma/migrations/${entry.name}/migration.sql`));
  }
  for (const file of readdirSync('prisma/sql').sort()) {
    hash.update(readFileSync(`prisma/sql/${file}`));
  }
  return `farmgate_template_${hash.digest('hex').slice(0, 12)}`;
}

/** Creates a template database unless it exists; `fill` gets the URL of its draft. */
async function createTemplateOnce(
  name: string,
  options: { from?: string; fill: (url: string) => Promise<unknown> },
): Promise<void> {
  await onServer(async (client) => {
    await client.query('SELECT pg_advisory_lock(4711)');
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
    if (rowCount) return;
    const draft = `${name}_${randomBytes(3).toString('hex')}`;
    await client.query(`CREATE DATABASE ${draft} TEMPLATE ${options.from ?? 'template1'}`);
    await options.fill(urlOf(draft));
    // A database with open connections cannot be renamed or copied.
    await client.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1',
      [draft],
    );
    await client.query(`ALTER DATABASE ${draft} RENAME TO ${name}`);
  });
}

/** Creates the migrated, empty template of the test databases, unless it exists. */
export const prepareTemplate = (): Promise<void> =>
  createTemplateOnce(templateName(), { fill: migrateDatabase });

/**
 * Creates a migrated template filled by `fill`, unless it exists; `contents` is part of its name.
 * @returns its name
 */
export async function prepareFilled(
  contents: string,
  fill: (url: string) => Promise<unknown>,
): Promise<string> {
  const name = `${templateName()}_${contents}`;
  await createTemplateOnce(name, { from: templateName(), fill });
  return name;
}

/**
 * Creates a database from a template, by default migrated and empty. @returns its URL and a function
 * that drops it
 */
export async function createTestDatabase(
  template = templateName(),
): Promise<{ url: string; drop: () => Promise<void> }> {
  const name = `farmgate_test_${randomBytes(6).toString('hex')}`;
  await onServer((client) => client.query(`CREATE DATABASE ${name} TEMPLATE ${template}`));
  return {
    url: urlOf(name),
    drop: () =>
      onServer(async (client) => {
        await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      }),
  };
}

/** Opens a database of a test. A busy machine may be slow to schedule Postgres, which is not given up for that. */
export const openTestDatabase = (connectionString: string, poolSize: number): OpenDatabase =>
  openDatabase({ connectionString, poolSize, silenceMaxMs: scaled(30_000) });
