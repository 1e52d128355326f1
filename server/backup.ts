import path from 'node:path';
import {
  formatBytes,
  readCommandSettings,
  readOptions,
  readSecretFile,
  resolveFolder,
  runCommand,
} from './platform/backup/command.ts';
import { createBackup } from './platform/backup/create.ts';
import { BackupError, countRows } from './platform/backup/manifest.ts';
import { readVersion } from './platform/process/env.ts';
import { createStorage } from './platform/uploads/storage.ts';

const USAGE = 'npm run backup -- [--to folder] [--keep number] [--without-pictures]';

let folder = '';

/** `npm run backup`: writes the database and the pictures to a new folder, while the market runs. */
async function backUp(signal: AbortSignal): Promise<void> {
  const values = readOptions(
    {
      to: { type: 'string' },
      keep: { type: 'string' },
      'without-pictures': { type: 'boolean' },
    },
    USAGE,
  );
  const keep = values.keep === undefined ? undefined : Number(values.keep);
  if (keep !== undefined && !(Number.isInteger(keep) && keep >= 1)) {
    throw new BackupError(`--keep takes a whole number from 1.\n${USAGE}`);
  }
  const { env, secretFile } = readCommandSettings();
  folder = values.to ? resolveFolder(values.to) : path.resolve(env.DATA_DIR, 'backups');
  const made = await createBackup({
    connectionString: env.DIRECT_URL ?? env.DATABASE_URL,
    storage: values['without-pictures'] ? undefined : createStorage(env),
    secret: readSecretFile(secretFile),
    version: readVersion(),
    to: folder,
    keep,
    print: console.log,
    signal,
  });
  const { tables, pictures, secret } = made.manifest;
  const sizes = [...tables.map(({ bytes }) => bytes), pictures?.bytes ?? 0];
  const size = formatBytes(sizes.reduce((sum, bytes) => sum + bytes, 0));
  console.log(`Backed up to ${made.folder}`);
  console.log(
    `${countRows(made.manifest)} rows in ${tables.length} tables and ${pictures?.count ?? 'no'} picture files, ` +
      `${size}, read again and whole.`,
  );
  if (pictures?.missing) {
    console.log(`${pictures.missing} picture files are missing in the market itself.`);
  }
  if (pictures === null) {
    console.log(
      env.S3_BUCKET
        ? `The pictures were left out: keep the bucket ${env.S3_BUCKET} safe by its own versioning or replication.`
        : 'The pictures were left out.',
    );
  }
  console.log(
    secret
      ? 'It holds the secret that signs sessions: keep it where only you can read it.'
      : 'JWT_SECRET is a setting and not part of it: keep that safe beside it.',
  );
}

await runCommand(backUp, () => folder);
