import { createHmac, randomUUID } from 'node:crypto';
import type { Context } from 'koa';
import { Login } from '#contract/people/auth/auth';
import { DEVICE_HEADER, KNOWN_SOURCE_DAYS } from '#contract/people/auth/constants';
import { Id } from '#contract/platform/http/http';
import type { Transaction } from '../../../prisma/client.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { addressKey } from '../../platform/http/rate-limit.ts';

/** The source of a request: its address and, if sent, its device id. */
export interface Source {
  /** The address as a rate limit key, IPv6 by its /64 network. */
  address: string;
  device: string | undefined;
  /** What it is, in words for its owner: see {@link deviceName}. */
  name: string;
}

/** Whether an account was signed in to from this device or address before. */
export interface KnownSource {
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
export const deviceKey = (platform: Pick<Platform, 'env'>, email: string, source: Source): string =>
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
