import type { ReportKind } from '#contract/admin/moderation/constants';
import type { ReportSubject } from '#contract/admin/moderation/moderation';
import { farmNameOf } from '#contract/farm/farmers/constants';
import { shortId } from '#contract/platform/http/constants';
import type { Transaction } from '../../../prisma/client.ts';
import { getProduct } from '../../catalogue/products/service.ts';
import { readFarmer } from '../../farm/farmers/service.ts';
import { isShown, voiceOf } from '../../farm/messages/service.ts';
import { getOrder } from '../../ordering/model/read.ts';
import { presentPerson } from '../../people/users/present.ts';
import { notFound } from '../../platform/http/errors.ts';
import type { SessionUser } from '../../platform/sessions/sessions.ts';

/** What is reported, as its reporter sees it. */
export interface Found {
  /** The person or farm that it is about. */
  aboutId: string;
  subject: ReportSubject;
}

type Find = (tx: Transaction, user: SessionUser, id: string) => Promise<Found>;

const NOTHING = { text: '', image: null, amount: null };

/** Total, so that nothing can be reported that the reporter may not see. */
const FINDERS: Record<ReportKind, Find> = {
  product: async (tx, user, id) => {
    const product = await getProduct({ db: tx }, id, user);
    const { name, description, images, price, farmer } = product;
    return {
      aboutId: farmer._id,
      subject: { name, text: description, image: images[0] ?? null, amount: price },
    };
  },
  farm: async (tx, user, id) => {
    const { farmer, profile } = await readFarmer({ db: tx }, id, user);
    return {
      aboutId: farmer._id,
      subject: {
        ...NOTHING,
        name: farmNameOf({ farmName: profile.farmName, name: farmer.name }),
        text: profile.description,
        image: profile.cover,
      },
    };
  },
  message: async (tx, user, id) => {
    const reader = voiceOf(user);
    const message = await tx.message.findFirst({
      // Only whoever it was written to.
      where: { id, receiverId: reader.id },
      include: { sender: true },
    });
    if (!message || !(await isShown(tx, reader, message.senderId))) {
      throw notFound('Message not found');
    }
    return {
      aboutId: message.senderId,
      subject: { ...NOTHING, name: presentPerson(message.sender).name, text: message.content },
    };
  },
  order: async (tx, user, id) => {
    const order = await getOrder({ db: tx }, id, user);
    const isBuyers = order.consumer._id === user.id;
    return {
      aboutId: isBuyers ? order.farmer._id : order.consumer._id,
      subject: { ...NOTHING, name: `#${shortId(id)}`, amount: order.totalAmount },
    };
  },
};

/** Finds what somebody reports, within their command's transaction. @throws 404 what is unknown or not theirs to see */
export const findSubject = (
  tx: Transaction,
  user: SessionUser,
  { kind, id }: { kind: ReportKind; id: string },
): Promise<Found> => FINDERS[kind](tx, user, id);
