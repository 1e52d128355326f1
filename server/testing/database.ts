import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import pg from 'pg';
import { openSchemaEngine } from '../../prisma/schema-engine.ts';

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

/** Named after the migrations, so that a change of them makes a new one. */
function templateName(): string {
  const hash = createHash('sha1');
  for (const entry of readdirSync('prisma/migrations', { withFileTypes: true })) {
    if (!entry.isDirectory()) continue;
    hash.update(readFileSync(`prisma/migrations/${entry.name}/migration.sql`));
  }
  return `farmgate_template_${hash.digest('hex').slice(0, 12)}`;
}

/** Makes a database to copy others from, unless it is there; `fill` is given the address of its draft. */
async function makeOnce(
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
    // Whoever still holds a connection would keep it from being renamed and copied.
    await client.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1',
      [draft],
    );
    await client.query(`ALTER DATABASE ${draft} RENAME TO ${name}`);
  });
}

/** Makes the migrated, empty database that every test's own is copied from, unless it is there. */
export const prepareTemplate = (): Promise<void> =>
  makeOnce(templateName(), {
    fill: async (url) => (await openSchemaEngine(url)).applyMigrations(),
  });

/**
 * Makes a migrated database with something in it to copy others from, unless it is there; `contents`
 * tells it from others of the kind. @returns its name
 */
export async function prepareFilled(
  contents: string,
  fill: (url: string) => Promise<unknown>,
): Promise<string> {
  const name = `${templateName()}_${contents}`;
  await makeOnce(name, { from: templateName(), fill });
  return name;
}

/**
 * A database of one's own, migrated and empty or a copy of another. @returns its address and how to
 * drop it
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
