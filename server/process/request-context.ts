import { AsyncLocalStorage } from 'node:async_hooks';

const storage = new AsyncLocalStorage<{ requestId: string | undefined }>();
let running = 0;

/** Runs `work` so that log lines and recorded events inside it carry the request's id. */
export async function withRequestId<T>(requestId: string, work: () => Promise<T>): Promise<T> {
  const context: { requestId: string | undefined } = { requestId };
  running++;
  try {
    return await storage.run(context, work);
  } finally {
    context.requestId = undefined;
    // AsyncLocalStorage hooks slow cached responses by about 10 %: disable them while idle.
    if (--running === 0) storage.disable();
  }
}

/** Returns the id of the current request, if any. */
export const currentRequestId = (): string | undefined => storage.getStore()?.requestId;
