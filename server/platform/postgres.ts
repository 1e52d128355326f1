import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, Transaction } from '../../prisma/client.ts';

interface DatabaseError {
  code?: string;
  meta?: {
    code?: string;
    message?: string;
    driverAdapterError?: { cause?: { kind?: string; originalCode?: string } };
  };
  cause?: unknown;
  message?: string;
}

/** The SQLSTATE or network code below whatever Prisma or node-postgres wrapped around it. */
function codesOf(error: unknown): string[] {
  const codes: string[] = [];
  let at = error as DatabaseError | undefined;
  for (let depth = 0; at && typeof at === 'object' && depth < 5; depth++) {
    const cause = at.meta?.driverAdapterError?.cause;
    for (const code of [at.code, at.meta?.code, cause?.originalCode, cause?.kind]) {
      if (code) codes.push(code);
    }
    at = at.cause as DatabaseError | undefined;
  }
  return codes;
}

const CONFLICTS = new Set(['P2034', '40001', '40P01', 'TransactionWriteConflict']);

/** Two transactions got in each other's way: the loser may simply try again. */
export const isWriteConflict = (error: unknown): boolean =>
  codesOf(error).some((code) => CONFLICTS.has(code));

const AWAY = new Set([
  'P1001',
  'P1002',
  'P1008',
  'P1017',
  'P2024',
  'P2028',
  '57P01',
  '57P02',
  '57P03',
  '53300',
  '08000',
  '08003',
  '08006',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOENT',
  'ETIMEDOUT',
  'DatabaseNotReachable',
  'ConnectionClosed',
  'SocketTimeout',
  'TooManyConnections',
]);

/** The database is away, restarting or out of connections: the client should come back shortly. */
export const isDatabaseAway = (error: unknown): boolean =>
  codesOf(error).some((code) => AWAY.has(code)) ||
  /Connection terminated|is not queryable|timeout exceeded when trying to connect|server closed the connection|Cannot use a pool after/.test(
    (error as Error | undefined)?.message ?? '',
  );

/** A row with the same unique value is already there. */
export const isDuplicate = (error: unknown): boolean =>
  codesOf(error).some((code) => code === 'P2002' || code === '23505');

/** A text that Postgres cannot hold, such as one with NUL. */
export const isUnstorable = (error: unknown): boolean =>
  codesOf(error).some((code) => code === '22021' || code === 'P2007' || code === '22P05');

/** A text as it stands within a LIKE pattern: its wildcards mean themselves. */
export const likeLiteral = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

const ATTEMPTS = 6;

/**
 * Runs one statement or transaction and, when it lost against another one, again after a short,
 * random pause. `work` must therefore have no effect outside the database.
 * @throws whatever `work` throws, and the write conflict itself after the last attempt
 */
export async function retryConflicts<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === ATTEMPTS || !isWriteConflict(error)) throw error;
      await sleep(Math.random() * 20 * 2 ** attempt);
    }
  }
}

/** Runs `work` in one transaction, with {@link retryConflicts}. */
export const transact = <T>(db: Database, work: (tx: Transaction) => Promise<T>): Promise<T> =>
  retryConflicts(() => db.$transaction(work));

/**
 * Waits for the name and holds it until the transaction ends: whoever else locks the same name comes
 * after, and sees what was done.
 */
export async function lockName(tx: Transaction, name: string): Promise<void> {
  // As text, since Prisma cannot read a column of type void.
  await tx.$queryRaw`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))::text`;
}
