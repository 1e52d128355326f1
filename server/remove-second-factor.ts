import { parseArgs } from 'node:util';
import { openDatabase } from '../prisma/client.ts';
import {
  LostSecondFactor,
  NothingToRemoveError,
  removeLostSecondFactor,
} from './admin/setup/create-admin.ts';
import { readEnv } from './platform/process/env.ts';
import { explainStartFailure } from './platform/process/start.ts';

const USAGE = 'npm run remove-second-factor -- --email you@example.org';

/** `npm run remove-second-factor`: removes the authenticator app, recovery codes and passkeys of one account. */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { email: { type: 'string' } } });
  const input = LostSecondFactor.safeParse(values);
  if (!input.success) {
    const [problem] = input.error.issues;
    throw new NothingToRemoveError(`--email: ${problem?.message}\n${USAGE}`);
  }
  const env = readEnv();
  const { db, close } = openDatabase({ connectionString: env.DATABASE_URL, poolSize: 1 });
  try {
    await removeLostSecondFactor(db, input.data);
    console.log(
      `The second factor of ${input.data.email} is removed, and its sessions end. The password alone signs in now.`,
    );
  } finally {
    await close();
  }
}

main().catch((error: Error & { code?: string }) => {
  const isOwn = error instanceof NothingToRemoveError;
  const isUsage = error.code?.startsWith('ERR_PARSE_ARGS');
  if (isOwn) console.error(error.message);
  else console.error(isUsage ? `${error.message}\n${USAGE}` : explainStartFailure(error));
  process.exitCode = 1;
});
