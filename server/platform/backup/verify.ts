import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { listMigrationMarks } from '../../../prisma/replay-migrations.ts';
import { forEachAtOnce, inspectTable, listPictures, readPicture, sha256Of } from './files.ts';
import { BackupError, FILES, type Manifest, readManifest } from './manifest.ts';

/**
 * Reads every file of a backup and compares it with the manifest; changes nothing.
 * @throws BackupError naming the first file that is missing or damaged
 */
export async function verifyBackup(folder: string): Promise<Manifest> {
  const manifest = await readManifest(folder);
  for (const { file, bytes, sha256, rows } of manifest.tables) {
    const found = await inspectTable(path.join(folder, FILES.tables, file)).catch(
      (error: NodeJS.ErrnoException) => error,
    );
    if (found instanceof Error) {
      throw damaged(folder, file, found.code === 'ENOENT' ? 'missing' : 'damaged');
    }
    if (found.bytes !== bytes || found.sha256 !== sha256 || found.rows !== rows) {
      throw damaged(folder, file, 'damaged');
    }
  }
  await forEachAtOnce(await listPictures(folder, manifest), async (picture) => {
    await readPicture(folder, picture);
  });
  await readSecret(folder, manifest);
  return manifest;
}

const damaged = (folder: string, file: string, how: 'missing' | 'damaged') =>
  new BackupError(
    `The file ${file} in ${folder} is ${how}. Take another backup; nothing was changed.`,
  );

/** Returns the secret that a backup holds, or undefined. @throws BackupError when it is missing or damaged */
export async function readSecret(folder: string, manifest: Manifest): Promise<string | undefined> {
  if (manifest.secret === null) return undefined;
  const content = await readFile(path.join(folder, FILES.secret), 'utf8').catch(() => undefined);
  if (content === undefined) throw damaged(folder, FILES.secret, 'missing');
  if (sha256Of(content) !== manifest.secret.sha256) throw damaged(folder, FILES.secret, 'damaged');
  return content;
}

/**
 * Returns which migrations of this build the backup has, and which it lacks.
 * @throws BackupError when it has others, which this build cannot make, or not the first one, as builds from before
 *   the first release
 */
export async function splitMigrations(
  manifest: Pick<Manifest, 'migrations'>,
): Promise<{ applied: string[]; missing: string[] }> {
  const known = await listMigrationMarks();
  if (manifest.migrations.every(({ name }) => name !== known[0]?.name)) {
    throw new BackupError(
      'This backup was made by an unreleased version of Farmgate and cannot be brought up to date. Restore it with ' +
        'the build that made it; nothing was changed.',
    );
  }
  const checksums = new Map(known.map(({ name, checksum }) => [name, checksum]));
  for (const { name, checksum } of manifest.migrations) {
    if (checksums.get(name) === checksum) continue;
    throw new BackupError(
      checksums.has(name)
        ? `This backup is of a build whose migration ${name} differs from this one's. Restore it with that build.`
        : `This backup is of a newer version of Farmgate: it has the migration ${name}, which this version does ` +
            'not know. Update this one, then restore.',
    );
  }
  const applied = manifest.migrations.map(({ name }) => name);
  const missing = known.map(({ name }) => name).filter((name) => !applied.includes(name));
  return { applied, missing };
}
