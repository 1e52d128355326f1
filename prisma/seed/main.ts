import { readEnv } from '../../server/platform/env.ts';
import { explainStartFailure } from '../../server/platform/start-failure.ts';
import { createStorage } from '../../server/uploads/storage.ts';
import { openDatabase } from '../client.ts';
import { seedMarket } from './seed-market.ts';

/** `npm run db:seed`: the demo market, unless the market has accounts already. */
async function main(): Promise<void> {
  const env = readEnv();
  const { db, close } = openDatabase({ connectionString: env.DATABASE_URL, poolSize: 4 });
  try {
    const { wasSeeded, picturesRendered } = await seedMarket({ db, storage: createStorage(env) });
    const sentences = [
      wasSeeded
        ? 'The demo market is there.'
        : 'The market has accounts already; it stays as it is.',
      ...(picturesRendered > 0 ? [`Rendered ${picturesRendered} pictures.`] : []),
    ];
    console.log(sentences.join(' '));
  } finally {
    await close();
  }
}

main().catch((error: Error) => {
  console.error(explainStartFailure(error));
  process.exitCode = 1;
});
