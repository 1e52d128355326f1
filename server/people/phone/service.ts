import { SMS_OFF } from '#contract/people/phone/constants';
import type { ChangePhone, ConfirmPhone, Phone } from '#contract/people/phone/phone';
import { theMarket } from '#contract/platform/market/constants';
import { msg } from '#contract/platform/text/constants/texts';
import type { Database, Transaction } from '../../../prisma/client.ts';
import type { PhoneCode } from '../../../prisma/generated/client.ts';
import { record } from '../../platform/events/event-log.ts';
import { conflict, invalidField, tooMany } from '../../platform/http/errors.ts';
import type { Platform } from '../../platform/http/platform.ts';
import { afterCommit, currentLanguage } from '../../platform/process/request-context.ts';
import { lockCallerAlone } from '../../platform/sessions/lock-caller.ts';
import type { SessionUser } from '../../platform/sessions/sessions.ts';
import { transact } from '../../platform/stores/postgres.ts';
import { readClock } from '../../platform/time/clock.ts';
import { claimPhoneCode } from '../notifications/limited-mails.ts';
import { accountChanged, recordProfileChange } from '../users/addresses.ts';
import {
  digitsOfCode,
  endOfCode,
  isTextingOn,
  secondsToNextCode,
  stateOfCode,
  toE164,
  typedDigits,
} from './policy.ts';

declare module '../../platform/events/event.ts' {
  interface InternalEvents {
    /** A code is to be texted to this account's phone; in this language if it has chosen none. */
    'phone.codeRequested': { _id: string; code: string; language?: string | undefined };
  }
}

const HOUR_MS = 3_600_000;

/** Returns the code that was sent last to somebody. */
export const lastCode = (db: Database | Transaction, userId: string): Promise<PhoneCode | null> =>
  db.phoneCode.findFirst({ where: { userId }, orderBy: [{ createdAt: 'desc' }, { id: 'desc' }] });

const readUser = (db: Database | Transaction, id: string) =>
  db.user.findUniqueOrThrow({ where: { id }, select: { phone: true, phoneVerifiedAt: true } });

/** Returns somebody's phone, and whether it is verified. */
export async function readPhone(
  { db, env }: { db: Database | Transaction; env: Platform['env'] },
  userId: string,
): Promise<Phone> {
  const { phone, phoneVerifiedAt } = await readUser(db, userId);
  const code = phoneVerifiedAt ? null : await lastCode(db, userId);
  const isOpen = code && stateOfCode(code, { phone }, await readClock(db)) === 'open';
  return {
    phone,
    isVerified: phoneVerifiedAt !== null,
    isTextingOn: isTextingOn(env),
    codeEndsAt: isOpen ? endOfCode(code).toISOString() : null,
  };
}

/**
 * Makes a number the caller's phone, not verified yet, and has a code texted to it. A number that is verified already
 * stays so, and gets no code.
 * @throws 400 it is no number, 401 the account was just deleted, 409 SMS_OFF, 429 too many codes
 */
export async function changePhone(
  platform: Platform,
  user: SessionUser,
  { phone: typed }: ChangePhone,
): Promise<Phone> {
  const { env } = platform;
  if (!isTextingOn(env))
    throw conflict(
      SMS_OFF,
      msg('{market} sends no text messages. Write your number into your profile instead.', {
        market: theMarket().name,
      }),
    );
  const phone = toE164(typed);
  if (phone === undefined)
    throw invalidField(
      'phone',
      msg(
        'This is no phone number. Enter it with its area code, or with + and the code of its country.',
      ),
    );
  const answer = await transact(platform.db, async (tx) => {
    await lockCallerAlone(tx, user.id);
    const before = await readUser(tx, user.id);
    const isSame = before.phone === phone;
    if (!isSame || before.phoneVerifiedAt === null) {
      const code = await addCode(tx, env, { userId: user.id, phone });
      const language = currentLanguage();
      await record(tx, {
        name: 'phone.codeRequested',
        data: { _id: user.id, code: code.id, language },
        rooms: [],
      });
      if (isSame) await record(tx, accountChanged(user.id));
      else {
        await tx.user.update({
          where: { id: user.id },
          data: { phone, phoneVerifiedAt: null, version: { increment: 1 } },
          select: { id: true },
        });
        await recordProfileChange(tx, user);
      }
    }
    return readPhone({ db: tx, env }, user.id);
  });
  afterCommit(() => platform.sessions.invalidate(user.id));
  return answer;
}

/** Adds a code, within the limits of the person and of the number. @throws 429 */
async function addCode(
  tx: Transaction,
  env: Platform['env'],
  { userId, phone }: Pick<PhoneCode, 'userId' | 'phone'>,
): Promise<PhoneCode> {
  const now = await readClock(tx);
  const sent = await tx.phoneCode.findMany({
    where: { userId, createdAt: { gt: new Date(now.getTime() - HOUR_MS) } },
    select: { createdAt: true },
  });
  const sentAt = sent.map(({ createdAt }) => createdAt);
  const waitSeconds = secondsToNextCode(sentAt, now) || (await claimPhoneCode(tx, env, phone));
  if (waitSeconds > 0) throw tooMany(waitSeconds);
  return tx.phoneCode.create({ data: { userId, phone, createdAt: now } });
}

/**
 * Verifies the caller's phone by the code that was sent to it last. A repeat answers as the first time.
 * @throws 400 the code is wrong, has ended, or was entered wrongly too often; 401 the account was just deleted
 */
export async function confirmPhone(
  platform: Platform,
  user: SessionUser,
  { code: typed }: ConfirmPhone,
): Promise<Phone> {
  const { env } = platform;
  const answer = await transact(platform.db, async (tx) => {
    await lockCallerAlone(tx, user.id);
    const { phone, phoneVerifiedAt } = await readUser(tx, user.id);
    if (phoneVerifiedAt === null) {
      const code = await lastCode(tx, user.id);
      const now = await readClock(tx);
      const state = stateOfCode(code, { phone }, now);
      if (!code || state !== 'open') throw state === 'used up' ? codeUsedUp() : codeEnded();
      if (typedDigits(typed) !== digitsOfCode(env, code.id)) {
        await tx.phoneCode.update({ where: { id: code.id }, data: { tries: { increment: 1 } } });
        return undefined;
      }
      await tx.user.update({
        where: { id: user.id },
        data: { phoneVerifiedAt: now },
        select: { id: true },
      });
      await record(tx, accountChanged(user.id));
    }
    return readPhone({ db: tx, env }, user.id);
  });
  // Refused after the commit, so that the try counts.
  if (!answer) throw wrongCode();
  return answer;
}

const wrongCode = () =>
  invalidField('code', msg('This is not the code that we sent. Check it and enter it again.'));

const codeEnded = () => invalidField('code', msg('This code has expired. Ask for a new one.'));

const codeUsedUp = () => invalidField('code', msg('Too many wrong codes. Ask for a new one.'));

/**
 * Returns what is stored of a phone that somebody writes into their profile: a number that is verified keeps that, and
 * its form, however it is spelled; another one is not verified. The caller's row is locked alone before.
 */
export async function phoneOfProfile(
  tx: Transaction,
  userId: string,
  phone: string,
): Promise<{ phone?: string; phoneVerifiedAt?: null }> {
  const before = await readUser(tx, userId);
  const isSame = before.phoneVerifiedAt !== null && toE164(phone) === before.phone;
  return isSame ? {} : { phone, phoneVerifiedAt: null };
}
