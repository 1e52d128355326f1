import { SettingError } from './env.ts';

/**
 * Why a process cannot start, as one sentence where the cause is known, else as it came. `portSetting` is
 * the setting that says where this kind of process listens.
 */
export function explainStartFailure(
  error: NodeJS.ErrnoException & { port?: number },
  portSetting: 'PORT' | 'WORKER_PORT' = 'PORT',
): string {
  if (error instanceof SettingError || /Redis cannot be reached/.test(error.message)) {
    return error.message;
  }
  if (error.code === 'EADDRINUSE') {
    return `Port ${error.port} is taken: stop what uses it, or set ${portSetting} to another one.`;
  }
  if (isPostgresAway(error)) {
    return 'Postgres cannot be reached: check DATABASE_URL and that the database runs.';
  }
  if (/relation "\w+" does not exist|table .* does not exist/.test(error.message)) {
    return 'The database has no tables yet: run npm run db:migrate first.';
  }
  return error.stack ?? error.message;
}

const isPostgresAway = (error: NodeJS.ErrnoException): boolean =>
  error.code === 'ECONNREFUSED' || error.code === 'P1001' || /ECONNREFUSED/.test(error.message);
