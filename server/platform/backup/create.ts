import { mkdir, rm } from 'node:fs/promises';
import { hostname, userInfo } from 'node:os';
import path from 'node:path';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import type { Storage } from '../uploads/storage.ts';
import {
  listAppliedMigrations,
  listSequences,
  listTables,
  lockDatabase,
  openConnection,
  type Table,
} from './connection.ts';
import {
  backupName,
  copyPictures,
  draftName,
  FOLDER_MODE,
  publish,
  removeOldBackups,
  removeOldDrafts,
  sha256Of,
  writeCompressed,
  writeNew,
} from './files.ts';
import { BackupError, countRows, FILES, FORMAT, type Manifest } from './manifest.ts';
import { verifyBackup } from './verify.ts';

/** What a backup is made of and where it goes. */
interface BackupOptions {
  connectionString: string;
  /** Where the pictures are; undefined leaves them out. */
  storage: Pick<Storage, 'read'> | undefined;
  /** The secret that signs sessions, where it is a file of this market. */
  secret: string | undefined;
  /** The product's version. */
  version: string;
  /** The folder that gets the backup's folder. */
  to: string;
  /** How many backups stay in that folder; without it all do. */
  keep?: number | undefined;
  /** Called with a sentence for each step. */
  print: (line: string) => void;
  /** Gives the backup up. */
  signal?: AbortSignal | undefined;
}

/**
 * Writes a backup of the database and its pictures, reads it again, and notes it in the database. All rows are of one
 * instant, while the market goes on. A backup that fails or is killed leaves none; what a killed one left is removed
 * by the next.
 * @returns its folder and what it holds
 * @throws BackupError when it cannot be made
 */
export async function createBackup(
  options: BackupOptions,
): Promise<{ folder: string; manifest: Manifest }> {
  const to = path.resolve(options.to);
  const startedAt = new Date();
  const name = backupName(startedAt);
  const folder = path.join(to, name);
  const draft = path.join(to, draftName(name));
  const { client, close } = await openConnection(options.connectionString, options.signal);
  let isBroken = true;
  try {
    await lockDatabase(client);
    await mkdir(to, { recursive: true, mode: FOLDER_MODE });
    const left = await removeOldDrafts(to);
    if (left > 0) options.print('Removed what an interrupted backup left.');
    await mkdir(draft, { mode: FOLDER_MODE });
    const written = await writeDraft(client, options, draft, startedAt);
    options.print('Reading the backup again …');
    const manifest = await verifyBackup(draft);
    options.signal?.throwIfAborted();
    await publish(draft, folder);
    await recordBackup(client, {
      name,
      folder: to,
      madeBy: `${userInfo().username}@${hostname()}`,
      startedAt,
      sizeBytes: written.bytes,
      rowCount: countRows(manifest),
      pictureCount: manifest.pictures?.count ?? null,
      isVerified: true,
    }).catch((error: Error) =>
      options.print(`The backup is whole, but the database could not note it: ${error.message}`),
    );
    isBroken = false;
    for (const old of options.keep === undefined ? [] : await removeOldBackups(to, options.keep)) {
      options.print(`Removed the old backup ${old}.`);
    }
    return { folder, manifest };
  } finally {
    await rm(draft, { recursive: true, force: true }).catch(() => {});
    await close({ isBroken });
  }
}

/** Writes all files of a backup, the manifest last. @returns their size in bytes */
async function writeDraft(
  client: pg.Client,
  options: BackupOptions,
  draft: string,
  at: Date,
): Promise<{ bytes: number }> {
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  const migrations = await listAppliedMigrations(client);
  if (migrations === undefined) {
    throw new BackupError(
      'This database holds no market: check DATABASE_URL, or run npm run db:migrate first.',
    );
  }
  await mkdir(path.join(draft, FILES.tables), { mode: FOLDER_MODE });
  const tables: Manifest['tables'] = [];
  const found = await listTables(client);
  options.print(`Copying ${found.length} tables …`);
  for (const table of found) tables.push(await copyTable(client, table, draft));
  if (options.storage) options.print('Copying the pictures …');
  const pictures = options.storage ? await copyPictures(client, options.storage, draft) : null;
  if (options.secret !== undefined) await writeNew(path.join(draft, FILES.secret), options.secret);
  const { rows } = await client.query<{ server_version: string }>('SHOW server_version');
  const manifest: Manifest = {
    product: 'farmgate',
    format: FORMAT,
    version: options.version,
    postgres: rows[0]?.server_version ?? '',
    at: at.toISOString(),
    migrations,
    tables,
    sequences: await listSequences(client),
    pictures,
    secret: options.secret === undefined ? null : { sha256: sha256Of(options.secret) },
  };
  await client.query('COMMIT');
  const text = `${JSON.stringify(manifest, undefined, 2)}\n`;
  await writeNew(path.join(draft, FILES.manifest), text);
  const sizes = [...tables.map(({ bytes }) => bytes), pictures?.bytes ?? 0, text.length];
  return { bytes: sizes.reduce((sum, bytes) => sum + bytes, 0) };
}

async function copyTable(
  client: pg.Client,
  { name, columns }: Table,
  draft: string,
): Promise<Manifest['tables'][number]> {
  const list = columns.map((column) => `"${column}"`).join(', ');
  const rows = client.query(copyTo(`COPY public."${name}" (${list}) TO STDOUT`));
  const file = `${name}.gz`;
  const mark = await writeCompressed(path.join(draft, FILES.tables, file), rows);
  // The number of rows arrives behind the last one: wait until the connection is free.
  await client.query('SELECT');
  return { name, columns, rows: rows.rowCount, file, ...mark };
}

/** How long it is known that a backup was made, in days. */
const KEPT_DAYS = 400;

/** What the database remembers of a finished backup. */
interface BackupRecord {
  name: string;
  folder: string;
  madeBy: string;
  startedAt: Date;
  sizeBytes: number;
  rowCount: number;
  pictureCount: number | null;
  isVerified: boolean;
}

/** Notes a backup that has just finished, and forgets those of long ago. */
async function recordBackup(client: pg.Client, backup: BackupRecord): Promise<void> {
  await client.query(
    `INSERT INTO backups (name, folder, made_by, started_at, finished_at, size_bytes, row_count,
                          picture_count, is_verified)
     VALUES ($1, $2, $3, $4, now(), $5, $6, $7, $8)`,
    [
      backup.name,
      backup.folder,
      backup.madeBy,
      backup.startedAt,
      backup.sizeBytes,
      backup.rowCount,
      backup.pictureCount,
      backup.isVerified,
    ],
  );
  await client.query('DELETE FROM backups WHERE finished_at < now() - make_interval(days => $1)', [
    KEPT_DAYS,
  ]);
}
