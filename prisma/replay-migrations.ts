import { createHash, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type pg from 'pg';
import { knownMigrations } from './database-state.ts';

/** A migration by its name and the SHA-256 of its file in hex, as Prisma records it. */
export interface MigrationMark {
  name: string;
  checksum: string;
}

/** Reads a migration's file. @throws when this build has none of this name */
async function readMigration(name: string): Promise<MigrationMark & { sql: string }> {
  const sql = await readFile(path.resolve('prisma/migrations', name, 'migration.sql'), 'utf8');
  return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
}

/** Returns the migrations of this build with their checksums, in order. */
export async function listMigrationMarks(): Promise<MigrationMark[]> {
  const migrations = await Promise.all(knownMigrations().map(readMigration));
  return migrations.map(({ name, checksum }) => ({ name, checksum }));
}

/** Creates the table in which Prisma records what it applied, as Prisma does. */
export async function createMigrationsTable(client: pg.Client): Promise<void> {
  await client.query(`CREATE TABLE "_prisma_migrations" (
    "id" VARCHAR(36) PRIMARY KEY NOT NULL,
    "checksum" VARCHAR(64) NOT NULL,
    "finished_at" TIMESTAMPTZ,
    "migration_name" VARCHAR(255) NOT NULL,
    "logs" TEXT,
    "rolled_back_at" TIMESTAMPTZ,
    "started_at" TIMESTAMPTZ NOT NULL DEFAULT now(),
    "applied_steps_count" INTEGER NOT NULL DEFAULT 0)`);
}

/**
 * Applies migrations within the open transaction of `client`, which the schema engine cannot join, and records them
 * as the engine does. The functions of `prisma/sql` are not needed for it.
 */
export async function replayMigrations(client: pg.Client, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const { sql, checksum } = await readMigration(name);
    await client.query(sql);
    await client.query(
      `INSERT INTO "_prisma_migrations" (id, checksum, migration_name, finished_at, applied_steps_count)
       VALUES ($1, $2, $3, now(), 1)`,
      [randomUUID(), checksum, name],
    );
  }
}
