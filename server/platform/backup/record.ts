import type pg from 'pg';

/** How long it is known that a backup was made, in days. */
const KEPT_DAYS = 400;

/** What the database remembers of a finished backup. */
export interface BackupRecord {
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
export async function recordBackup(client: pg.Client, backup: BackupRecord): Promise<void> {
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
