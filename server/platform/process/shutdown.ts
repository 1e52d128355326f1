import type { Env } from './env.ts';
import type { Log } from './log.ts';

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
