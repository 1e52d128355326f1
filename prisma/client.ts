import { createHash } from 'node:crypto';
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { type Prisma, PrismaClient } from './generated/client.ts';

export type Database = PrismaClient;

/** What runs inside a transaction. */
export type Transaction = Prisma.TransactionClient;

const statementNames = new Map<string, string>();

/** One stable name per statement lets Postgres keep its plan; the name must fit 63 bytes. */
function statementName(sql: string): string {
  let name = statementNames.get(sql);
  if (!name) {
    name = createHash('sha1').update(sql).digest('base64url');
    // Lists of different lengths make different statements; forget them all before they pile up.
    if (statementNames.size > 2000) statementNames.clear();
    statementNames.set(sql, name);
  }
  return name;
}

/**
 * Opens the database: one pool of connections that Prisma and the few hand-written statements share.
 * Nothing connects before the first query.
 */
export function openDatabase(options: { connectionString: string; poolSize: number }): {
  pool: pg.Pool;
  db: Database;
  close: () => Promise<void>;
} {
  const pool = new pg.Pool({
    connectionString: options.connectionString,
    max: options.poolSize,
    connectionTimeoutMillis: 15_000,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
  });
  const adapter = new PrismaPg(pool, {
    statementNameGenerator: (query) => statementName(query.sql),
  });
  const db = new PrismaClient({
    adapter,
    // Otherwise messages hold the values of the query, and go into the log.
    errorFormat: 'minimal',
    // Long enough that a crowd of buyers queues for a connection instead of being turned away.
    transactionOptions: { maxWait: 15_000, timeout: 20_000 },
  });
  return {
    pool,
    db,
    close: async () => {
      await db.$disconnect();
      await pool.end();
    },
  };
}
