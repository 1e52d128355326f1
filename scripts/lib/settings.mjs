import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Refusal } from './output.mjs';

/** The folder of the project. */
export const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

function wholeNumber(name, fallback, most) {
  const text = process.env[name] || String(fallback);
  if (/^\d{1,9}$/.test(text) && Number(text) <= most && Number(text) > 0) return Number(text);
  throw new Refusal(`${name} is "${text}": it must be a whole number from 1 to ${most}.`);
}

/** A key for signing tokens, made on the first run and kept: signed-in people stay so over a restart. */
function keptSecret(dataDir) {
  const file = join(dataDir, 'jwt-secret');
  if (!existsSync(file)) {
    writeFileSync(file, randomBytes(36).toString('base64url'), { mode: 0o600 });
  }
  return readFileSync(file, 'utf8').trim();
}

/**
 * What the commands themselves need of the settings, after `.env` was read (what the environment says
 * wins over it), and `env`, the environment for the programs they start. All other settings are checked
 * by those programs. Throws a `Refusal` for a value that cannot be.
 */
export function readSettings() {
  const file = join(root, '.env');
  if (existsSync(file)) process.loadEnvFile(file);
  const production = process.env.NODE_ENV === 'production';
  const seed = process.env.SEED || (production ? 'none' : 'demo');
  if (seed !== 'demo' && seed !== 'none') {
    throw new Refusal(`SEED is "${seed}": it must be "demo" or "none".`);
  }
  const port = wholeNumber('PORT', 3000, 65_535);
  const graceMs = wholeNumber('SHUTDOWN_GRACE_MS', 10_000, 600_000);
  let dataDir = resolve(root, process.env.DATA_DIR || '.data');
  try {
    mkdirSync(dataDir, { recursive: true });
    dataDir = realpathSync(dataDir);
  } catch (error) {
    throw new Refusal(`DATA_DIR names ${dataDir}, which cannot be made (${error.code}).`);
  }
  return {
    port,
    graceMs,
    seed,
    dataDir,
    host: process.env.HOST || undefined,
    databaseUrl: process.env.DATABASE_URL || undefined,
    redisUrl: process.env.REDIS_URL || undefined,
    env: {
      ...process.env,
      PORT: String(port),
      SEED: seed,
      DATA_DIR: dataDir,
      ...(process.env.JWT_SECRET || production ? {} : { JWT_SECRET: keptSecret(dataDir) }),
    },
  };
}
