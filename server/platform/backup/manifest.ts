import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { explainStartFailure } from '../process/start.ts';

/** Why a backup or restore cannot be done; the message is one or two sentences for the person who runs the command. */
export class BackupError extends Error {}

/** SQLSTATEs that tell of an overfull or unusable database rather than of a fault of ours. */
const SENTENCE_BY_SQLSTATE: Record<string, string> = {
  '53100': 'The disk of the database is full. Nothing was changed.',
  '42501':
    "The database's user lacks a right that this needs: it must own the tables and the schema public.",
  '55P03': 'The database is in use: stop the servers and workers of this market first.',
};

/**
 * Returns the failure of a disk or database as one or two sentences, with the folder `where` files were read or
 * written, or the stack of an unknown error.
 */
export function explainBackupFailure(error: unknown, where: string): string {
  if (error instanceof BackupError) return error.message;
  const failure = error as NodeJS.ErrnoException;
  const place = failure.path ?? where;
  switch (failure.code) {
    case 'ENOSPC':
    case 'EDQUOT':
    case 'EFBIG':
      return `The disk with ${place} is full. Nothing was kept: free some space and try again.`;
    case 'EACCES':
    case 'EPERM':
      return `This user may not read or write ${place}. Nothing was changed.`;
    case 'EROFS':
      return `${place} is on a disk that cannot be written. Nothing was changed.`;
    case 'ENOENT':
      return `${place} does not exist and cannot be made. Nothing was changed.`;
    case 'ENOTDIR':
    case 'EEXIST':
      return `${place} is a file where a folder is needed. Nothing was changed.`;
    case 'EIO':
      return `The disk with ${place} fails. Nothing was kept.`;
    default:
      return SENTENCE_BY_SQLSTATE[failure.code ?? ''] ?? explainStartFailure(failure);
  }
}

/** The form of a backup that this build writes and reads. */
export const FORMAT = 1;

/** The names of what a backup's folder holds. */
export const FILES = {
  manifest: 'manifest.json',
  tables: 'tables',
  pictures: 'pictures',
  /** The checksums of all pictures, as `sha256sum --check` reads them. */
  pictureSums: 'pictures.sha256',
  secret: 'jwt-secret',
} as const;

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
/** A name without a path, since names in a manifest become names of files and tables. */
const plainName = z.string().regex(/^[\w-]+(\.[\w-]+)*$/);

const Manifest = z.object({
  product: z.literal('farmgate'),
  format: z.number().int(),
  /** The version of the product that wrote it. */
  version: z.string(),
  postgres: z.string(),
  /** The instant that all rows are of. */
  at: z.iso.datetime(),
  migrations: z.array(z.object({ name: plainName, checksum: z.string() })).min(1),
  tables: z
    .array(
      z.object({
        name: plainName,
        columns: z.array(plainName),
        rows: z.number().int().min(0),
        file: plainName,
        bytes: z.number().int(),
        sha256,
      }),
    )
    .min(1),
  /** The last number that each sequence gave; null where it gave none. */
  sequences: z.array(z.object({ name: plainName, last: z.string().regex(/^\d+$/).nullable() })),
  /** Null where the pictures were left out. */
  pictures: z
    .object({
      count: z.number().int(),
      bytes: z.number().int(),
      /** Pictures of the database that the storage did not have. */
      missing: z.number().int(),
      /** Of {@link FILES.pictureSums}. */
      sha256,
    })
    .nullable(),
  /** The secret that signs sessions; null where it is a setting. */
  secret: z.object({ sha256 }).nullable(),
});

/** What a backup says of itself. */
export type Manifest = z.infer<typeof Manifest>;

/** Reads what a backup says of itself. @throws BackupError when the folder is not a backup that this build reads */
export async function readManifest(folder: string): Promise<Manifest> {
  let text: string;
  try {
    text = await readFile(path.join(folder, FILES.manifest), 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error;
    throw new BackupError(
      `${folder} is not a backup: it has no ${FILES.manifest}. Name the folder of one backup with --from.`,
    );
  }
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    content = undefined;
  }
  const format = (content as { format?: unknown } | undefined)?.format;
  if (typeof format === 'number' && format > FORMAT) {
    throw new BackupError(
      `${folder} was made by a newer version of Farmgate. Update this one, then restore.`,
    );
  }
  const parsed = Manifest.safeParse(content);
  if (parsed.success) return parsed.data;
  throw new BackupError(
    `The file ${FILES.manifest} in ${folder} is damaged. Take another backup; nothing was changed.`,
  );
}

/** Returns how many rows a backup holds. */
export const countRows = ({ tables }: Pick<Manifest, 'tables'>): number =>
  tables.reduce((sum, { rows }) => sum + rows, 0);
