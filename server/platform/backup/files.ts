import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { appendFile, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import type pg from 'pg';
import { PICTURE_NAME, pictureNames, type Storage } from '../uploads/storage.ts';
import { BackupError, FILES, type Manifest } from './manifest.ts';

/** Only the user who makes a backup may read it: it holds addresses and password hashes. */
export const FILE_MODE = 0o600;
export const FOLDER_MODE = 0o700;

/** Compresses well enough at a third of the default's processor time. */
const GZIP_LEVEL = 4;
/** A draft this old was left behind, whatever machine it is from. */
const DRAFT_MAX_AGE_MS = 24 * 60 * 60 * 1000;

/** A file's size and SHA-256 in hex. */
interface FileMark {
  bytes: number;
  sha256: string;
}

/** A stream that passes everything on and knows its size and checksum in the end. */
function createMarker() {
  const hash = createHash('sha256');
  let bytes = 0;
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      hash.update(chunk);
      done(null, chunk);
    },
  });
  return { stream, mark: (): FileMark => ({ bytes, sha256: hash.digest('hex') }) };
}

/** Returns the checksum of a content. */
export const sha256Of = (content: Buffer | string): string =>
  createHash('sha256').update(content).digest('hex');

/** Writes a stream to a new file, compressed, and flushes it to the disk. */
export async function writeCompressed(file: string, content: Readable): Promise<FileMark> {
  const { stream, mark } = createMarker();
  const target = createWriteStream(file, { flags: 'wx', mode: FILE_MODE, flush: true });
  await pipeline(content, createGzip({ level: GZIP_LEVEL }), stream, target);
  return mark();
}

/** Writes a small new file and flushes it to the disk. */
export async function writeNew(file: string, content: Buffer | string): Promise<void> {
  const handle = await open(file, 'wx', FILE_MODE);
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const NEWLINE = '\n'.charCodeAt(0);

/**
 * Reads a compressed table and returns its mark and how many rows it holds.
 * @throws when it cannot be read or is no compressed file
 */
export async function inspectTable(file: string): Promise<FileMark & { rows: number }> {
  const { stream, mark } = createMarker();
  let rows = 0;
  await pipeline(createReadStream(file), stream, createGunzip(), async (chunks) => {
    for await (const chunk of chunks as AsyncIterable<Buffer>) {
      // Each row is one line: line breaks inside are escaped.
      for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1)) rows++;
    }
  });
  return { ...mark(), rows };
}

/** Makes the changes of a folder's entries durable; some file systems cannot, which is no failure. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  await handle?.sync().catch(() => {});
  await handle?.close();
}

const BACKUP_NAME = /^farmgate-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$/;
const DRAFT_NAME = /^\.farmgate-.+\.draft-(\d+)@(.+)$/;

/** Returns the name of a backup of this instant, which sorts by time. */
export const backupName = (at: Date): string =>
  `farmgate-${at.toISOString().slice(0, 19).replaceAll(':', '-')}Z`;

/** Returns the name under which a backup is written until it is whole. */
export const draftName = (name: string): string => `.${name}.draft-${process.pid}@${hostname()}`;

/** Gives a whole backup its name. @throws BackupError when there is one of this name */
export async function publish(draft: string, folder: string): Promise<void> {
  // Renaming onto an empty folder would succeed.
  if (await stat(folder).catch(() => undefined)) {
    throw new BackupError(`${folder} exists already. Nothing was kept: try again in a second.`);
  }
  await syncFolder(draft);
  await rename(draft, folder);
  await syncFolder(path.dirname(folder));
}

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

/** Removes drafts that a killed backup left in this folder. @returns how many */
export async function removeOldDrafts(folder: string): Promise<number> {
  let count = 0;
  for (const name of await readdir(folder)) {
    const [, pid, host] = DRAFT_NAME.exec(name) ?? [];
    if (pid === undefined) continue;
    const draft = path.join(folder, name);
    const { mtimeMs } = await stat(draft).catch(() => ({ mtimeMs: Date.now() }));
    const isAbandoned =
      Date.now() - mtimeMs > DRAFT_MAX_AGE_MS ||
      (host === hostname() && !isRunning(Number(pid))) ||
      // An earlier process of this id, as in a container, where ids start again.
      (host === hostname() && Number(pid) === process.pid);
    if (!isAbandoned) continue;
    await rm(draft, { recursive: true, force: true });
    count++;
  }
  return count;
}

