import { AsyncLocalStorage } from 'node:async_hooks';

const storage = new AsyncLocalStorage<{ requestId: string | undefined }>();
let running = 0;

/** Runs `work` so that logs and recorded events inside it carry the request's id, until it is done. */
export async function withRequestId<T>(requestId: string, work: () => Promise<T>): Promise<T> {
  const context: { requestId: string | undefined } = { requestId };
  running++;
  try {
    return await storage.run(context, work);
  } finally {
    context.requestId = undefined;
    // What carries ids along costs every answer from memory a tenth of its time: not while there are none.
    if (--running === 0) storage.disable();
  }
}

/** The id of the request being served, if any. */
export const currentRequestId = (): string | undefined => storage.getStore()?.requestId;
