import { parseArgs } from 'node:util';
import { openDatabase } from '../prisma/client.ts';
import { AdminRefusedError, createAdmin, NewAdmin } from './admin/setup/create-admin.ts';
import { readEnv } from './platform/process/env.ts';
import { explainStartFailure } from './platform/process/start.ts';

const USAGE = 'npm run create-admin -- --email you@example.org [--name "Your Name"] [--password …]';

/** `npm run create-admin`: creates the account of an admin, and prints a link to choose a password without one. */
async function main(): Promise<void> {
  const options = { type: 'string' } as const;
  const { values } = parseArgs({ options: { email: options, name: options, password: options } });
  const input = NewAdmin.safeParse(values);
  if (!input.success) {
    const complaints = input.error.issues.map(
      ({ path, message }) => `--${String(path[0])}: ${message}`,
    );
    throw new AdminRefusedError([...complaints, USAGE].join('\n'));
  }
  const env = readEnv();
  const { db, close } = openDatabase({ connectionString: env.DATABASE_URL, poolSize: 1 });
  try {
    const { email, link } = await createAdmin(db, input.data, env.PUBLIC_URL);
    console.log(`${email} is an admin of this market now.`);
    if (link) console.log(`Choose a password within a day:\n${link}`);
  } finally {
    await close();
  }
}

main().catch((error: Error & { code?: string }) => {
  const isOwn = error instanceof AdminRefusedError;
  const isUsage = error.code?.startsWith('ERR_PARSE_ARGS');
  if (isOwn) console.error(error.message);
  else console.error(isUsage ? `${error.message}\n${USAGE}` : explainStartFailure(error));
  process.exitCode = 1;
});
