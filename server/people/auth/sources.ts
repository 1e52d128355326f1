import { createHmac, randomUUID } from 'node:crypto';
import type { Context } from 'koa';
import { Login } from '#contract/people/auth/auth';
import { DEVICE_HEADER, KNOWN_SOURCE_DAYS } from '#contract/people/auth/constants';
import { Id } from '#contract/platform/http/http';
import type { Transaction } from '../../../prisma/client.ts';
import { AppError } from '../../platform/http/errors.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { accountKey, addressKey } from '../../platform/http/rate-limit.ts';
import type { Limit } from '../../platform/http/route.ts';
import { hashSecretToken } from './password.ts';

/** The source of a request: its address and, if sent, its device id. */
export interface Source {
  /** The address as a rate limit key, IPv6 by its /64 network. */
  address: string;
  device: string | undefined;
  /** What it is, in words for its owner: see {@link deviceName}. */
  name: string;
}

/** Whether an account was signed in to from this device or address before. */
interface KnownSource {
  device: boolean;
  address: boolean;
}

/** Devices, and addresses, stored per account; the least recently used one is dropped. */
const SOURCES_MAX = 20;

/** Reads the source of a request. Ignores a device id that is no UUID. */
export function readSource(ctx: Context): Source {
  const id = Id.safeParse(ctx.get(DEVICE_HEADER));
  return {
    address: addressKey(ctx.ip),
    device: id.success ? id.data.toLowerCase() : undefined,
    name: deviceName(ctx.get('user-agent')),
  };
}

/** Returns the email in a request's body, normalized; undefined without a valid one. */
export function readEmail(ctx: Context): string | undefined {
  const { email } = (ctx.request.body ?? {}) as { email?: unknown };
  const parsed = Login.shape.email.safeParse(email);
  return parsed.success ? parsed.data : undefined;
}

/**
 * Returns what is stored of a source. The hashes are keyed, since all addresses could be tried, and
 * bound to the account, so that two accounts of one device cannot be linked.
 * @param account its id; its email where an earlier release stored it
 */
function hashesOf({ env }: Pick<Platform, 'env'>, account: string, { address, device }: Source) {
  const hash = (kind: string, value: string) =>
    createHmac('sha256', env.JWT_SECRET)
      .update(JSON.stringify(['sign-in source', account, kind, value]))
      .digest('base64url');
  return {
    address: hash('address', address),
    device: device === undefined ? null : hash('device', device),
  };
}

/** Returns the rate limit key of a known device. */
const deviceKey = (platform: Pick<Platform, 'env'>, email: string, source: Source): string =>
  `device:${hashesOf(platform, email, source).device}`;

/** Returns whether the account was signed in to from this device or address before. */
export async function findKnownSource(
  platform: Pick<Platform, 'env' | 'db'>,
  email: string | undefined,
  source: Source,
): Promise<KnownSource> {
  if (email === undefined) return { device: false, address: false };
  const account = await platform.db.user.findUnique({
    where: { email, deletedAt: null, isFarm: false },
    select: { id: true },
  });
  // Asked for an unknown account too, so that it takes no less time.
  const id = account?.id ?? randomUUID();
  const hashes = [id, email].flatMap((known) => {
    const { address, device } = hashesOf(platform, known, source);
    return [address, device ?? ''];
  });
  const rows = await platform.db.$queryRaw<{ isDevice: boolean }[]>`
    SELECT s.is_device AS "isDevice" FROM sign_in_sources s
    WHERE s.user_id = ${id}::uuid AND s.source_hash = ANY (${hashes})
      AND s.last_used_at > now() - make_interval(days =>
        CASE WHEN s.is_device THEN ${KNOWN_SOURCE_DAYS.device}::int
             ELSE ${KNOWN_SOURCE_DAYS.address}::int END)`;
  return {
    device: rows.some(({ isDevice }) => isDevice),
    address: rows.some(({ isDevice }) => !isDevice),
  };
}

/** Stores the source of a sign-in. The caller holds a lock on the user's row. */
export async function rememberSource(
  platform: Pick<Platform, 'env'>,
  tx: Transaction,
  user: { id: string },
  source: Source,
): Promise<void> {
  const { address, device } = hashesOf(platform, user.id, source);
  // Sorted, so that concurrent sign-ins lock rows in the same order.
  const rows = [
    { hash: address, isDevice: false },
    ...(device === null ? [] : [{ hash: device, isDevice: true }]),
  ].sort((one, other) => (one.hash < other.hash ? -1 : 1));
  for (const { hash, isDevice } of rows) {
    await tx.$executeRaw`
      INSERT INTO sign_in_sources (user_id, source_hash, is_device, last_used_at)
      VALUES (${user.id}::uuid, ${hash}, ${isDevice}, clock_timestamp())
      ON CONFLICT (user_id, source_hash) DO UPDATE SET last_used_at = excluded.last_used_at`;
  }
  await tx.$executeRaw`
    DELETE FROM sign_in_sources s USING (
      SELECT source_hash,
             row_number() OVER (PARTITION BY is_device ORDER BY last_used_at DESC) AS place
      FROM sign_in_sources WHERE user_id = ${user.id}::uuid
    ) ranked
    WHERE s.user_id = ${user.id}::uuid AND s.source_hash = ranked.source_hash
      AND ranked.place > ${SOURCES_MAX}`;
}

