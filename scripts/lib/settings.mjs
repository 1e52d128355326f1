import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { UserError } from './output.mjs';

/** The root folder of the project. */
export const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

/** Returns what stands for a folder in the names of things outside it: short, and always the same. */
export const folderId = (folder) => createHash('sha256').update(folder).digest('hex').slice(0, 12);

function readPort() {
  const text = process.env.PORT || '3000';
  if (/^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65_535) return Number(text);
  throw new UserError(`PORT is "${text}": it must be a whole number from 1 to 65535.`);
}

/**
 * Returns the settings that the commands themselves use, from `.env` and the environment, which takes
 * precedence, and `env`, the environment for the programs they start. Those programs validate the other
 * settings. Throws a `UserError` for an invalid value.
 */
export function readSettings() {
  const file = join(root, '.env');
  if (existsSync(file)) process.loadEnvFile(file);
  const seed = process.env.SEED || (process.env.NODE_ENV === 'production' ? 'none' : 'demo');
  if (seed !== 'demo' && seed !== 'none') {
    throw new UserError(`SEED is "${seed}": it must be "demo" or "none".`);
  }
  const port = readPort();
  // The demo accounts have a known password, so without HOST only this machine may reach them.
  const host =
    (process.env.HOST ?? '').trim().toLowerCase() || (seed === 'demo' ? 'localhost' : '0.0.0.0');
  let dataDir = resolve(root, process.env.DATA_DIR || '.data');
  try {
    mkdirSync(dataDir, { recursive: true });
    dataDir = realpathSync(dataDir);
  } catch (error) {
    throw new UserError(`DATA_DIR names ${dataDir}, which cannot be created (${error.code}).`);
  }
  return {
    port,
    seed,
    dataDir,
    host,
    metricsPort: process.env.METRICS_PORT ? Number(process.env.METRICS_PORT) : undefined,
    // Milliseconds that the programs may take to stop; they reject an invalid number themselves.
    graceMs: Number(process.env.SHUTDOWN_GRACE_MS || 20_000) || 0,
    databaseUrl: process.env.DATABASE_URL || undefined,
    redisUrl: process.env.REDIS_URL || undefined,
    env: { ...process.env, PORT: String(port), HOST: host, SEED: seed, DATA_DIR: dataDir },
  };
}
