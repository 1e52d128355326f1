import { createReadStream } from 'node:fs';
import { open, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { createGunzip } from 'node:zlib';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { createMigrationsTable, replayMigrations } from '../../../prisma/replay-migrations.ts';
import { applySqlSourcesIn } from '../../../prisma/sql-sources.ts';
import { holdDeliveries } from '../stores/held-deliveries.ts';
import type { Storage } from '../uploads/storage.ts';
import {
  dropEverything,
  dropForeignKeys,
  listAppliedMigrations,
  listTables,
  lockDatabase,
  openConnection,
} from './connection.ts';
import { FILE_MODE, forEachAtOnce, listPictures, readPicture } from './files.ts';
import { BackupError, FILES, type Manifest } from './manifest.ts';
import { readSecret, splitMigrations, verifyBackup } from './verify.ts';

/** How long connections may take to end, and how often they are counted, in milliseconds. */
const UNUSED_WAIT_MS = 5000;
const UNUSED_POLL_MS = 250;

/** What is restored, and where to. */
export interface RestoreOptions {
  /** The folder of one backup. */
  from: string;
  connectionString: string;
  storage: Pick<Storage, 'read' | 'write' | 'remove'>;
  /** The file of the secret that signs sessions; undefined where the secret is a setting. */
  secretFile: string | undefined;
  /** Gives up what the database holds. */
  replace: boolean;
  /** Called with a sentence for each step. */
  print: (line: string) => void;
  /** Gives the restore up. */
  signal?: AbortSignal | undefined;
}

/**
 * Makes the database what it was when the backup was made, brings it up to date where the backup is of an older
 * version, and puts the pictures and the secret back. All rows come in one transaction: one that fails or is killed
 * changes none.
 * @returns what was restored
 * @throws BackupError when the backup is damaged, newer, or the database is not to be replaced
 */
export async function restoreBackup(options: RestoreOptions): Promise<Manifest> {
  const from = path.resolve(options.from);
  options.print('Checking the backup …');
  const manifest = await verifyBackup(from);
  const migrations = await splitMigrations(manifest);
  const { client, close } = await openConnection(options.connectionString, options.signal);
  const pictures = new Set<string>();
  let isBroken = true;
  try {
    await lockDatabase(client);
    await requireUnused(client);
    await client.query('BEGIN');
    // Postgres notices within this time that this program was killed, also in the middle of an index.
    await client.query("SET LOCAL client_connection_check_interval = '2s'").catch(async () => {
      await client.query('ROLLBACK');
      await client.query('BEGIN');
    });
    await client.query("SET LOCAL lock_timeout = '10s'");
    const lastSeq = await requireReplaceable(client, options.replace);
    options.print(`Loading ${manifest.tables.length} tables …`);
    await loadDatabase(client, from, manifest, migrations);
    await continueEventNumbers(client, lastSeq);
    await renewEventEpoch(client);
    await holdDeliveries(client);
    if (manifest.pictures) options.print('Restoring the pictures …');
    await forEachAtOnce(await listPictures(from, manifest), async (picture) => {
      const content = await readPicture(from, picture);
      if ((await options.storage.read(picture.name))?.equals(content)) return;
      pictures.add(picture.name);
      await options.storage.write(picture.name, content);
    });
    const commitSecret = await prepareSecret(await readSecret(from, manifest), options.secretFile);
    await client.query('COMMIT');
    isBroken = false;
    await commitSecret();
    // The planner has no statistics of the rows yet.
    await client.query('ANALYZE');
    return manifest;
  } finally {
    await close({ isBroken });
    if (isBroken) {
      await forEachAtOnce([...pictures], (name) => options.storage.remove(name).catch(() => {}));
    }
  }
}

/** Waits a moment for connections that are just ending. @throws BackupError when the database stays in use */
async function requireUnused(client: pg.Client): Promise<void> {
  for (const until = Date.now() + UNUSED_WAIT_MS; ; await sleep(UNUSED_POLL_MS)) {
    const { rows } = await client.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'`,
    );
    const count = rows[0]?.count ?? 0;
    if (count === 0) return;
    if (Date.now() < until) continue;
    throw new BackupError(
      `This database is in use (other connections: ${count}): stop the servers and workers of this market ` +
        'first. Nothing was changed.',
    );
  }
}

/**
 * Refuses a database that holds what nobody agreed to lose.
 * @returns the last number of its event log, 0 without one
 */
