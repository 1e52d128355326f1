import { AsyncLocalStorage } from 'node:async_hooks';

const storage = new AsyncLocalStorage<{ requestId: string }>();

/** Runs `work` so that logs and recorded events inside it carry the request's id. */
export const withRequestId = <T>(requestId: string, work: () => T): T =>
  storage.run({ requestId }, work);

/** The id of the request being served, if any. */
export const currentRequestId = (): string | undefined => storage.getStore()?.requestId;
