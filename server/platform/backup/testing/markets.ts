import { type ChildProcess, execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { seedMarket } from '../../../../demo/seed-market.ts';
import { until } from '../../../../testing/until.ts';
import { createTestDatabase, openTestDatabase, prepareFilled } from '../../../testing/database.ts';
import { killOnExit } from '../../../testing/kill-on-exit.ts';
import { createStorage, pictureNames, type Storage } from '../../uploads/storage.ts';
import { createBackup } from '../create.ts';
import { type RestoreOptions, restoreBackup } from '../restore.ts';

/** A database and a folder for files, without processes. */
export type Place = Awaited<ReturnType<typeof createPlace>>;

/** How a program ended. */
export interface Outcome {
  code: number | string | null | undefined;
  output: string;
}

/** Texts that a careless copy would change. */
export const ODD_TEXTS = [
  'tab\tline\nreturn\rbackslash\\ \\N \\.',
  '\\.',
  '"quotes" and {braces, comma}',
  'Žluťoučký кôň 🥕',
];

/** Returns the storage of pictures on the disk under this folder. */
export const diskStorage = (folder: string): Storage =>
  createStorage({
    DATA_DIR: folder,
    S3_BUCKET: undefined,
    S3_ENDPOINT: undefined,
    S3_REGION: '',
    S3_FORCE_PATH_STYLE: true,
  });

const opened: Place[] = [];

/** Closes all places; for `afterAll`. */
export async function closePlaces(): Promise<void> {
  await Promise.all(opened.splice(0).map(({ close }) => close()));
}

/** Makes a database from `template` and an empty folder beside it. */
async function createPlace(template: string) {
  const database = await createTestDatabase(template);
  const folder = await mkdtemp(path.join(tmpdir(), 'farmgate-backup-'));
  const storage = diskStorage(folder);
  const secretFile = path.join(folder, 'jwt-secret');
  const to = path.join(folder, 'backups');

  /** Runs a query on a connection of its own, which is closed after it. */
  async function query<Row extends pg.QueryResultRow>(
    text: string,
    values?: unknown[],
  ): Promise<Row[]> {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    try {
      return (await client.query<Row>(text, values)).rows;
    } finally {
      await client.end();
    }
  }

  /** Starts one of the built programs on this place: of this build, or of the one in the folder `build`. */
  function start(
    program: 'backup' | 'restore' | 'migrate',
    args: string[],
    settings: Record<string, string> = {},
    build = process.cwd(),
  ): { child: ChildProcess; ended: Promise<Outcome> } {
    const env = {
      ...process.env,
      NODE_ENV: 'test',
      DATABASE_URL: database.url,
      DATA_DIR: folder,
      JWT_SECRET: '',
      INIT_CWD: '',
      ...settings,
    };
    let child: ChildProcess | undefined;
    const ended = new Promise<Outcome>((resolve) => {
      child = execFile(
        process.execPath,
        [`dist/server/${program}.js`, ...args],
        { env, cwd: build },
        (error, stdout, stderr) =>
          resolve({ code: error ? (error.code ?? error.signal) : 0, output: stdout + stderr }),
      );
    });
    if (child === undefined) throw new Error('The program did not start.');
    killOnExit(child);
    return { child, ended };
  }

  /** Waits until Postgres knows that anyone who used the database is gone: a lock of theirs is held until then. */
  const untilUnused = () =>
    until(async () => {
      const others = await query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
         AND backend_type = 'client backend'`,
      );
      return others.length === 0;
    });

  const quiet = { connectionString: database.url, storage, print: () => {} };
  return {
    url: database.url,
    folder,
    to,
    secretFile,
    storage,
    query,
    untilUnused,
    start,
    run: (...args: Parameters<typeof start>): Promise<Outcome> => start(...args).ended,
    backUp: (over: Partial<Parameters<typeof createBackup>[0]> = {}) =>
      createBackup({ ...quiet, secret: undefined, version: '1.0.0', to, ...over }),
    restore: (from: string, over: Partial<RestoreOptions> = {}) =>
      restoreBackup({ ...quiet, from, secretFile, replace: false, ...over }),
    close: async () => {
      await database.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Opens a database made from `template` (empty by default) and an empty folder beside it. */
export async function openPlace(template = 'template1'): Promise<Place> {
  const place = await createPlace(template);
  opened.push(place);
  return place;
}

/** Makes the template of a market with the demo's rows. */
const prepareDemo = () =>
  prepareFilled('backup_demo', async (url) => {
    const { db, close } = openTestDatabase(url, 4);
    // Rendering takes long, and what the pictures show is of no interest here.
    const storage = { ...diskStorage(tmpdir()), read: async () => Buffer.alloc(1) };
    await seedMarket({ db, storage }).finally(close);
  });

/** Opens a market with rows in most tables, odd texts, pictures and a secret. */
export async function openFilledPlace(): Promise<Place> {
  const place = await openPlace(await prepareDemo());
  await place.query(
    `INSERT INTO categories (name, name_key, description)
     SELECT 'Odd ' || n, 'odd ' || n, text FROM unnest($1::text[]) WITH ORDINALITY AS odd(text, n)`,
    [ODD_TEXTS],
  );
  const [line] = await place.query<{ id: string }>(
    `INSERT INTO event_outbox (id, name, data, rooms)
     VALUES (gen_random_uuid(), 'category.changed', '{"_id":"none"}', ARRAY['everyone', 'a "b", {c}']) RETURNING id`,
  );
  if (!line) throw new Error('No event was written.');
  const uploads = await place.query<{ id: string }>('SELECT id FROM uploads ORDER BY id');
  await mkdir(path.join(place.folder, 'uploads'));
  for (const [index, { id }] of uploads.entries()) {
    const { large, small } = pictureNames(id);
    await place.storage.write(large, Buffer.from(`large ${index} \0\r\n`.repeat(50)));
    await place.storage.write(small, Buffer.from(`small ${index}`));
  }
  await writeFile(place.secretFile, 's'.repeat(43), { mode: 0o600 });
  return place;
}

/** Returns every row of every table but the given ones, as text. */
export async function readRows(
  { query }: Pick<Place, 'query'>,
  except: readonly string[] = [],
): Promise<Record<string, string[]>> {
  const tables = await query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND c.relname <> ALL ($1)
     ORDER BY 1`,
    [except],
  );
  const rows: Record<string, string[]> = {};
  for (const { name } of tables) {
    // A restore sets `restored_at`, and nothing else.
    const found = await query<{ row: string }>(
      `SELECT (to_jsonb(t) - 'restored_at')::text AS row FROM "${name}" t ORDER BY 1`,
    );
    rows[name] = found.map(({ row }) => row);
  }
  return rows;
}

/** Returns the definition of everything that the schema holds besides rows. */
export async function readSchema({ query }: Pick<Place, 'query'>): Promise<string[]> {
  const rows = await query<{ definition: string }>(`
    SELECT 'column ' || table_name || '.' || column_name || ' ' || udt_name || ' ' || is_nullable || ' ' ||
           coalesce(column_default, '') AS definition
    FROM information_schema.columns WHERE table_schema = 'public'
    UNION ALL SELECT pg_get_indexdef(i.indexrelid) FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
      WHERE c.relnamespace = 'public'::regnamespace
    UNION ALL SELECT conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) FROM pg_constraint
      WHERE connamespace = 'public'::regnamespace
    UNION ALL SELECT pg_get_triggerdef(oid) || ' ' || tgenabled::text FROM pg_trigger WHERE NOT tgisinternal
    UNION ALL SELECT pg_get_functiondef(p.oid) FROM pg_proc p
      WHERE p.pronamespace = 'public'::regnamespace AND p.prokind = 'f'
    UNION ALL SELECT 'enum ' || enumtypid::regtype || ' ' || enumlabel || ' ' || enumsortorder FROM pg_enum
    UNION ALL SELECT 'statistics ' || stxname FROM pg_statistic_ext
    ORDER BY 1`);
  return rows.map(({ definition }) => definition);
}

/** Returns every picture under a folder by its name. */
export async function readPictures(folder: string): Promise<Record<string, string>> {
  const pictures: Record<string, string> = {};
  const directory = path.join(folder, 'uploads');
  for (const name of (await readdir(directory).catch(() => [])).sort()) {
    pictures[name] = await readFile(path.join(directory, name), 'base64');
  }
  return pictures;
}
