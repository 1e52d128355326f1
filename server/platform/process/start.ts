import { setTimeout as sleep } from 'node:timers/promises';
import type { DatabaseState, OpenDatabase } from '../../../prisma/client.ts';
import { SettingError } from './env.ts';
import type { Log } from './log.ts';

const RETRY_DELAY_MS = 500;

const WAITING_FOR: Record<Exclude<DatabaseState, 'ready' | 'refused'>, string> = {
  away: 'Waiting for Postgres, which does not answer: check DATABASE_URL and that it runs',
  'not migrated': 'Waiting for the database to be migrated: run npm run db:migrate',
};

/**
 * Waits until Postgres answers and has all migrations of this build; logs what it waits for.
 * @throws SettingError when Postgres refuses the user, the password or the database name
 */
export async function waitForDatabase(
  { state }: Pick<OpenDatabase, 'state'>,
  log: Log,
): Promise<void> {
  let logged: DatabaseState | undefined;
  for (;;) {
    const now = await state();
    if (now === 'refused') {
      throw new SettingError(
        'Postgres refuses the connection: check user, password and database name in DATABASE_URL.',
      );
    }
    if (now === 'ready') {
      if (logged) log.info('Database is ready; starting');
      return;
    }
    if (now !== logged) log.warn(WAITING_FOR[now]);
    logged = now;
    await sleep(RETRY_DELAY_MS);
  }
}
