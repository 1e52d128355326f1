import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { canonicalEmail, EMAIL_PATTERN } from '#contract/platform/http/email';
import { findTimeZone } from '#contract/platform/http/http';
import { theMarket } from '#contract/platform/market/constants';
import { ownContact } from '#contract/platform/market/constants/choices';
import { isTransactionPooler } from '../../../prisma/connection-guard.ts';

const flag = z.enum(['true', 'false']).transform((value) => value === 'true');

const timeZone = z
  .string()
  .trim()
  .transform((name, context) => {
    const found = findTimeZone(name);
    if (found === undefined) {
      context.addIssue({ code: 'custom', message: `there is no time zone "${name}"` });
      return z.NEVER;
    }
    return found;
  });

const Env = z.object({
  NODE_ENV: z.enum(['development', 'production', 'test']).default('development'),
  PORT: z.coerce.number().int().min(0).max(65_535).default(3000),
  /** `localhost` is the loopback address of both IPv4 and IPv6. */
  HOST: z.string().trim().toLowerCase().default('0.0.0.0'),
  /** Port for a worker's health and metrics; not served without it. */
  WORKER_PORT: z.coerce.number().int().min(1).max(65_535).optional(),
  /** Bearer token that `/metrics` requires. */
  METRICS_TOKEN: z.string().min(16).optional(),
  /** Separate port for `/metrics` without a token; keep it inside the network. */
  METRICS_PORT: z.coerce.number().int().min(1).max(65_535).optional(),
  /** Number of server processes that share the port; `max` is one per core. */
  WEB_CONCURRENCY: z
    .preprocess(
      (value) => (value === 'max' ? availableParallelism() : value),
      z.coerce.number().int().min(1).max(256),
    )
    .default(1),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }),
  /** The address of Postgres itself, where DATABASE_URL is that of a pooler. */
  DIRECT_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  DATABASE_POOL_SIZE: z.coerce.number().int().min(2).max(500).default(20),
  /** Milliseconds without any answer after which Postgres counts as hanging. */
  DATABASE_SILENCE_MAX_MS: z.coerce.number().int().min(1000).max(60_000).default(1500),
  REDIS_URL: z.url({ protocol: /^rediss?$/ }),
  /** Prefix of every Redis key and channel, so that several markets can share one Redis. */
  REDIS_PREFIX: z
    .string()
    .regex(/^[\w-]+$/)
    .default('farmgate'),
  DATA_DIR: z.string().min(1).default('.data'),
  PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
  JWT_SECRET: z.string().min(32).optional(),
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  /** File of certificates in PEM form that the mail server may have, beside those everybody trusts. */
  SMTP_CA_FILE: z.string().min(1).optional(),
  /** Connections to the mail server, and so mails at once, of each worker process. */
  SMTP_CONNECTIONS: z.coerce.number().int().min(1).max(100).default(5),
  /** Most mails a second of each worker process; no limit when left out. */
  MAILS_PER_SECOND: z.coerce.number().positive().max(1000).optional(),
  /** Hours for which a mail is tried again that no mail server took. */
  MAIL_RETRY_HOURS: z.coerce.number().positive().max(240).default(24),
  MAIL_FROM: z
    .string()
    .refine((from) => isSender(addressOf(from)), 'no address of mail')
    .optional(),
  /** Web Push keys in base64url; derived from JWT_SECRET when left out. */
  VAPID_PUBLIC_KEY: z.string().min(80).optional(),
  VAPID_PRIVATE_KEY: z.string().min(40).optional(),
  VAPID_SUBJECT: z
    .string()
    .regex(/^(mailto:|https:)/)
    .optional(),
  /** Where text messages are posted to; none are sent without it. */
  SMS_URL: z.url({ protocol: /^https?$/ }).optional(),
  /** Bearer token for it. */
  SMS_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]+$/)
    .optional(),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  SHUTDOWN_GRACE_MS: z.coerce.number().int().min(0).max(600_000).default(20_000),
  RATE_LIMIT_SCALE: z.coerce.number().positive().default(1),
  /** Number of proxies in front whose X-Forwarded-For is trusted; 0 trusts none. */
  TRUSTED_PROXIES: z.coerce.number().int().min(0).max(10).default(0),
  S3_BUCKET: z.string().min(1).optional(),
  S3_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  S3_REGION: z.string().default('us-east-1'),
  S3_FORCE_PATH_STYLE: flag.default(true),
  /** The IANA name of the market's time zone, and of farms until they choose one. */
  MARKET_TIME_ZONE: timeZone.optional(),
  /** Seconds after which a pending order counts as unanswered. */
  UNANSWERED_AFTER_SECONDS: z.coerce.number().int().min(1).default(1800),
  /** Seconds before an unread message or notification is sent by email. */
  UNREAD_EMAIL_AFTER_SECONDS: z.coerce.number().int().min(0).default(60),
  /** Seconds for which a product is back in stock before those who wait for it are notified. */
  STOCK_WAVE_AFTER_SECONDS: z.coerce.number().int().min(0).default(120),
  /** Mails and pushes a day of the whole market to people who have neither ordered from nor written to the sender. */
  UNSOLICITED_MAILS_PER_DAY: z.coerce.number().int().min(0).default(1000),
  /** Delivery attempts of a push message, for more than two hours with the default backoff. */
  JOB_ATTEMPTS: z.coerce.number().int().min(1).max(50).default(13),
  /** Delay before the second attempt, in milliseconds; it doubles with each further one. */
  JOB_BACKOFF_MS: z.coerce.number().int().min(1).default(2000),
});

