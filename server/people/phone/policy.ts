import { createHmac } from 'node:crypto';
import { type NumberType, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import {
  PHONE_CODE_LENGTH,
  PHONE_CODE_LIMITS,
  PHONE_CODE_MINUTES,
  PHONE_CODE_TRIES,
} from '#contract/people/phone/constants';
import { theMarket } from '#contract/platform/market/constants';
import { withAsciiDigits } from '#contract/platform/text/constants/typed-numbers';
import type { PhoneCode, User } from '../../../prisma/generated/client.ts';
import type { Env } from '../../platform/process/env.ts';

/** Kinds of numbers that are nobody's own phone; a message to some of them costs whatever their owner asks for it. */
const SERVICES: ReadonlySet<unknown> = new Set<NumberType>([
  ...(['PREMIUM_RATE', 'SHARED_COST', 'TOLL_FREE', 'UAN', 'VOICEMAIL'] as const),
]);

/**
 * Returns a number in E.164 that is spelled as people of the market's country dial it, or with the code of a country;
 * undefined for what is no number of a person.
 */
export function toE164(phone: string): string | undefined {
  const country = theMarket().country as Parameters<typeof parsePhoneNumberFromString>[1];
  const typed = withAsciiDigits(phone.normalize('NFKC'));
  const number = parsePhoneNumberFromString(typed, country);
  // An extension is not reached by a text message.
  if (!number?.isValid() || number.ext || SERVICES.has(number.getType())) return undefined;
  return number.number;
}

/** Returns whether the market sends text messages. */
export const isTextingOn = ({ SMS_URL }: Pick<Env, 'SMS_URL'>): boolean => SMS_URL !== undefined;

/** Returns whether a person can be reached by text message. */
export const canText = (
  {
    phoneVerifiedAt,
    deletedAt = null,
  }: { phoneVerifiedAt: Date | string | null; deletedAt?: Date | null },
  env: Pick<Env, 'SMS_URL'>,
): boolean => isTextingOn(env) && phoneVerifiedAt !== null && deletedAt === null;

/**
 * Returns the digits of the code with this id. They are derived, so that a repeated message has the same code, and
 * nothing stored tells them to anyone without the market's secret.
 */
export function digitsOfCode({ JWT_SECRET }: Pick<Env, 'JWT_SECRET'>, id: string): string {
  const digest = createHmac('sha256', JWT_SECRET).update(`phone code ${id}`).digest();
  const digits = digest.readUIntBE(0, 6) % 10 ** PHONE_CODE_LENGTH;
  return String(digits).padStart(PHONE_CODE_LENGTH, '0');
}

/** Returns the digits that somebody typed, in ASCII. */
export const typedDigits = (code: string): string =>
  withAsciiDigits(code.normalize('NFKC')).replace(/\D/g, '');

/** Returns when a code stops working. */
export const endOfCode = ({ createdAt }: Pick<PhoneCode, 'createdAt'>): Date =>
  new Date(createdAt.getTime() + PHONE_CODE_MINUTES * 60_000);

/** What a code is worth that was sent last: `ended` where it is too old or for another number, `used up` by wrong tries. */
export function stateOfCode(
  code: Pick<PhoneCode, 'phone' | 'tries' | 'createdAt'> | null,
  { phone }: Pick<User, 'phone'>,
  now: Date,
): 'open' | 'ended' | 'used up' {
  if (!code || code.phone !== phone || endOfCode(code) <= now) return 'ended';
  return code.tries >= PHONE_CODE_TRIES ? 'used up' : 'open';
}

/** Returns for how many seconds somebody has to wait for another code who was sent codes at these times; 0 for none. */
export function secondsToNextCode(sentAt: readonly Date[], now: Date): number {
  const waits = PHONE_CODE_LIMITS.person.map(({ seconds, max }) => {
    const since = now.getTime() - seconds * 1000;
    const counted = sentAt.map((at) => at.getTime()).filter((at) => at > since);
    const oldest = counted.sort((one, other) => one - other).at(-max);
    return oldest === undefined ? 0 : Math.ceil((oldest - since) / 1000);
  });
  return Math.max(...waits);
}
