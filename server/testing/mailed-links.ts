import { randomUUID } from 'node:crypto';
import { hashSecretToken } from '../people/auth/password.ts';
import type { TestMarket } from './market.ts';

const newLink = (userId: string, lifeMs: number) => {
  const token = randomUUID();
  const expiresAt = new Date(Date.now() + lifeMs);
  return { token, data: { userId, expiresAt, tokenHash: hashSecretToken(token) } };
};

/** Makes a link that sets a new password, as the worker that mails it does. @returns its token */
export async function makeResetLink(
  { platform }: TestMarket,
  userId: string,
  lifeMs = 3_600_000,
): Promise<string> {
  const { token, data } = newLink(userId, lifeMs);
  const { email } = await platform.db.user.findUniqueOrThrow({ where: { id: userId } });
  await platform.db.passwordReset.create({ data: { ...data, email } });
  return token;
}

/** Makes a link that verifies an email, as the worker that mails it does. @returns its token */
export async function makeVerificationLink(
  { platform }: TestMarket,
  userId: string,
  lifeMs = 3_600_000,
  where: { email?: string; changeId?: string } = {},
): Promise<string> {
  const { token, data } = newLink(userId, lifeMs);
  const { email } = await platform.db.user.findUniqueOrThrow({ where: { id: userId } });
  await platform.db.emailVerification.create({ data: { email, ...data, ...where } });
  return token;
}

/** Proves the emails of these people, as the links do that were mailed to them. */
export async function proveEmails(
  { platform }: TestMarket,
  ...people: readonly { id: string }[]
): Promise<void> {
  await platform.db.user.updateMany({
    where: { id: { in: people.map(({ id }) => id) } },
    data: { emailVerifiedAt: new Date() },
  });
}
