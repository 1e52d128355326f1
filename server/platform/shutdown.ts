import type { Platform } from './platform.ts';

/**
 * Ends the process in good order when it is asked to: `finish` ends what it does, then what was
 * written gets its numbers and the stores are closed. After the setting's grace it ends in any case,
 * with 1.
 */
export function endOnSignal(platform: Platform, finish: () => Promise<void>): void {
  let isEnding = false;
  const end = async (signal: string) => {
    if (isEnding) return;
    isEnding = true;
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
