import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createListener, KEEP_ALIVE_MS } from '../../app.ts';
import { createPlatform } from '../../platform/http/platform.ts';
import type { Env } from '../../platform/process/env.ts';

/** Starts a server that never starts its response cache: every read is computed. */
export async function startUncached(env: Env): Promise<{ url: string; close(): Promise<void> }> {
  const platform = await createPlatform(env, 'test');
  // It numbers nothing: the events of a write are numbered where that is made, and are known there before its answer.
  await platform.eventLog.close();
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, createListener(platform));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await platform.close();
    },
  };
}
