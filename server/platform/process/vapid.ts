import { createECDH, hkdfSync } from 'node:crypto';
import { type Env, senderAddress } from './env.ts';

/** The key pair and contact by which push services know this market. Keys in base64url. */
export interface Vapid {
  publicKey: string;
  privateKey: string;
  /** `mailto:` or `https:`. */
  subject: string;
}

/**
 * Returns the market's VAPID keys: from the settings, or derived from `JWT_SECRET`, so that all
 * processes have the same keys without sharing state.
 */
export function readVapid(env: Env): Vapid {
  const subject = env.VAPID_SUBJECT ?? `mailto:${senderAddress(env)}`;
  if (env.VAPID_PUBLIC_KEY && env.VAPID_PRIVATE_KEY) {
    return { publicKey: env.VAPID_PUBLIC_KEY, privateKey: env.VAPID_PRIVATE_KEY, subject };
  }
  const curve = createECDH('prime256v1');
  for (let round = 0; ; round++) {
    const key = hkdfSync('sha256', env.JWT_SECRET, '', `farmgate web push ${round}`, 32);
    try {
      curve.setPrivateKey(Buffer.from(key));
    } catch {
      // About one in 2^32 results is no valid key of this curve; derive another.
      continue;
    }
    return {
      publicKey: curve.getPublicKey('base64url'),
      privateKey: Buffer.from(key).toString('base64url'),
      subject,
    };
  }
}