async function requireReplaceable(client: pg.Client, replace: boolean): Promise<bigint> {
  const tables = await listTables(client);
  if (tables.length === 0) return 0n;
  if ((await listAppliedMigrations(client)) === undefined) {
    throw new BackupError(
      'This database holds tables of something else: point DATABASE_URL at an empty database. Nothing was changed.',
    );
  }
  const { rows: people } = await client.query('SELECT FROM users LIMIT 1');
  if (people.length > 0 && !replace) {
    throw new BackupError(
      'This database holds a market already. To give it up for the backup, add --replace. Nothing was changed.',
    );
  }
  const { rows } = await client.query<{ seq: string }>('SELECT seq FROM event_log_head');
  return BigInt(rows[0]?.seq ?? 0);
}

/** Builds the tables as they were when the backup was made, loads their rows, and brings them up to date. */
async function loadDatabase(
  client: pg.Client,
  from: string,
  manifest: Manifest,
  { applied, missing }: { applied: string[]; missing: string[] },
): Promise<void> {
  await dropEverything(client);
  await createMigrationsTable(client);
  await replayMigrations(client, applied);
  const present = (await listTables(client)).map(({ name }) => name);
  const expected = manifest.tables.map(({ name }) => name);
  if (present.join() !== expected.join()) {
    throw new BackupError(
      'The tables of this backup are not those of its version, so its manifest is damaged. Nothing was changed.',
    );
  }
  // No trigger exists yet, so nothing counts, folds or announces the rows a second time: they have all that already.
  const addForeignKeys = await dropForeignKeys(client);
  // Migrations write first rows, such as the head of the log, which the backup has too.
  await client.query(`TRUNCATE ${expected.map((name) => `public."${name}"`).join(', ')}`);
  for (const table of manifest.tables) await loadTable(client, from, table);
  for (const { name, last } of manifest.sequences) {
    if (last === null) continue;
    await client.query('SELECT setval($1::regclass, $2::bigint)', [`public."${name}"`, last]);
  }
  await addForeignKeys();
  await replayMigrations(client, missing);
  await applySqlSourcesIn(client);
  // Newer migrations wrote rows without the triggers that count them.
  if (missing.length > 0) await client.query('SELECT recount_totals()');
}

async function loadTable(
  client: pg.Client,
  from: string,
  { name, columns, file, rows }: Manifest['tables'][number],
): Promise<void> {
  const list = columns.map((column) => `"${column}"`).join(', ');
  const target = client.query(copyFrom(`COPY public."${name}" (${list}) FROM STDIN`));
  await pipeline(createReadStream(path.join(from, FILES.tables, file)), createGunzip(), target);
  if (target.rowCount === rows) return;
  throw new BackupError(
    `Of the table ${name} ${target.rowCount} rows arrived instead of ${rows}. Nothing was changed.`,
  );
}

/**
 * Lets the event log go on above every number that it gave, before the restore or after the backup: clients that saw
 * such a number would otherwise take a new event for one they have.
 */
async function continueEventNumbers(client: pg.Client, lastSeq: bigint): Promise<void> {
  const { rows } = await client.query<{ seq: string }>('SELECT seq FROM event_log_head FOR UPDATE');
  const restoredSeq = BigInt(rows[0]?.seq ?? 0);
  if (lastSeq <= restoredSeq) return;
  await client.query('UPDATE event_log_head SET seq = $1', [lastSeq]);
  // Followers that had seen the whole log have nothing to read in the gap.
  await client.query('UPDATE followers SET seq = $1 WHERE seq = $2', [lastSeq, restoredSeq]);
}

/** Writes the secret beside its place. @returns the function that puts it there */
async function prepareSecret(
  secret: string | undefined,
  file: string | undefined,
): Promise<() => Promise<void>> {
  if (secret === undefined || file === undefined) return async () => {};
  if ((await readFile(file, 'utf8').catch(() => '')) === secret) return async () => {};
  const draft = `${file}.${process.pid}.restored`;
  await rm(draft, { force: true });
  const handle = await open(draft, 'wx', FILE_MODE);
  try {
    await handle.writeFile(secret);
    await handle.sync();
  } finally {
    await handle.close();
  }
  return () => rename(draft, file);
}

/** Gives the event log a new epoch: browsers with events of the market before the restore fetch everything again. */
async function renewEventEpoch(client: pg.Client): Promise<void> {
  await client.query('UPDATE event_epoch SET epoch = gen_random_uuid()');
}
