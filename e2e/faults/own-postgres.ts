import { execFileSync } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
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

/** Starts a private, migrated PostgreSQL that a test stops, freezes and restarts. */
export async function startOwnPostgres() {
  const folder = await mkdtemp(path.join(tmpdir(), 'farmgate-postgres-'));
  // PostgreSQL may run as another user, who needs access.
  await chmod(folder, 0o755);
  const place = {
    folder,
    port: await freePort(),
    // Only a crash of the machine would lose data that a process has written.
    settings: { fsync: 'off' },
  };
  let running = await startPostgres(place);
  await migrateDatabase(running.url);

  return {
    url: running.url,
    /** Stops it: `fast` ends every session cleanly, `immediate` aborts like a crash. */
    stop: async (mode: 'fast' | 'immediate'): Promise<void> => {
      if (mode === 'immediate') process.kill(running.child?.pid ?? 0, 'SIGQUIT');
      await running.stop();
    },
    start: async (): Promise<void> => {
      running = await startPostgres(place);
    },
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
