import { createHmac } from 'node:crypto';
import { domainToASCII } from 'node:url';
import { UNSOLICITED_PER_DAY } from '#contract/people/notifications/constants';
import { PHONE_CODE_LIMITS } from '#contract/people/phone/constants';
import type { Transaction } from '../../../prisma/client.ts';
import type { Env } from '../../platform/process/env.ts';
import { lockName } from '../../platform/stores/postgres.ts';

/** Mails about an account to an address that nobody has proved: the person who opened the account may not own it. */
export const UNPROVEN_PER_DAY = 5;

/** Who receives an unsolicited mail: anyone who has this address, a farm by its id, or all admins. */
type Receiver = { email: string } | { farmId: string } | 'admins';

/** Unsolicited mails of the last day. */
interface UnsolicitedCounts {
  toReceiver: number;
  ofSender: number;
  ofMarket: number;
}

/**
 * Returns whether one more unsolicited mail is within all limits; `UNSOLICITED_MAILS_PER_DAY` is that of the market.
 */
export const isWithinLimits = (
  { toReceiver, ofSender, ofMarket }: UnsolicitedCounts,
  marketPerDay: number,
): boolean =>
  toReceiver < UNSOLICITED_PER_DAY.receiver &&
  ofSender < UNSOLICITED_PER_DAY.sender &&
  ofMarket < marketPerDay;

type Settings = Pick<Env, 'JWT_SECRET' | 'UNSOLICITED_MAILS_PER_DAY'>;

/**
 * Decides whether an unsolicited mail is sent, and counts it if so. Its sender must have proved their own email. They
 * count by their mailbox, so that an account that is deleted and opened again is the same sender, and by their farm,
 * so that several of its people are one.
 *
 * It takes its lock last, so that the counts hold for all processes until the transaction ends.
 */
export async function claimUnsolicited(
  tx: Transaction,
  env: Settings,
  mail: { senderId: string; farmId?: string | null | undefined; to: Receiver },
): Promise<boolean> {
  const sender = await tx.user.findUnique({
    where: { id: mail.senderId, deletedAt: null, isFarm: false },
    select: { email: true, emailVerifiedAt: true },
  });
  if (!sender?.emailVerifiedAt) return false;
  const senderKey = keyOf(env, mailboxOf(sender.email));
  const targetKey = keyOf(env, receiverKey(mail.to));
  const farmId = mail.farmId ?? null;
  await lockCounts(tx);
  const [counts] = await tx.$queryRaw<UnsolicitedCounts[]>`
    WITH counted AS (
      SELECT target_key, sender_key = ${senderKey} OR COALESCE(farm_id = ${farmId}::uuid, false) AS is_same_sender
      FROM limited_mails
      WHERE sent_at > clock_timestamp() - interval '1 day' AND sender_key IS NOT NULL)
    SELECT count(*) FILTER (WHERE is_same_sender AND target_key = ${targetKey})::int AS "toReceiver",
           count(*) FILTER (WHERE is_same_sender)::int AS "ofSender",
           count(*)::int AS "ofMarket"
    FROM counted`;
  if (!counts || !isWithinLimits(counts, env.UNSOLICITED_MAILS_PER_DAY)) return false;
  await addMail(tx, { senderKey, farmId, targetKey });
  return true;
}

/** Decides whether a mail about an account is sent to its address that nobody has proved, and counts it if so. */
export async function claimUnproven(
  tx: Transaction,
  env: Settings,
  email: string,
): Promise<boolean> {
  const targetKey = keyOf(env, mailboxOf(email));
  await lockCounts(tx);
  const [counted] = await tx.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM limited_mails
    WHERE sent_at > clock_timestamp() - interval '1 day' AND sender_key IS NULL AND target_key = ${targetKey}`;
  if (!counted || counted.count >= UNPROVEN_PER_DAY) return false;
  await addMail(tx, { senderKey: null, farmId: null, targetKey });
  return true;
}

/**
 * Decides whether a code is texted to a number, and counts it if so: whoever asks, also after their account is gone.
 * @returns 0, or after how many seconds one may be texted again
 */
export async function claimPhoneCode(
  tx: Transaction,
  env: Settings,
  phone: string,
): Promise<number> {
  const targetKey = keyOf(env, `phone ${phone}`);
  await lockCounts(tx);
  const [oldest] = await tx.$queryRaw<{ waitSeconds: number }[]>`
    SELECT ceil(extract(epoch FROM sent_at + interval '1 day' - clock_timestamp()))::int AS "waitSeconds"
    FROM limited_mails
    WHERE sent_at > clock_timestamp() - interval '1 day' AND sender_key IS NULL AND target_key = ${targetKey}
    ORDER BY sent_at DESC OFFSET ${PHONE_CODE_LIMITS.numberPerDay - 1}::int LIMIT 1`;
  if (oldest) return Math.max(1, oldest.waitSeconds);
  await addMail(tx, { senderKey: null, farmId: null, targetKey });
  return 0;
}

const lockCounts = (tx: Transaction): Promise<void> => lockName(tx, 'limited mails');

interface CountedMail {
  senderKey: string | null;
  farmId: string | null;
  targetKey: string;
}

async function addMail(
  tx: Transaction,
  { senderKey, farmId, targetKey }: CountedMail,
): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO limited_mails (sender_key, farm_id, target_key, sent_at)
    VALUES (${senderKey}, ${farmId}::uuid, ${targetKey}, clock_timestamp())`;
}

/** What is counted under, which no one reads. */
const receiverKey = (to: Receiver): string => {
  if (to === 'admins') return to;
  return 'email' in to ? mailboxOf(to.email) : `farm ${to.farmId}`;
};

/** Hashed with the market's secret, so that the table names nobody. */
const keyOf = (env: Settings, name: string): string =>
  createHmac('sha256', env.JWT_SECRET).update(`limited mails ${name}`).digest('base64url');

/** Domains whose mailboxes ignore dots, by the name that they share. */
const DOTLESS: Readonly<Record<string, string>> = {
  'gmail.com': 'gmail.com',
  'googlemail.com': 'gmail.com',
};

/**
 * Returns one spelling of the mailbox that an address reaches: without case, with its domain in ASCII, and without
 * what `+` appends.
 */
export function mailboxOf(email: string): string {
  const address = email.normalize('NFKC').trim().toLowerCase();
  const at = address.lastIndexOf('@');
  const domain = address.slice(at + 1).replace(/\.$/, '');
  // Empty for what is no domain, which stays as it is.
  const ascii = domainToASCII(domain) || domain;
  const local = address.slice(0, Math.max(0, at));
  const name = local.split('+')[0] || local;
  const shared = DOTLESS[ascii];
  return shared ? `${name.replaceAll('.', '')}@${shared}` : `${name}@${ascii}`;
}
