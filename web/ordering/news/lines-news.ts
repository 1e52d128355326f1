import { farmNameOf } from '#contract/farm/farmers/constants';
import type { ProposalStatus } from '#contract/ordering/changes/constants';
import type { UpdatedOrder } from '#contract/ordering/orders/orders';
import type { User } from '#contract/people/users/users';
import { shortId } from '#contract/platform/http/constants';
import { formatExpected } from '#contract/platform/money/constants';
import { farmIdOf } from '../../platform/session/farm-work.ts';
import { differencesInBrief } from '../model/line-words.ts';

/** What somebody is notified of when an order has changed. */
export type News = {
  text: string;
  /** Why somebody did it, in their words. */
  reason?: string | undefined;
  /** What it comes to. */
  details?: string | undefined;
  isGood: boolean;
};

type Change<Kind> = Extract<UpdatedOrder['change'], { kind: Kind }>;
type ClosedStatus = Exclude<ProposalStatus, 'open' | 'superseded'>;

/** What became of a proposal, as its farm reads it; `{name}` is the buyer's. */
const NEWS_FOR_FARM: Record<ClosedStatus, string> = {
  accepted: '{name} accepted your change of order {id}',
  answered: '{name} answered your change of order {id}',
  declined: '{name} cancelled order {id} because of your change',
  expired: '{name} did not answer your change of order {id} in time',
  withdrawn: 'The change of order {id} was taken back',
};

/** Returns what it means to `me` that lines of an order changed, or that somebody proposed it or answered. */
export function linesNewsOf(order: UpdatedOrder, me: User): News | undefined {
  const { change } = order;
  const isBuyer = order.consumer._id === me._id;
  const isOfFarm = order.farmer._id === farmIdOf(me);
  if (!isBuyer && !isOfFarm) return undefined;
  const entry = order.timeline.findLast(({ kind }) => kind === change.kind);
  const isOwn = entry?.by._id === me._id;
  if (change.kind === 'proposal') {
    // Nobody expires a proposal: that it is put down to somebody is no reason not to notify them.
    if (isOwn && change.status !== 'expired') return undefined;
    return isBuyer ? proposalForBuyer(order, change) : proposalForFarm(order, change);
  }
  if (change.kind !== 'lines' || isOwn || change.cause === 'wish') return undefined;
  if (isBuyer) {
    return {
      text: `${farmNameOf(order.farmer)} changed your order as you wished`,
      details: detailsOf(change),
      isGood: false,
    };
  }
  if (change.cause !== 'buyer') return undefined;
  return {
    text: `${order.consumer.name} changed order #${shortId(order._id)}`,
    details: detailsOf(change),
    isGood: false,
  };
}

function proposalForBuyer(order: UpdatedOrder, change: Change<'proposal'>): News | undefined {
  const farm = farmNameOf(order.farmer);
  // The question itself stands on every page, and is announced there.
  if (change.status === 'withdrawn') {
    return { text: `${farm} took its change of your order back`, isGood: true };
  }
  if (change.status !== 'expired') return undefined;
  return {
    text: `The time to answer ${farm} is over`,
    details: detailsOf(change),
    isGood: false,
  };
}

function proposalForFarm(order: UpdatedOrder, change: Change<'proposal'>): News | undefined {
  const { status } = change;
  if (status === 'open' || status === 'superseded') return undefined;
  const text = NEWS_FOR_FARM[status]
    .replace('{name}', () => order.consumer.name)
    .replace('{id}', `#${shortId(order._id)}`);
  return {
    text,
    details: status === 'declined' || status === 'withdrawn' ? undefined : detailsOf(change),
    isGood: status === 'accepted',
  };
}

const detailsOf = ({
  differences,
  totalAfter,
  isAfterEstimate,
}: Change<'lines' | 'proposal'>): string =>
  [differencesInBrief(differences), `${formatExpected(totalAfter, isAfterEstimate)} in all`]
    .filter(Boolean)
    .join('; ');
