import { appendFile, mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type pg from 'pg';
import { PICTURE_NAME, pictureNames, type Storage } from '../uploads/storage.ts';
import { BackupError } from './failure.ts';
import { FOLDER_MODE, sha256Of, writeNew } from './files.ts';
import { FILES, type Manifest } from './manifest.ts';

/** Uploads read from the database at once. */
const PAGE = 500;
/** Pictures copied at once: enough for a bucket, few enough for the memory. */
const CONCURRENCY = 8;

/** A picture of a backup. */
export interface PictureMark {
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
