import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { openDatabase } from '../prisma/client.ts';
import { readEnv } from '../server/platform/process/env.ts';
import { explainStartFailure } from '../server/platform/process/start.ts';
import { createStorage } from '../server/platform/uploads/storage.ts';
import { describeAccounts, generatePasswords, isLoopback, settlePasswords } from './passwords.ts';
import { seedMarket } from './seed-market.ts';

/**
 * `npm run db:seed`: seeds the demo market unless the market has accounts. Demo accounts get generated passwords
 * when other machines can reach HOST, which includes production without HOST. `--accounts-only` only updates
 * the passwords of existing demo accounts; `--accounts-to FILE` writes the accounts to a file instead of
 * printing them.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { 'accounts-only': { type: 'boolean' }, 'accounts-to': { type: 'string' } },
  });
  const env = readEnv();
  const host = process.env.HOST || (env.NODE_ENV === 'production' ? env.HOST : 'localhost');
  const options = { dataDirectory: env.DATA_DIR, isPublic: !isLoopback(host) };
  const { db, close } = openDatabase({
    connectionString: env.DATABASE_URL,
    poolSize: 4,
    // Nobody waits for an answer of this program: a machine that is busy starting it may take its time.
    silenceMaxMs: 30_000,
  });
  try {
    if (!values['accounts-only']) {
      const generated = options.isPublic ? await generatePasswords(env.DATA_DIR) : {};
      const { wasSeeded, picturesRendered } = await seedMarket({
        db,
        storage: createStorage(env),
        timeZone: env.MARKET_TIME_ZONE,
        passwordHashes: new Map(
          Object.entries(generated).map(([email, { hash }]) => [email, hash]),
        ),
      });
      const sentences = [
        wasSeeded
          ? 'The demo market was created.'
          : 'The market already has accounts; nothing was seeded.',
        ...(picturesRendered > 0 ? [`Rendered ${picturesRendered} pictures.`] : []),
      ];
      console.log(sentences.join(' '));
    }
    const accounts = describeAccounts(await settlePasswords(db, options));
    const file = values['accounts-to'];
    if (file !== undefined) writeFileSync(file, accounts, { mode: 0o600 });
    else if (accounts !== '') console.log(accounts);
  } finally {
    await close();
  }
}

main().catch((error: Error) => {
  console.error(explainStartFailure(error));
  process.exitCode = 1;
});
