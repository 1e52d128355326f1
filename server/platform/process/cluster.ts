import cluster, { type Worker } from 'node:cluster';
import type { Log } from './log.ts';

/** Message to the primary: the process listens on all its addresses. */
const SERVING_MESSAGE = 'serving';

/** Notifies the primary, if there is one, that this process serves. */
export const notifyServing = (): void => void process.send?.(SERVING_MESSAGE);

/** Delay before a server process that exited unexpectedly is replaced. */
const REPLACE_DELAY_MS = 1000;

/**
 * Runs `count` server processes on one port. The first must serve before the others start, so that a
 * wrong setting is reported once; a process that exits unexpectedly later is replaced. SIGTERM and
 * SIGINT shut all of them down.
 *
 * Ours because PM2 and throng start all processes at once and restart what cannot start.
 * @returns the exit code: 0 after a requested shutdown in which every process exited with 0
 */
export async function superviseServers(count: number, log: Log): Promise<number> {
  const serving = new Set<Worker>();
  let isStopping = false;
  let exitCode = 0;
  let end: (code: number) => void;
  const ended = new Promise<number>((resolve) => {
    end = resolve;
  });

  const stop = () => {
    isStopping = true;
    for (const worker of serving) worker.process.kill('SIGTERM');
    if (serving.size === 0) end(exitCode);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);

  const start = (isFirst: boolean) => {
    if (isStopping) return;
    const worker = cluster.fork();
    serving.add(worker);
    let hasServed = false;
    worker.on('message', (message) => {
      if (message !== SERVING_MESSAGE || hasServed) return;
      hasServed = true;
      if (isFirst) for (let more = 1; more < count; more++) start(false);
    });
    worker.once('exit', (code, signal) => {
      serving.delete(worker);
      if (isStopping) {
        // A process killed before it installed its signal handlers exits by the signal.
        if (code !== 0 && signal !== 'SIGTERM') exitCode = 1;
        if (serving.size === 0) end(exitCode);
      } else if (isFirst && !hasServed) {
        end(code || 1);
      } else {
        log.error({ code, signal }, 'Server process exited; starting a replacement');
        setTimeout(() => start(false), REPLACE_DELAY_MS);
      }
    });
  };
  start(true);
  return ended;
}
