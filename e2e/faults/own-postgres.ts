import { execFileSync } from 'node:child_process';
import { chmod, cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { migrateDatabase } from '../../prisma/migrate-database.ts';
import { startPostgres } from '../../scripts/lib/postgres.mjs';
import { freePort } from '../stack.ts';

/** Sends a signal to a process, then to its children: a stopped PostgreSQL starts no new ones. */
function signalAll(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) throw new Error('PostgreSQL is not running.');
  const send = (to: number) => {
    try {
      process.kill(to, signal);
    } catch (error) {
      // It has exited.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  };
  send(pid);
  const list = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
  for (const line of list.split('\n')) {
    const [child, parent] = line.trim().split(/\s+/).map(Number);
    if (parent === pid && child) send(child);
  }
}

export type OwnPostgres = Awaited<ReturnType<typeof startOwnPostgres>>;

/**
 * Starts a private PostgreSQL that a test stops, freezes and restarts. It is migrated, unless it gets the password of
 * another one whose files will replace its own.
 */
export async function startOwnPostgres(password?: string) {
  const folder = await mkdtemp(path.join(tmpdir(), 'farmgate-postgres-'));
  // PostgreSQL may run as another user, who needs access.
  await chmod(folder, 0o755);
  const place = {
    folder,
    ...(password && { password }),
    port: await freePort(),
    // Only a crash of the machine would lose data that a process has written.
    settings: { fsync: 'off' },
  };
  let running = await startPostgres(place);
  if (password === undefined) await migrateDatabase(running.url);

  return {
    url: running.url,
    /** Stops it: `fast` ends every session cleanly, `immediate` aborts like a crash. */
    stop: async (mode: 'fast' | 'immediate'): Promise<void> => {
      if (mode === 'immediate') process.kill(running.child?.pid ?? 0, 'SIGQUIT');
      await running.stop();
    },
    start: async (settings: Record<string, string> = {}): Promise<void> => {
      running = await startPostgres({ ...place, settings: { ...place.settings, ...settings } });
    },
    /** Its files. */
    data: path.join(running.folder, 'data'),
    /** Suspends it: connections stay open and nothing is answered until `thaw`. */
    freeze: (): void => signalAll(running.child?.pid, 'SIGSTOP'),
    thaw: (): void => signalAll(running.child?.pid, 'SIGCONT'),
    remove: async (): Promise<void> => {
      signalAll(running.child?.pid, 'SIGCONT');
      await running.stop();
      await rm(running.folder, { recursive: true, force: true });
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Starts a server that follows another one, which is restarted for it. */
export async function startStandby(primary: OwnPostgres): Promise<OwnPostgres> {
  const { username: user, password, port } = new URL(primary.url);
  const standby = await startOwnPostgres(password);
  await Promise.all([standby.stop('fast'), primary.stop('fast')]);
  await rm(standby.data, { recursive: true });
  // As PostgreSQL's own user, who alone may read it.
  await cp(primary.data, standby.data, { recursive: true, preserveTimestamps: true });
  execFileSync('chown', ['-R', `--reference=${primary.data}`, standby.data]);
  await chmod(standby.data, 0o700);
  await writeFile(path.join(standby.data, 'standby.signal'), '');
  await primary.start();
  await standby.start({
    primary_conninfo: `host=127.0.0.1 port=${port} user=${user} password=${password}`,
  });
  return standby;
}
