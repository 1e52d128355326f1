import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { type Database, isAwayState, type Transaction } from '../../../prisma/client.ts';
import { currentTransaction, withTransaction } from '../process/request-context.ts';

interface DatabaseError {
  code?: string;
  /** The adapter's error kind, where Prisma passes that error on unchanged. */
  kind?: string;
  meta?: {
    code?: string;
    message?: string;
    driverAdapterError?: { cause?: { kind?: string; originalCode?: string } };
  };
  cause?: unknown;
  message?: string;
}

/** Returns the SQLSTATE and network codes of an error and its causes. */
function codesOf(error: unknown): string[] {
  const codes: string[] = [];
  let at = error as DatabaseError | undefined;
  for (let depth = 0; at && typeof at === 'object' && depth < 5; depth++) {
    const cause = at.meta?.driverAdapterError?.cause;
    for (const code of [at.code, at.kind, at.meta?.code, cause?.originalCode, cause?.kind]) {
      if (code) codes.push(code);
    }
    at = at.cause as DatabaseError | undefined;
  }
  return codes;
}

const WRITE_CONFLICT_CODES = new Set(['P2034', '40001', '40P01', 'TransactionWriteConflict']);

/** Returns whether a transaction lost against a concurrent one; it may be retried. */
export const isWriteConflict = (error: unknown): boolean =>
  codesOf(error).some((code) => WRITE_CONFLICT_CODES.has(code));

const AWAY_CODES = new Set([
  ...['P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2028'],
  // idle_in_transaction_session_timeout; statement_timeout is one of the class 57.
  '25P03',
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOENT', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENOTFOUND'],
  ...['DatabaseNotReachable', 'ConnectionClosed', 'SocketTimeout', 'TooManyConnections'],
]);

/**
 * Returns whether the database is away, restarting, read-only, or out of connections, memory or space: 503, retry
 * shortly.
 */
export const isDatabaseAway = (error: unknown): boolean =>
  codesOf(error).some((code) => AWAY_CODES.has(code) || isAwayState(code)) ||
  /Connection terminated|is not queryable|timeout exceeded when trying to connect|server closed the connection|Cannot use a pool after/.test(
    (error as Error | undefined)?.message ?? '',
  );

/** Returns whether a unique constraint was violated. */
export const isDuplicate = (error: unknown): boolean =>
  codesOf(error).some((code) => code === 'P2002' || code === '23505');

/**
 * Returns whether Postgres knows a time zone of this name. Its list and that of `Intl` come from different
 * releases of the same data.
 */
export async function databaseKnowsTimeZone(
  pool: Pick<pg.Pool, 'query'>,
  name: string,
): Promise<boolean> {
  try {
    await pool.query('SELECT now() AT TIME ZONE $1', [name]);
    return true;
  } catch (error) {
    if (codesOf(error).includes('22023')) return false;
    throw error;
  }
}

/** Returns whether a text cannot be stored, such as one with NUL. */
export const isUnstorable = (error: unknown): boolean =>
  codesOf(error).some((code) => code === '22021' || code === 'P2007' || code === '22P05');

/** Escapes the wildcards of a LIKE pattern. */
export const likeLiteral = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

const CONFLICT_ATTEMPTS_MAX = 6;

/**
 * Runs one statement or transaction, and retries it on a write conflict after a short, random delay.
 * `work` must have no effect outside the database.
 * @throws whatever `work` throws, and the write conflict itself after the last attempt
 */
export async function retryConflicts<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === CONFLICT_ATTEMPTS_MAX || !isWriteConflict(error)) throw error;
      await sleep(Math.random() * 20 * 2 ** attempt);
    }
  }
}

const AWAY_RETRY_DELAY_MS = 500;

/**
 * Runs `work`, and retries it for as long as the database is away. For what a process needs to start.
 * @throws whatever else `work` throws
 */
export async function retryWhileAway<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isDatabaseAway(error)) throw error;
      await sleep(AWAY_RETRY_DELAY_MS);
    }
  }
}

/** How long a transaction waits for a connection, and how long it may take, in milliseconds. */
export interface TransactionTimes {
  maxWait: number;
  timeout: number;
}

/**
 * Runs `work` in one transaction, with {@link retryConflicts}. Within a command that is repeatable under its
 * key, `work` is a part of the command's transaction, which is retried as a whole.
 */
export async function transact<T>(
  db: Database,
  work: (tx: Transaction) => Promise<T>,
  times?: TransactionTimes,
): Promise<T> {
  const whole = currentTransaction();
  if (!whole) return retryConflicts(() => db.$transaction(work, times));
  try {
    return await work(whole.tx);
  } catch (error) {
    whole.hasFailed = true;
    throw error;
  }
}

/** Ends a transaction whose effect was only tried. */
class TakenBack extends Error {}

/**
 * Runs `work` in one transaction that what it calls joins, as {@link transact} does, so that several commands take
 * effect together. One that is only tried writes nothing, and has the result that it would have.
 */
export async function transactTogether<T>(
  db: Database,
  work: (tx: Transaction) => Promise<T>,
  { isTried, ...times }: TransactionTimes & { isTried: boolean },
): Promise<T> {
  const whole = currentTransaction();
  if (whole) {
    const result = await work(whole.tx);
    if (isTried) whole.hasFailed = true;
    return result;
  }
  let ended: { result: T; afterCommit: (() => void)[] } | undefined;
  try {
    await retryConflicts(() =>
      db.$transaction(async (tx) => {
        const own = { tx, hasFailed: false, afterCommit: [] };
        ended = {
          result: await withTransaction(own, () => work(tx)),
          afterCommit: own.afterCommit,
        };
        if (isTried) throw new TakenBack();
      }, times),
    );
  } catch (error) {
    if (!(error instanceof TakenBack)) throw error;
  }
  if (!ended) throw new Error('The transaction has no result');
  if (!isTried) for (const after of ended.afterCommit) after();
  return ended.result;
}

/**
 * Takes the advisory lock of this name until the transaction ends. Transactions that lock the same
 * name run one after the other.
 */
export async function lockName(tx: Transaction, name: string): Promise<void> {
  // Cast to text, since Prisma cannot read a column of type void.
  await tx.$queryRaw`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))::text`;
}

/** Returns the object without its undefined fields, so that an update leaves those columns alone. */
export const defined = <T extends object>(
  fields: T,
): { [Key in keyof T]: Exclude<T[Key], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Key in keyof T]: Exclude<T[Key], undefined>;
  };
