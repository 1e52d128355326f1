import { explainStartFailure } from '../process/start.ts';

/** Why a backup or restore cannot be done; the message is one or two sentences for whoever runs the command. */
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
