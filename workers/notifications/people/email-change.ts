import { EMAIL_LINK_DAYS, EMAIL_UNDO_DAYS } from '#contract/people/auth/constants';
import { theMarket } from '#contract/platform/market/constants';
import type { Database, Transaction } from '../../../prisma/client.ts';
import type { ProcessPlatform } from '../../../server/platform/events/platform.ts';
import { compose } from '../engine/compose.ts';
import type { Reactions } from '../engine/definition.ts';
import { CHANGE_KIND, CHANGE_NOTICE_KIND } from '../engine/reach.ts';
import { greeting, singleLine } from '../engine/wording.ts';
import { type MailedTo, makeEmailLink } from './email-verification.ts';

export const isChangeKind = (kind: string): boolean =>
  kind === CHANGE_KIND || kind === CHANGE_NOTICE_KIND;

/** Mails both addresses of an account whose email is to change. */
export const emailChangeReactions: Reactions = {
  'email.changeRequested': ({ data: { _id: userId, change } }) =>
    ([CHANGE_KIND, CHANGE_NOTICE_KIND] as const).map((kind) => ({
      do: 'mail' as const,
      userId,
      kind,
      key: `${kind}:${change}`,
    })),
};

/** Returns the change that a delivery is about, and where its mail goes; null where it has ended. */
export async function findChange(db: Database | Transaction, { kind, key }: Delivery) {
  const change = await db.emailChange.findFirst({
    where: {
      id: key.slice(key.indexOf(':') + 1),
      undoneAt: null,
      user: { deletedAt: null, isFarm: false },
      // A change that was replaced can be undone, and confirmed no more.
      ...(kind === CHANGE_KIND ? { confirmedAt: null, endedAt: null } : {}),
    },
    include: { user: { select: { name: true } } },
  });
  if (!change) return null;
  const { userId: id, newEmail, oldEmail, user } = change;
  return { change, to: { id, name: user.name, email: kind === CHANGE_KIND ? newEmail : oldEmail } };
}

interface Delivery {
  id: string;
  kind: string;
  key: string;
}

/** Composes the mail of one delivery. */
export async function composeChange(
  platform: Pick<ProcessPlatform, 'db' | 'env'>,
  row: Delivery,
  to: MailedTo,
) {
  const found = await findChange(platform.db, row);
  if (!found) throw new Error('The change of email ended while its mail was written');
  const { id: changeId, newEmail, undoUntil: expiresAt } = found.change;
  const market = singleLine(theMarket().name);
  if (row.kind === CHANGE_KIND) {
    return compose({
      subject: 'Confirm your new email',
      greeting: greeting(to.name),
      parts: [
        {
          body: `Please confirm that this is the new email of your ${market} account. Until then your present one stays. The link below works for ${EMAIL_LINK_DAYS} days.`,
          link: await makeEmailLink(platform, row.id, to, { changeId }),
          action: 'Confirm my new email',
        },
      ],
      footer: `If you don't have an account, open the link too and choose "This wasn't me".`,
    });
  }
  return compose({
    subject: 'Your email is about to change',
    greeting: greeting(to.name),
    parts: [
      {
        body: `Somebody who knows your password asked to change the email of your ${market} account to ${singleLine(newEmail)}. It changes once it is confirmed there. If that wasn't you, the link below undoes it, for ${EMAIL_UNDO_DAYS} days after the change.`,
        link: await makeEmailLink(platform, row.id, to, { changeId, expiresAt }),
        action: "This wasn't me",
      },
    ],
    footer: 'If it was you, there is nothing to do.',
  });
}
