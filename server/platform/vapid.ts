import { createECDH, hkdfSync } from 'node:crypto';
import type { Env } from './env.ts';

/** The key pair and contact by which push services know this market. Keys in base64url. */
export interface Vapid {
  publicKey: string;
  privateKey: string;
  /** `mailto:` or `https:`. */
  subject: string;
}

/**
 * The market's VAPID identity: as set, or drawn from `JWT_SECRET`, so that every process on every
 * machine has the same without agreeing on anything.
 */
export function readVapid(env: Env): Vapid {
  const subject = env.VAPID_SUBJECT ?? `mailto:${addressOf(env.MAIL_FROM)}`;
  if (env.VAPID_PUBLIC_KEY && env.VAPID_PRIVATE_KEY) {
    return { publicKey: env.VAPID_PUBLIC_KEY, privateKey: env.VAPID_PRIVATE_KEY, subject };
  }
  const curve = createECDH('prime256v1');
  for (let round = 0; ; round++) {
    const key = hkdfSync('sha256', env.JWT_SECRET, '', `farmgate web push ${round}`, 32);
    try {
      curve.setPrivateKey(Buffer.from(key));
    } catch {
      // One draw in four thousand million is no key of this curve.
      continue;
    }
    return {
      publicKey: curve.getPublicKey('base64url'),
      privateKey: Buffer.from(key).toString('base64url'),
      subject,
    };
  }
}

/** `a@b.c` of `Name <a@b.c>`. */
const addressOf = (from: string): string => /<([^>]+)>/.exec(from)?.[1] ?? from;