/** Deletes all known devices and addresses of an account, as when its password changes. */
export async function deleteSources(tx: Transaction, userId: string): Promise<void> {
  await tx.signInSource.deleteMany({ where: { userId } });
}

// Our own few patterns instead of a library: the words help somebody to recognise their devices, nothing depends on
// them, and libraries that know every device weigh a thousand times as much and need updates for each new one.

/** Browsers by how they name themselves; the first that fits, since most also claim to be others. */
const BROWSERS: readonly [RegExp, string][] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\b(OPR|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];

const SYSTEMS: readonly [RegExp, string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b/, 'Mac'],
  [/\bLinux\b/, 'Linux'],
];

const firstOf = (names: readonly [RegExp, string][], text: string): string | undefined =>
  names.find(([pattern]) => pattern.test(text))?.[1];

/** Returns what somebody signs in with, in words for them: 'Firefox on Linux'; 'Another program' for anything else. */
export function deviceName(userAgent: string): string {
  const [browser, system] = [firstOf(BROWSERS, userAgent), firstOf(SYSTEMS, userAgent)];
  if (browser && system) return `${browser} on ${system}`;
  return browser ?? (system ? `A program on ${system}` : 'Another program');
}

/**
 * Limits sign-ins by one of three keys, so that strangers cannot use up the owner's tries:
 * - a device that signed in to the account before: by the device, whatever others behind the same
 *   address do;
 * - an address from which the account was signed in to: by the address;
 * - anything else: by the address and by the account, which limits guessing at one account from many
 *   addresses.
 */
export const limitLogin =
  (platform: Platform): Limit =>
  async (ctx) => {
    const source = readSource(ctx);
    const email = readEmail(ctx);
    const known = await findKnownSource(platform, email, source);
    if (email !== undefined && known.device) {
      await platform.rateLimits('login', [deviceKey(platform, email, source)]);
    } else if (known.address) {
      await platform.rateLimits('login', [source.address]);
    } else {
      await platform.rateLimits('login', [source.address, ...accountKeys(ctx)]);
    }
  };

/** Returns the key of the account as sent, even when it is no email. */
function accountKeys(ctx: Context): string[] {
  const { email } = (ctx.request.body ?? {}) as { email?: unknown };
  return typeof email === 'string' ? [accountKey(email)] : [];
}

/** Limits requests for a reset link: a known device by the device, anything else by its address. */
export const limitForgotPassword =
  (platform: Platform): Limit =>
  async (ctx) => {
    const source = readSource(ctx);
    const email = readEmail(ctx);
    const known = await findKnownSource(platform, email, source);
    const key =
      email !== undefined && known.device ? deviceKey(platform, email, source) : source.address;
    await platform.rateLimits('reset', [key]);
  };

/**
 * Limits the use of mailed links: one that `isValid` by itself, so that others behind the same address cannot block
 * its owner; anything else by its address.
 */
const limitLink =
  (platform: Platform, isValid: (tokenHash: string) => Promise<boolean>): Limit =>
  async (ctx) => {
    const { token } = (ctx.request.body ?? {}) as { token?: unknown };
    const tokenHash = hashSecretToken(typeof token === 'string' ? token.trim() : '');
    const key = (await isValid(tokenHash)) ? `link:${tokenHash}` : readSource(ctx).address;
    await platform.rateLimits('reset', [key]);
  };

/** Limits setting a password by a link; see {@link limitLink}. */
export const limitResetPassword = (platform: Platform): Limit =>
  limitLink(platform, async (tokenHash) => {
    const valid = { tokenHash, usedAt: null, expiresAt: { gt: new Date() } };
    return (await platform.db.passwordReset.count({ where: valid })) > 0;
  });

/** Limits verifying an email by a link, which answers again as the first time; see {@link limitLink}. */
export const limitVerifyEmail = (platform: Platform): Limit =>
  limitLink(platform, async (tokenHash) => {
    const valid = { tokenHash, expiresAt: { gt: new Date() } };
    return (await platform.db.emailVerification.count({ where: valid })) > 0;
  });

/**
 * Returns whether one more reset mail may be sent to this account. Requests from unknown sources share
 * one limit per account; requests from a known device or address have their own.
 */
export async function mayMailReset(
  platform: Platform,
  email: string,
  source: Source,
): Promise<boolean> {
  const known = await findKnownSource(platform, email, source);
  const limit = known.device || known.address ? 'ownResetMails' : 'resetMails';
  try {
    await platform.rateLimits(limit, [accountKey(email)]);
    return true;
  } catch (error) {
    if (error instanceof AppError && error.status === 429) return false;
    throw error;
  }
}

/**
 * Limits tries of the codes of an account by the person who sent its right password, so that a code cannot be guessed.
 * As with passwords, tries from elsewhere never use up those of a device or address that signed in before.
 * @throws 429
 */
export async function limitCodes(platform: Platform, email: string, source: Source): Promise<void> {
  const known = await findKnownSource(platform, email, source);
  const account = accountKey(email);
  const key = known.device
    ? deviceKey(platform, email, source)
    : known.address
      ? `${account} ${source.address}`
      : account;
  await platform.rateLimits('secondFactorCodes', [key]);
}
