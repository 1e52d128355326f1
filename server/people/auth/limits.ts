import type { Context } from 'koa';
import { AppError } from '../../platform/http/errors.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { accountKey } from '../../platform/http/rate-limit.ts';
import type { Limit } from '../../platform/http/route.ts';
import { hashSecretToken } from './password.ts';
import { deviceKey, findKnownSource, readEmail, readSource, type Source } from './sources.ts';

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
 * Limits tries of the codes of an account by whoever sent its right password, so that a code cannot be guessed. As
 * with passwords, tries from elsewhere never use up those of a device or address that signed in before.
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
