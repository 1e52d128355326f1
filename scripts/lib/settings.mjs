import { existsSync, mkdirSync, realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Refusal } from './output.mjs';

/** The folder of the project. */
export const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

function readPort() {
  const text = process.env.PORT || '3000';
  if (/^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65_535) return Number(text);
  throw new Refusal(`PORT is "${text}": it must be a whole number from 1 to 65535.`);
}

/**
 * What the commands themselves need of the settings, after `.env` was read (what the environment says
 * wins over it), and `env`, the environment for the programs they start. All other settings are checked
 * by those programs. Throws a `Refusal` for a value that cannot be.
 */
export function readSettings() {
  const file = join(root, '.env');
  if (existsSync(file)) process.loadEnvFile(file);
  const seed = process.env.SEED || (process.env.NODE_ENV === 'production' ? 'none' : 'demo');
  if (seed !== 'demo' && seed !== 'none') {
    throw new Refusal(`SEED is "${seed}": it must be "demo" or "none".`);
  }
  const port = readPort();
  let dataDir = resolve(root, process.env.DATA_DIR || '.data');
  try {
    mkdirSync(dataDir, { recursive: true });
    dataDir = realpathSync(dataDir);
  } catch (error) {
    throw new Refusal(`DATA_DIR names ${dataDir}, which cannot be made (${error.code}).`);
  }
  return {
    port,
    seed,
    dataDir,
    host: process.env.HOST || '0.0.0.0',
    // How long the programs may take to end; they complain themselves about what is no number.
    graceMs: Number(process.env.SHUTDOWN_GRACE_MS || 20_000) || 0,
    databaseUrl: process.env.DATABASE_URL || undefined,
    redisUrl: process.env.REDIS_URL || undefined,
    env: { ...process.env, PORT: String(port), SEED: seed, DATA_DIR: dataDir },
  };
}
