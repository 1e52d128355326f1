import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openSchemaEngine } from '../../prisma/schema-engine.ts';
import { startPostgres } from '../../scripts/lib/postgres.mjs';
import { freePort } from '../stack.ts';

/** A migrated PostgreSQL of one's own, to be stopped in good order or at once, and started again. */
export async function startOwnPostgres() {
  const folder = await mkdtemp(path.join(tmpdir(), 'farmgate-postgres-'));
  // PostgreSQL may run as another user than we do, who has to be let in.
  await chmod(folder, 0o755);
  const place = {
    folder,
    port: await freePort(),
    // A process that ends loses nothing that it has written, on the disk or not: only the machine would.
    settings: { fsync: 'off' },
  };
  let running = await startPostgres(place);
  const engine = await openSchemaEngine(running.url);
  await engine.applyMigrations();

  return {
    url: running.url,
    /** Ends it: `fast` tells every session, `immediate` drops all as they are, as a crash does. */
    stop: async (how: 'fast' | 'immediate'): Promise<void> => {
      if (how === 'immediate') process.kill(running.child?.pid ?? 0, 'SIGQUIT');
      await running.stop();
    },
    start: async (): Promise<void> => {
      running = await startPostgres(place);
    },
    remove: async (): Promise<void> => {
      await running.stop();
      await rm(running.folder, { recursive: true, force: true });
      await rm(folder, { recursive: true, force: true });
    },
  };
}
