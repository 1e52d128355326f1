import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { z } from 'zod';

const flag = z.enum(['true', 'false']).transform((value) => value === 'true');

const Env = z.object({
  NODE_ENV: z.enum(['development', 'production', 'test']).default('development'),
  PORT: z.coerce.number().int().min(0).max(65_535).default(3000),
  HOST: z.string().default('0.0.0.0'),
  /** Where a worker process tells its health and metrics; nowhere when left out. */
  WORKER_PORT: z.coerce.number().int().min(1).max(65_535).optional(),
  /** How many server processes share the port; `max` is one for each core. */
  WEB_CONCURRENCY: z
    .preprocess(
      (value) => (value === 'max' ? availableParallelism() : value),
      z.coerce.number().int().min(1).max(256),
    )
    .default(1),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }),
  DATABASE_POOL_SIZE: z.coerce.number().int().min(2).max(500).default(20),
  REDIS_URL: z.url({ protocol: /^rediss?$/ }),
  /** What every key and channel in Redis starts with, so that several markets can share one. */
  REDIS_PREFIX: z
    .string()
    .regex(/^[\w-]+$/)
    .default('farmgate'),
  DATA_DIR: z.string().min(1).default('.data'),
  PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
  JWT_SECRET: z.string().min(32).optional(),
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  MAIL_FROM: z.string().default('Farmgate <hello@farmgate.test>'),
  /** Web Push: the pair is drawn from JWT_SECRET when left out. Keys in base64url. */
  VAPID_PUBLIC_KEY: z.string().min(80).optional(),
  VAPID_PRIVATE_KEY: z.string().min(40).optional(),
  VAPID_SUBJECT: z
    .string()
    .regex(/^(mailto:|https:)/)
    .optional(),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  SHUTDOWN_GRACE_MS: z.coerce.number().int().min(0).max(600_000).default(20_000),
  RATE_LIMIT_SCALE: z.coerce.number().positive().default(1),
  /** How many proxies in front are trusted to tell the client's address; 0 trusts none. */
  TRUSTED_PROXIES: z.coerce.number().int().min(0).max(10).default(0),
  S3_BUCKET: z.string().min(1).optional(),
  S3_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  S3_REGION: z.string().default('us-east-1'),
  S3_FORCE_PATH_STYLE: flag.default(true),
  /** Seconds a pending order may wait before it is called unanswered. */
  UNANSWERED_AFTER_SECONDS: z.coerce.number().int().min(1).default(1800),
  /** Seconds before an unread message or notification goes out by email. */
  UNREAD_EMAIL_AFTER_SECONDS: z.coerce.number().int().min(0).default(60),
  /**
   * How often a mail or push message is tried, and the pause after the first try, which doubles: with
   * these, for more than two hours.
   */
  JOB_ATTEMPTS: z.coerce.number().int().min(1).max(50).default(13),
  JOB_BACKOFF_MS: z.coerce.number().int().min(1).default(2000),
});

/** The names of all settings that a process reads. */
export const SETTINGS = Object.keys(Env.shape);

/** The validated settings of a process. */
export type Env = Omit<z.infer<typeof Env>, 'JWT_SECRET' | 'PUBLIC_URL'> & {
  JWT_SECRET: string;
  PUBLIC_URL: string;
};

/** A setting that is missing or wrong, said in one sentence. */
export class SettingError extends Error {}

/**
 * Reads and checks the settings. Outside production a missing `JWT_SECRET` is made once and kept
 * under `DATA_DIR`.
 * @throws SettingError naming the first wrong setting
 */
export function readEnv(source: Record<string, string | undefined> = process.env): Env {
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ''));
  const parsed = Env.safeParse(given);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const name = issue?.path.join('.') ?? 'A setting';
    throw new SettingError(
      given[name] === undefined
        ? `The setting ${name} is missing: set it in the environment or in .env.`
        : `The setting ${name} is wrong (${issue?.message}): see .env.example for what it takes.`,
    );
  }
  const env = parsed.data;
  return {
    ...env,
    JWT_SECRET: env.JWT_SECRET ?? keptSecret(env),
    PUBLIC_URL: (env.PUBLIC_URL ?? `http://localhost:${env.PORT}`).replace(/\/$/, ''),
  };
}

function keptSecret(env: z.infer<typeof Env>): string {
  if (env.NODE_ENV === 'production') {
    throw new SettingError(
      'The setting JWT_SECRET is missing: production needs a secret of at least 32 characters.',
    );
  }
  const file = path.join(env.DATA_DIR, 'jwt-secret');
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    mkdirSync(env.DATA_DIR, { recursive: true });
    // Written whole before it gets its name: another process of the same start may read it any moment.
    const draft = `${file}.${process.pid}`;
    writeFileSync(draft, randomBytes(32).toString('base64url'), { mode: 0o600 });
    try {
      linkSync(draft, file);
    } catch (error) {
      // The other process was quicker; its secret is the one.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    } finally {
      rmSync(draft);
    }
    return readFileSync(file, 'utf8').trim();
  }
}