/** Names of all settings that a process reads. */
export const SETTINGS = Object.keys(Env.shape);

/** The validated settings of a process. */
export type Env = Omit<z.infer<typeof Env>, 'JWT_SECRET' | 'PUBLIC_URL' | 'MAIL_FROM'> & {
  JWT_SECRET: string;
  PUBLIC_URL: string;
  MAIL_FROM: string;
};

function addressOf(from: string): string {
  return canonicalEmail(/<([^>]+)>/.exec(from)?.[1] ?? from);
}

/** Mail servers of one's own network have names without a dot. */
function isSender(address: string): boolean {
  return [address, `${address}.local`].some((each) => EMAIL_PATTERN.test(each));
}

/** Returns the address that mails come from: `a@b.c`, also of `Name <a@b.c>`. The name is the market's. */
export const senderAddress = ({ MAIL_FROM }: Pick<Env, 'MAIL_FROM'>): string =>
  addressOf(MAIL_FROM);

/** Thrown for a missing or wrong setting; the message is one sentence for the operator. */
export class SettingError extends Error {}

/**
 * Reads and validates the settings. Outside production a missing `JWT_SECRET` is generated once and
 * stored under `DATA_DIR`.
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
  rejectSampleValues(env);
  if (isTransactionPooler(env.DATABASE_URL) && env.DIRECT_URL === undefined) {
    throw new SettingError(
      'The setting DIRECT_URL is missing: DATABASE_URL says pgbouncer=true, and locks and migrations need the address ' +
        'of PostgreSQL itself.',
    );
  }
  // As browsers name it in `Origin`: in lower case, its domain in ASCII, without the port that is the protocol's own.
  const { href } = new URL(env.PUBLIC_URL ?? `http://localhost:${env.PORT}`);
  const publicUrl = href.replace(/\/$/, '');
  return {
    ...env,
    JWT_SECRET: env.JWT_SECRET ?? readOrCreateSecret(env),
    PUBLIC_URL: publicUrl,
    MAIL_FROM: env.MAIL_FROM ?? `hello@${mailDomain(publicUrl)}`,
  };
}

/** Returns the domain that a market sends mails from until it says which: its own, where that can have mailboxes. */
function mailDomain(publicUrl: string): string {
  const { hostname } = new URL(publicUrl);
  const isDomain = /\.[a-z][a-z\d-]*$/.test(hostname);
  return isDomain ? hostname.replace(/^www\./, '') : 'farmgate.test';
}

/** Values shown in `.env.example`, which are public. */
const SAMPLE_VALUES = {
  JWT_SECRET: 'put-at-least-32-random-characters-here',
  METRICS_TOKEN: 'put-a-random-token-here',
};

function rejectSampleValues(env: z.infer<typeof Env>): void {
  if (env.NODE_ENV !== 'production') return;
  for (const name of ['JWT_SECRET', 'METRICS_TOKEN'] as const) {
    if (env[name]?.trim() !== SAMPLE_VALUES[name]) continue;
    throw new SettingError(
      `The setting ${name} is the sample of .env.example: production needs one of its own.`,
    );
  }
}

function readOrCreateSecret(env: z.infer<typeof Env>): string {
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
    // Write a draft first: another process that starts now must never read half a secret.
    const draft = `${file}.${process.pid}`;
    writeFileSync(draft, randomBytes(32).toString('base64url'), { mode: 0o600 });
    try {
      linkSync(draft, file);
    } catch (error) {
      // Another process created the file first; use its secret.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    } finally {
      rmSync(draft);
    }
    return readFileSync(file, 'utf8').trim();
  }
}

/**
 * Returns the address at which people reach the person who runs the market: its contact, else the sender of its mails.
 */
export const contactOf = (env: Pick<Env, 'MAIL_FROM'>): string =>
  canonicalEmail(ownContact(theMarket()).email) || senderAddress(env);

/** Returns the version of this build, from the `package.json` it runs beside. */
export function readVersion(): string {
  const { version } = JSON.parse(readFileSync(path.resolve('package.json'), 'utf8')) as {
    version: string;
  };
  return version;
}
