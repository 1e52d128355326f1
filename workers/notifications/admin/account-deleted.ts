import { theMarket } from '#contract/platform/market/constants';
import type { Database, Transaction } from '../../../prisma/client.ts';
import type { ProcessPlatform } from '../../../server/platform/events/platform.ts';
import { compose } from '../engine/compose.ts';
import { greeting, singleLine } from '../engine/wording.ts';

/** Returns where the mail about a deleted account goes; null once it was sent, or after a day. */
export const findDeletionMail = (db: Database | Transaction, userId: string) =>
  db.accountDeletionMail.findUnique({ where: { userId } });

/** Deletes the address, once the mail was sent. */
export const deleteDeletionMail = async ({ db }: Pick<ProcessPlatform, 'db'>, userId: string) => {
  await db.accountDeletionMail.deleteMany({ where: { userId } });
};

/** Composes the mail that confirms the deletion of an account. */
export function composeDeletionMail(
  { env }: Pick<ProcessPlatform, 'env'>,
  receiver: { name: string },
) {
  const market = singleLine(theMarket().name);
  return compose({
    subject: 'Your account was deleted',
    greeting: greeting(receiver.name),
    parts: [
      {
        body: `Your ${market} account and everything personal in it are gone, as you asked. Orders you placed stay with the farms, under "Deleted user". You are welcome back any time with a new account.`,
        link: env.PUBLIC_URL,
        action: `Visit ${market}`,
      },
    ],
    footer:
      "This is the last email about this account. If it wasn't you, please write to the market.",
  });
}
