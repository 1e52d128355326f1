import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { createConnectionGuard, isTransactionPooler } from './connection-guard.ts';
import { createDatabaseState, type DatabaseState } from './database-state.ts';
import { type Prisma, PrismaClient } from './generated/client.ts';

export { DatabaseHangsError, isAwayState } from './connection-guard.ts';
export type { DatabaseState };

export type Database = PrismaClient;

/** What runs inside a transaction. */
export type Transaction = Prisma.TransactionClient;

const statementNames = new Map<string, string>();

/** One stable name per statement lets Postgres keep its plan; the name must fit 63 bytes. */
function statementName(sql: string): string {
  let name = statementNames.get(sql);
  if (!name) {
    name = createHash('sha1').update(sql).digest('base64url');
    // Lists of different lengths make different statements; drop them all before they accumulate.
    if (statementNames.size > 2000) statementNames.clear();
    statementNames.set(sql, name);
  }
  return name;
}

/** A transaction that a client left open is ended by the server after this time. */
const IDLE_TRANSACTION_MAX_MS = 60_000;
const limits = (statementMaxMs: number | undefined): string =>
  `SET idle_in_transaction_session_timeout = ${IDLE_TRANSACTION_MAX_MS}` +
  (statementMaxMs === undefined ? '' : `; SET statement_timeout = ${statementMaxMs}`);

/** How long closing waits for a Postgres that has just stopped answering. */
const CLOSE_WITHIN_MS = 2000;

export interface DatabaseOptions {
  /** With `pgbouncer=true` it is that of a pooler which gives every transaction another session. */
  connectionString: string;
  /** The address of Postgres itself, where the other is that of a pooler. */
  directUrl?: string | undefined;
  poolSize: number;
  /** The longest that one statement may run; without it there is no limit. */
  statementMaxMs?: number;
  /** Milliseconds without any answer after which Postgres counts as hanging; 1500 by default. */
  silenceMaxMs?: number;
  /** Called when Postgres stops answering, and when it answers again. */
  onHang?: (isHanging: boolean) => void;
  /** Called whenever Postgres says that it cannot do its work; the state tells whether that goes on. */
  onRefusal?: () => void;
}

/** One market's database as a process uses it. */
export interface OpenDatabase {
  pool: pg.Pool;
  db: Database;
  /** Whether the database can be used; answers within 2 s. */
  state(): Promise<DatabaseState>;
  /** Why not, in the words of Postgres or the network, as the last look found it. */
  reason(): string | undefined;
  /** A session with Postgres itself beside the pool, not connected yet, under the same guard against hanging. */
  newClient(): pg.Client;
  close(): Promise<void>;
}

/**
 * Opens the database: one pool of connections that Prisma and the few hand-written statements share.
 * Nothing connects before the first query. While Postgres hangs every query fails with a
 * `DatabaseHangsError`, within 2 s unless `silenceMaxMs` says otherwise.
 */
export function openDatabase(options: DatabaseOptions): OpenDatabase {
  const { connectionString, directUrl = connectionString, statementMaxMs, silenceMaxMs } = options;
  const sharesSessions = isTransactionPooler(connectionString);
  const guard = createConnectionGuard({
    directUrl,
    sharesSessions,
    statementMaxMs,
    silenceMaxMs,
    onChange: (isHanging) => options.onHang?.(isHanging),
    onRefusal: (code) => {
      state.noteRefusal(code);
      options.onRefusal?.();
    },
  });
  const connecting = {
    connectionTimeoutMillis: 15_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  };
  const pool = new pg.Pool({
    ...connecting,
    connectionString,
    Client: guard.Client,
    max: options.poolSize,
    idleTimeoutMillis: 60_000,
    // Not by start-up parameters, which poolers refuse. In a shared session they would be another one's limits too.
    ...(!sharesSessions && {
      onConnect: (client: pg.ClientBase) => client.query(limits(statementMaxMs)),
    }),
  });
  guard.watchPool(pool);
  const state = createDatabaseState({
    pool,
    isHanging: guard.isHanging,
    onReadOnly: guard.renewAll,
  });
  // A connection may be ended by Postgres while nobody uses it. Prisma listens too, but no longer while the
  // pool is closing, when an error without a listener would end the process.
  pool.on('error', () => {});
  const adapter = new PrismaPg(pool, {
    statementNameGenerator: (query) => statementName(query.sql),
  });
  const db = new PrismaClient({
    adapter,
    // Otherwise messages hold the values of the query, and go into the log.
    errorFormat: 'minimal',
    // Long enough that many consumers queue for a connection instead of being turned away.
    transactionOptions: { maxWait: 15_000, timeout: 20_000 },
  });
  return {
    pool,
    db,
    state: state.read,
    reason: state.reason,
    newClient: () => guard.newClient({ ...connecting, connectionString: directUrl }),
    close: async () => {
      const closed = db.$disconnect().then(() => pool.end());
      const isClosed = new AbortController();
      await Promise.race([
        closed,
        sleep(CLOSE_WITHIN_MS, undefined, { signal: isClosed.signal }).catch(() => {}),
      ]);
      isClosed.abort();
      guard.close();
    },
  };
}
