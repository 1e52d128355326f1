import { createHmac } from 'node:crypto';
import type { Transaction } from '../../../prisma/client.ts';
import type { NotificationDelivery, Prisma } from '../../../prisma/generated/client.ts';
import type { ProcessPlatform } from '../../../server/platform/events/platform.ts';
import { compose, greeting } from './compose.ts';
import type { MailKind, ReachOf, Reactions } from './definition.ts';

const receiverSelect = {
  id: true,
  name: true,
  email: true,
  language: true,
  preferences: true,
  emailVerifiedAt: true,
  emailRefusedAt: true,
  unreachableAt: true,
} as const satisfies Prisma.UserSelect;

/** To whom a mail goes, and what their account says of mails. The name of somebody invited is not known. */
export type Receiver = Prisma.UserGetPayload<{ select: typeof receiverSelect }>;

/** Returns the receiver of a mail that goes to an address, whatever the account is. */
export const addressOnly = (
  to: Pick<Receiver, 'id' | 'name' | 'email' | 'language'>,
): Receiver => ({
  ...to,
  preferences: {},
  emailVerifiedAt: null,
  emailRefusedAt: null,
  unreachableAt: null,
});

/** Finds a person who has an account. */
export const findAccount = (
  tx: Transaction,
  id: string,
  where: Prisma.UserWhereInput = {},
): Promise<Receiver | null> =>
  tx.user.findFirst({
    where: { id, deletedAt: null, isFarm: false, ...where },
    select: receiverSelect,
  });

/** A mail that is no notification: when it is sent, to whom, and what it says. */
export interface MailDefinition<Kind extends MailKind = MailKind> {
  reach: ReachOf<Kind>;
  reactions: Reactions;
  /** Finds its receiver; null where it is not needed any more. */
  findReceiver: (tx: Transaction, row: NotificationDelivery) => Promise<Receiver | null>;
  /** Whether it goes only where the market mails what is not needed to sign in. */
  needsVerifiedEmail?: true;
  /** Whether more of them were asked for than are sent. */
  isBeyondLimit?: (tx: Transaction, row: NotificationDelivery) => Promise<boolean>;
  compose: (
    platform: ProcessPlatform,
    row: NotificationDelivery,
    to: Receiver,
  ) => Promise<ReturnType<typeof compose>>;
  /** Whether it also goes to an address that was refused: by it its reader proves that it is reached again. */
  provesAddress?: true;
  /** What is done once it was sent, or its address refused. */
  afterSent?: (platform: ProcessPlatform, to: Receiver) => Promise<void>;
}

/** Composes a mail about one thing, with a link. */
export const letter = (
  to: { name: string },
  { subject, footer, ...part }: Record<'subject' | 'body' | 'link' | 'action' | 'footer', string>,
) => compose({ subject, greeting: greeting(to.name), parts: [part], footer });

/**
 * Returns the token of a mailed link. It is derived from the id of the delivery, so that a repeated mail contains the
 * same link; only its hash is stored.
 */
export const linkToken = (
  { env }: Pick<ProcessPlatform, 'env'>,
  purpose: string,
  deliveryId: string,
): string =>
  createHmac('sha256', env.JWT_SECRET).update(`${purpose} ${deliveryId}`).digest('base64url');
