import type { Worker } from 'node:cluster';
import cluster from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DatabaseState, OpenDatabase } from '../../../prisma/client.ts';
import { type Env, SettingError } from './env.ts';
import type { PortSetting } from './listen.ts';
import type { Log } from './log.ts';
import { isFromSources, RELEASE_FOLDER } from './release.ts';

const RETRY_DELAY_MS = 500;

const WAITING_FOR: Record<Exclude<DatabaseState, 'ready' | 'refused'>, string> = {
  away: 'Waiting for Postgres: check DATABASE_URL and that it runs',
  'no writes': 'Waiting for Postgres to take writes',
  'not migrated': 'Waiting for the database to be migrated: run npm run db:migrate',
};

/**
 * Waits until Postgres answers and has all migrations of this build; logs what it waits for, and why.
 * @throws SettingError when Postgres refuses the user, the password or the database name
 */
export async function waitForDatabase(
  database: Pick<OpenDatabase, 'state' | 'reason'>,
  log: Log,
): Promise<void> {
  let logged: string | undefined;
  for (;;) {
    const now = await database.state();
    const reason = database.reason();
    if (now === 'refused') {
      throw new SettingError(
        `Postgres refuses the connection (${reason}): check user, password and database name in DATABASE_URL.`,
      );
    }
    if (now === 'ready') {
      if (logged) log.info('Database is ready; starting');
      return;
    }
    if (`${now}: ${reason}` !== logged) log.warn({ reason }, WAITING_FOR[now]);
    logged = `${now}: ${reason}`;
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

  // A replacement is of the same release as the others, whatever was built since.
  if (!isFromSources) cluster.setupPrimary({ exec: `${RELEASE_FOLDER}/server/server.js` });

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
