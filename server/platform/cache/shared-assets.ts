import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Env } from '../process/env.ts';
import type { Log } from '../process/log.ts';
import { RELEASE_FOLDER } from '../process/release.ts';
import { createStorage, type Storage } from '../uploads/storage.ts';

const DAY_MS = 86_400_000;
/** A week after the last server that had a file, and wrote it each day: pages of its release may still be open. */
const KEPT_MS = 8 * DAY_MS;
/** How long a start waits for a storage that does not answer. */
const START_WAIT_MS = 5000;
const RETRY_DELAY_MS = 30_000;

const ASSETS = path.join(RELEASE_FOLDER, 'web/assets');

/** Stores the files of a folder that are missing or old there, and removes those that no server has had for a week. */
export async function publishAssets(storage: Storage, directory: string): Promise<void> {
  const known = await storage.list();
  const ageOf = (name: string) => Date.now() - (known.get(name) ?? 0);
  // What is compressed is compressed by the server that serves it.
  const own = (await readdir(directory)).filter((name) => !/\.(br|gz)$/.test(name));
  const toWrite = own.filter((name) => ageOf(name) > DAY_MS / 2);
  await Promise.all(
    toWrite.map(async (name) => storage.write(name, await readFile(path.join(directory, name)))),
  );
  const toRemove = [...known.keys()].filter((name) => !own.includes(name) && ageOf(name) > KEPT_MS);
  await Promise.all(toRemove.map((name) => storage.remove(name)));
}

/**
 * Gives the client's files of this release to all servers, so that a page of one release works at a server of another:
 * while several run behind one address, and for a week after the last one has ended. Resolves when the files are
 * there, or the storage does not answer soon; then it is tried again. Does nothing where the client is not built.
 * @returns how to stop
 */
export async function shareAssets({ env, log }: { env: Env; log: Log }): Promise<() => void> {
  const end = new AbortController();
  const storage = createStorage(env, { kind: 'assets' });

  async function publish(): Promise<void> {
    for (;;) {
      const isPublished = await publishAssets(storage, ASSETS).then(
        () => true,
        (error: NodeJS.ErrnoException) => {
          if (error.code === 'ENOENT' && error.path === ASSETS) return true;
          log.warn(
            { reason: error.message },
            'Files of this release could not be shared; will retry',
          );
          return false;
        },
      );
      if (isPublished) return;
      await sleep(RETRY_DELAY_MS, undefined, { ref: false, signal: end.signal });
    }
  }
  /** @returns what resolves once the files are stored; fails only when it was stopped */
  const publishUntilStopped = () => publish().catch(() => undefined);

  const timer = setInterval(() => void publishUntilStopped(), DAY_MS).unref();
  await Promise.race([publishUntilStopped(), sleep(START_WAIT_MS, undefined, { ref: false })]);
  return () => {
    clearInterval(timer);
    end.abort();
  };
}
