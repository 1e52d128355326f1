import cluster, { type Worker } from 'node:cluster';
import type { Log } from './platform/log.ts';

/** How long a server that ended by itself is left alone before another takes its place. */
const REPLACE_AFTER_MS = 1000;

/**
 * Runs `count` servers on one port, each a process of its own, from the process that calls it. The
 * first must serve before the others start, so that a wrong setting is said once; one that ends by
 * itself later is replaced. SIGTERM and SIGINT end them all in good order.
 * @returns the exit code: 0 when the end was asked for and every server ended well
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
    worker.once('listening', () => {
      hasServed = true;
      if (isFirst) for (let more = 1; more < count; more++) start(false);
    });
    worker.once('exit', (code, signal) => {
      serving.delete(worker);
      if (isStopping) {
        // One that had hardly begun ends by the signal itself.
        if (code !== 0 && signal !== 'SIGTERM') exitCode = 1;
        if (serving.size === 0) end(exitCode);
      } else if (isFirst && !hasServed) {
        end(code || 1);
      } else {
        log.error({ code, signal }, 'A server process ended by itself; another takes its place');
        setTimeout(() => start(false), REPLACE_AFTER_MS);
      }
    });
  };
  start(true);
  return ended;
}
