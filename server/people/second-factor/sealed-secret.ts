import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Derives the key, so that JWT_SECRET itself is used for one thing only. */
const keyOf = (jwtSecret: string): Buffer =>
  Buffer.from(hkdfSync('sha256', jwtSecret, '', 'farmgate authenticator app secret', 32));

/**
 * Encrypts the secret of an authenticator app. A hash would not do, since codes are computed from the secret itself;
 * the key is derived from JWT_SECRET, which is not in the database, so that a copy of the database alone computes
 * no codes. The sealed text is bound to its account: in the row of another one it does not open.
 */
export function sealSecret(jwtSecret: string, userId: string, secret: string): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, keyOf(jwtSecret), iv).setAAD(Buffer.from(userId));
  const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url');
}

/**
 * Decrypts what {@link sealSecret} returned. Returns undefined where it does not open, as after a change of
 * JWT_SECRET: then no code of the app is right any more, and recovery codes, which do not depend on it, still are.
 */
export function openSecret(jwtSecret: string, userId: string, sealed: string): string | undefined {
  const bytes = Buffer.from(sealed, 'base64url');
  const iv = bytes.subarray(0, IV_BYTES);
  const tag = bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES);
  try {
    const decipher = createDecipheriv(CIPHER, keyOf(jwtSecret), iv)
      .setAAD(Buffer.from(userId))
      .setAuthTag(tag);
    const opened = decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES));
    return Buffer.concat([opened, decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}
