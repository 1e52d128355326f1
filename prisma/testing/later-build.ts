import { cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** The name of the migration that a later build has and this one lacks. */
export const LATER_MIGRATION = '29990101000000_later';

/** Puts links to everything of a folder but `except` into another one. */
async function linkContents(from: string, to: string, except: string): Promise<void> {
  await mkdir(to, { recursive: true });
  for (const name of await readdir(from)) {
    if (name !== except) await symlink(path.resolve(from, name), path.join(to, name));
  }
}

/**
 * Makes a build that has everything of this one and one migration more: a folder to run the built programs in.
 * @returns the folder, and a function that removes it
 */
export async function makeLaterBuild(
  sql: string,
): Promise<{ folder: string; remove: () => Promise<void> }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'farmgate-later-build-'));
  const migrations = path.join(folder, 'prisma/migrations');
  await linkContents('.', folder, 'prisma');
  await linkContents('prisma', path.join(folder, 'prisma'), 'migrations');
  await cp('prisma/migrations', migrations, { recursive: true });
  await mkdir(path.join(migrations, LATER_MIGRATION));
  await writeFile(path.join(migrations, LATER_MIGRATION, 'migration.sql'), sql);
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}
