import { describeHeld } from '#contract/admin/health/constants';
import { openDatabase } from '../prisma/client.ts';
import { readEnv } from './platform/process/env.ts';
import { explainStartFailure } from './platform/process/start.ts';
import { settleDeliveries } from './platform/stores/held-deliveries.ts';

/** `npm run held-deliveries -- send` or `-- drop`: settles what waits since a backup was restored. */
async function main(): Promise<void> {
  const [action] = process.argv.slice(2);
  if (action !== 'send' && action !== 'drop') {
    throw new Error('Say what becomes of it: npm run held-deliveries -- send, or -- drop');
  }
  const env = readEnv();
  const { db, close } = openDatabase({ connectionString: env.DATABASE_URL, poolSize: 1 });
  try {
    const held = await db.$transaction((tx) => settleDeliveries(tx, action));
    const what = describeHeld(held) || 'Nothing';
    console.log(
      action === 'send'
        ? `${what}: the workers send what still holds.`
        : `${what}: dropped, nobody is notified.`,
    );
  } finally {
    await close();
  }
}

main().catch((error: Error) => {
  console.error(explainStartFailure(error));
  process.exitCode = 1;
});
