import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Env } from '../../platform/process/env.ts';

/** Attentions that one token names at most; a push message has room for no more. */
const ATTENTIONS_MAX = 70;
/** How long a push message's button works, in seconds. */
const VALID_SECONDS = 24 * 60 * 60;

const ID_BYTES = 16;
const SIGNATURE_BYTES = 32;
/** An id and its round. */
const ENTRY_BYTES = ID_BYTES + 2;
const HEAD_BYTES = ID_BYTES + 4;

/** Who may say "I'm on it" of which attentions, each only in its round. */
export interface AcknowledgementToken {
  userId: string;
  attentions: { id: string; round: number }[];
  expiresAt: Date;
}

const bytesOf = (id: string): Buffer => Buffer.from(id.replaceAll('-', ''), 'hex');
const idOf = (bytes: Buffer): string =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

function number(value: number, size: 2 | 4): Buffer {
  const bytes = Buffer.alloc(size);
  bytes.writeUIntBE(value, 0, size);
  return bytes;
}

const signatureOf = ({ JWT_SECRET }: Pick<Env, 'JWT_SECRET'>, content: Buffer): Buffer =>
  createHmac('sha256', JWT_SECRET).update('acknowledgement ').update(content).digest();

/** Returns the token of a push message about attentions, the latest of them where there are too many. */
export function acknowledgementToken(
  env: Pick<Env, 'JWT_SECRET'>,
  { userId, attentions, now }: Omit<AcknowledgementToken, 'expiresAt'> & { now: Date },
): string {
  const content = Buffer.concat([
    bytesOf(userId),
    number(Math.floor(now.getTime() / 1000) + VALID_SECONDS, 4),
    ...attentions
      .slice(-ATTENTIONS_MAX)
      .flatMap(({ id, round }) => [bytesOf(id), number(round, 2)]),
  ]);
  return Buffer.concat([content, signatureOf(env, content)]).toString('base64url');
}

/** Reads a token of {@link acknowledgementToken}; null unless it was signed here. */
export function readAcknowledgementToken(
  env: Pick<Env, 'JWT_SECRET'>,
  token: string,
): AcknowledgementToken | null {
  const bytes = Buffer.from(token, 'base64url');
  const content = bytes.subarray(0, -SIGNATURE_BYTES);
  const given = bytes.subarray(-SIGNATURE_BYTES);
  const entries = (content.length - HEAD_BYTES) / ENTRY_BYTES;
  // Of a token that is shorter than a signature too.
  if (!Number.isInteger(entries) || entries < 1) return null;
  if (!timingSafeEqual(given, signatureOf(env, content))) return null;
  return {
    userId: idOf(content.subarray(0, ID_BYTES)),
    expiresAt: new Date(content.readUInt32BE(ID_BYTES) * 1000),
    attentions: Array.from({ length: entries }, (_, index) => {
      const at = HEAD_BYTES + index * ENTRY_BYTES;
      return {
        id: idOf(content.subarray(at, at + ID_BYTES)),
        round: content.readUInt16BE(at + ID_BYTES),
      };
    }),
  };
}
