import { SettingError } from './env.ts';
import type { PortSetting } from './listen.ts';

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