/** Removes all but the newest `keep` backups in this folder. @returns the names of the removed ones */
export async function removeOldBackups(folder: string, keep: number): Promise<string[]> {
  const names: string[] = [];
  for (const name of (await readdir(folder)).sort()) {
    if (!BACKUP_NAME.test(name)) continue;
    // Whatever else has such a name is not ours to remove.
    if (await stat(path.join(folder, name, FILES.manifest)).catch(() => undefined)) {
      names.push(name);
    }
  }
  const old = names.slice(0, Math.max(0, names.length - keep));
  for (const name of old) {
    // Renamed first, so that a half-removed backup never looks like a whole one.
    const doomed = path.join(folder, draftName(name));
    await rename(path.join(folder, name), doomed);
    await rm(doomed, { recursive: true, force: true });
  }
  return old;
}

/** Uploads read from the database at once. */
const PAGE = 500;
/** Pictures copied at once: enough for a bucket, few enough for the memory. */
const CONCURRENCY = 8;

/** A picture of a backup. */
interface PictureMark {
  name: string;
  sha256: string;
}

/** Runs `work` for each item, some at once. */
export async function forEachAtOnce<T>(
  items: readonly T[],
  work: (item: T) => Promise<void>,
): Promise<void> {
  const waiting = items.values();
  await Promise.all(
    Array.from({ length: CONCURRENCY }, async () => {
      for (const item of waiting) await work(item);
    }),
  );
}

/**
 * Copies the pictures of all uploads that the transaction of `client` sees, from the disk or the bucket.
 * A picture whose file is missing is counted; the market shows it as missing too.
 */
export async function copyPictures(
  client: pg.Client,
  storage: Pick<Storage, 'read'>,
  draft: string,
): Promise<NonNullable<Manifest['pictures']>> {
  const sums = path.join(draft, FILES.pictureSums);
  await mkdir(path.join(draft, FILES.pictures), { mode: FOLDER_MODE });
  await writeNew(sums, '');
  const total = { count: 0, bytes: 0, missing: 0 };
  for (let last = ''; ; ) {
    const { rows } = await client.query<{ id: string }>(
      `SELECT id FROM uploads WHERE id > $1 ORDER BY id LIMIT ${PAGE}`,
      [last || '00000000-0000-0000-0000-000000000000'],
    );
    const marks: PictureMark[] = [];
    await forEachAtOnce(
      rows.flatMap(({ id }) => Object.values(pictureNames(id))),
      async (name) => {
        const content = await storage.read(name);
        if (content === undefined) {
          total.missing++;
          return;
        }
        await writeNew(path.join(draft, FILES.pictures, name), content);
        marks.push({ name, sha256: sha256Of(content) });
        total.count++;
        total.bytes += content.length;
      },
    );
    await appendFile(
      sums,
      marks.map(({ name, sha256 }) => `${sha256}  ${FILES.pictures}/${name}\n`).join(''),
    );
    const next = rows.at(-1)?.id;
    if (next === undefined) break;
    last = next;
  }
  return { ...total, sha256: sha256Of(await readFile(sums)) };
}

const LINE = new RegExp(`^([0-9a-f]{64}) {2}${FILES.pictures}/(.+)$`);

/** Reads the list of a backup's pictures. @throws BackupError when it is damaged */
export async function listPictures(folder: string, manifest: Manifest): Promise<PictureMark[]> {
  if (manifest.pictures === null) return [];
  const text = await readFile(path.join(folder, FILES.pictureSums)).catch(() => Buffer.alloc(0));
  const marks = text
    .toString()
    .split('\n')
    .flatMap((line) => {
      const [, sha256, name] = LINE.exec(line) ?? [];
      return sha256 && name && PICTURE_NAME.test(name) ? [{ name, sha256 }] : [];
    });
  if (sha256Of(text) === manifest.pictures.sha256 && marks.length === manifest.pictures.count) {
    return marks;
  }
  throw new BackupError(
    `The file ${FILES.pictureSums} in ${folder} is damaged. Take another backup; nothing was changed.`,
  );
}

/** Reads one picture of a backup. @throws BackupError when it is missing or damaged */
export async function readPicture(folder: string, { name, sha256 }: PictureMark): Promise<Buffer> {
  const file = path.join(FILES.pictures, name);
  const content = await readFile(path.join(folder, file)).catch(
    (error: NodeJS.ErrnoException) => error,
  );
  if (content instanceof Error && content.code !== 'ENOENT') throw content;
  if (!(content instanceof Error) && sha256Of(content) === sha256) return content;
  throw new BackupError(
    `The file ${file} in ${folder} is ${content instanceof Error ? 'missing' : 'damaged'}. Take another ` +
      'backup; nothing was changed.',
  );
}
