import {
  readCommandSettings,
  readOptions,
  resolveFolder,
  runCommand,
} from './platform/backup/command.ts';
import { BackupError, countRows, type Manifest } from './platform/backup/manifest.ts';
import { restoreBackup } from './platform/backup/restore.ts';
import { splitMigrations, verifyBackup } from './platform/backup/verify.ts';
import { createStorage } from './platform/uploads/storage.ts';

const USAGE = 'npm run restore -- --from folder [--replace] [--check]';

let folder = '';

const describe = (manifest: Manifest): string =>
  `${countRows(manifest)} rows in ${manifest.tables.length} tables and ${manifest.pictures?.count ?? 'no'} picture ` +
  `files of ${manifest.at}`;

/** `npm run restore`: makes an empty market, or one that is given up, what it was when a backup was made. */
async function restore(signal: AbortSignal): Promise<void> {
  const values = readOptions(
    { from: { type: 'string' }, replace: { type: 'boolean' }, check: { type: 'boolean' } },
    USAGE,
  );
  if (!values.from) throw new BackupError(`Name the folder of the backup.\n${USAGE}`);
  folder = resolveFolder(values.from);
  if (values.check) {
    const manifest = await verifyBackup(folder);
    await splitMigrations(manifest);
    console.log(`This backup is whole: ${describe(manifest)}.`);
    return;
  }
  const { env, secretFile } = readCommandSettings();
  const manifest = await restoreBackup({
    from: folder,
    connectionString: env.DIRECT_URL ?? env.DATABASE_URL,
    storage: createStorage(env),
    secretFile,
    replace: values.replace ?? false,
    print: console.log,
    signal,
  });
  console.log(`Restored ${describe(manifest)}.`);
  if (manifest.pictures === null) {
    console.log('The backup holds no pictures: the market shows those that the storage has.');
  }
  if (manifest.secret === null || secretFile === undefined) {
    console.log('Sessions go on only with the JWT_SECRET that the market had: set it as it was.');
  }
}

await runCommand(restore, () => folder);
