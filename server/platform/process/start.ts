import { setTimeout as sleep } from 'node:timers/promises';
import type { DatabaseState, OpenDatabase } from '../../../prisma/client.ts';
import { type Env, SettingError } from './env.ts';
import type { PortSetting } from './listen.ts';
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

/** What a shutdown needs of the platform. */
interface Process {
  env: Env;
  log: Log;
  eventLog: { sequence(): Promise<void> };
  close(): Promise<void>;
}

/**
 * Shuts the process down on SIGTERM and SIGINT: runs `finish`, numbers the recorded events, closes the
 * stores and exits with 0. After SHUTDOWN_GRACE_MS it exits with 1 in any case.
 */
export function shutDownOnSignal(platform: Process, finish: () => Promise<void>): void {
  let isShuttingDown = false;
  const end = async (signal: string) => {
    if (isShuttingDown) return;
    isShuttingDown = true;
    platform.log.info({ signal }, 'Shutting down');
    const forced = setTimeout(() => process.exit(1), platform.env.SHUTDOWN_GRACE_MS);
    await finish();
    await platform.eventLog.sequence();
    await platform.close();
    clearTimeout(forced);
    process.exit(0);
  };
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
}

/** Returns why a process cannot start: one sentence for a known cause, else the stack. */
export function explainStartFailure(
  error: NodeJS.ErrnoException & { port?: number; address?: string; setting?: PortSetting },
): string {
  if (error instanceof SettingError) return error.message;
  if (error.code === 'EADDRINUSE') {
    return `Port ${error.port} is taken: stop what uses it, or set ${error.setting ?? 'PORT'} to another one.`;
  }
  if (error.code === 'EADDRNOTAVAIL') {
    return `This machine cannot listen on ${error.address}: set HOST to one of its addresses.`;
  }
  if (isPostgresAway(error)) {
    return 'Postgres cannot be reached: check DATABASE_URL and that the database runs.';
  }
  return error.stack ?? error.message;
}

const isPostgresAway = (error: NodeJS.ErrnoException): boolean =>
  error.code === 'ECONNREFUSED' || error.code === 'P1001' || /ECONNREFUSED/.test(error.message);
