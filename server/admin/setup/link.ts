import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Database, Transaction } from '../../../prisma/client.ts';
import type { Env } from '../../platform/process/env.ts';

type Secrets = Pick<Env, 'JWT_SECRET'>;

/**
 * Returns the token of the set-up link. It follows from the market's secret, so that every process knows it
 * and none stores it; it is worth nothing once there is an admin.
 */
export const setupToken = ({ JWT_SECRET }: Secrets): string =>
  createHmac('sha256', JWT_SECRET).update('set up the market').digest('base64url');

/** Returns whether this is the token of the link, in the same time for any. */
export function isSetupToken(env: Secrets, token: string): boolean {
  const digest = (text: string) => createHmac('sha256', env.JWT_SECRET).update(text).digest();
  return timingSafeEqual(digest(token), digest(setupToken(env)));
}

/** Returns the address that sets the market up. Its fragment is never sent to a server or written to its log. */
export const setupLink = (env: Secrets & Pick<Env, 'PUBLIC_URL'>): string =>
  `${env.PUBLIC_URL}/setup#token=${setupToken(env)}`;

/** Returns whether the market has no admin. */
export async function isSetupNeeded(db: Database | Transaction): Promise<boolean> {
  const admin = await db.user.findFirst({
    where: { role: 'admin', deletedAt: null },
    select: { id: true },
  });
  return admin === null;
}

/**
 * Prints the set-up link while it is needed: on the console and not in the log, which others may keep and
 * read. Whoever reads the console of a process may rule its market.
 */
export async function printSetupLink({
  db,
  env,
}: {
  db: Database;
  env: Secrets & Pick<Env, 'PUBLIC_URL'>;
}): Promise<void> {
  if (!(await isSetupNeeded(db))) return;
  console.log(`\nThis market has no admin yet. Open this link to set it up:\n${setupLink(env)}\n`);
}
