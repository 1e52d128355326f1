import { AsyncLocalStorage } from 'node:async_hooks';
import type { Transaction } from '../../../prisma/client.ts';

/** The transaction in which a repeatable command runs as a whole. */
export interface CommandTransaction {
  tx: Transaction;
  /** Whether a part of it failed, so that Postgres may only roll it back. */
  hasFailed: boolean;
  /** What is done once it is committed. */
  afterCommit: (() => void)[];
}

interface RequestContext {
  /** For whom is written. */
  language?: string | undefined;
  requestId?: string | undefined;
  commandId?: string | undefined;
  transaction?: CommandTransaction | undefined;
}

const storage = new AsyncLocalStorage<RequestContext>();
let running = 0;

async function within<T>(added: RequestContext, work: () => Promise<T>): Promise<T> {
  const context: RequestContext = { ...storage.getStore(), ...added };
  running++;
  try {
    return await storage.run(context, work);
  } finally {
    // What runs on after the request must not write into a transaction that has ended.
    context.requestId = context.commandId = context.transaction = undefined;
    // AsyncLocalStorage hooks slow cached responses by about 10 %: disable them while idle.
    if (--running === 0) storage.disable();
  }
}

/**
 * Runs `work` so that log lines and recorded events inside it carry the request's id, and sentences are in the
 * language.
 */
export const withRequestId = <T>(
  requestId: string,
  work: () => Promise<T>,
  language?: string,
): Promise<T> => within({ requestId, ...(language !== undefined && { language }) }, work);

/** Runs `work` so that sentences written inside it are in this language. */
export const withLanguageTag = <T>(language: string, work: () => Promise<T>): Promise<T> =>
  within({ language }, work);

/** Returns the language of the current reader; undefined where nobody is known to read. */
export const currentLanguage = (): string | undefined => storage.getStore()?.language;

/** Runs `work` so that recorded events inside it carry the command's id. */
export const withCommandId = <T>(
  commandId: string | undefined,
  work: () => Promise<T>,
): Promise<T> => within({ commandId }, work);

/** Runs `work` so that whatever it writes belongs to this transaction. */
export const withTransaction = <T>(
  transaction: CommandTransaction,
  work: () => Promise<T>,
): Promise<T> => within({ transaction }, work);

/** Returns the id of the current request, if any. */
export const currentRequestId = (): string | undefined => storage.getStore()?.requestId;

/** Returns the id of the current command, if its client gave it one. */
export const currentCommandId = (): string | undefined => storage.getStore()?.commandId;

/** Returns the transaction of the current command, if it runs in one. */
export const currentTransaction = (): CommandTransaction | undefined =>
  storage.getStore()?.transaction;

/** Runs `work` when the current command is committed; now, if it does not run in a transaction. */
export function afterCommit(work: () => void): void {
  const transaction = currentTransaction();
  if (transaction) transaction.afterCommit.push(work);
  else work();
}
