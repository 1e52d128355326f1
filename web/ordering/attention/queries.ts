import { queryOptions } from '@tanstack/react-query';
import type { Attention } from '#contract/ordering/attention/attention';
import { attentionApi } from '#contract/ordering/attention/constants';
import { dataOf } from '../../platform/api/api.ts';

/** The keys of what waits for an answer, and of how a farm is told; each begins with `all`. */
export const attentionKeys = {
  all: ['attention'] as const,
  list: () => ['attention', 'list'] as const,
  plan: () => ['attention', 'plan'] as const,
};

/** What waits for an answer at the signed-in person's farm, oldest first; for admins at every farm. */
export const attentionQuery = () =>
  queryOptions({ queryKey: attentionKeys.list(), queryFn: dataOf(attentionApi.list) });

/** How often admins ask again: whether anybody can be reached changes without an event. */
const ADMINS_REFRESH_MS = 30_000;

/** The same for admins. */
export const farmsAttentionQuery = () =>
  queryOptions({ ...attentionQuery(), refetchInterval: ADMINS_REFRESH_MS, staleTime: 0 });

/** How the signed-in person's farm is told of new orders. */
export const planQuery = () =>
  queryOptions({ queryKey: attentionKeys.plan(), queryFn: dataOf(attentionApi.plan) });

/** Whether it asks the farm; what its customer has not seen is told to them alone. */
export const isOfFarm = ({ customer }: Attention): boolean => customer === undefined;

/** Whether it rings somebody on their open pages now. */
export const isRinging = ({ state, rings }: Attention, userId: string): boolean =>
  state === 'waiting' && rings.includes(userId);

/** Whether nobody has said that they are on it. */
export const isUnanswered = ({ state }: Attention): boolean =>
  state === 'waiting' || state === 'exhausted';

/** Returns what the farm has not answered about an order, and what its customer has not seen. */
export const aboutOrder = (attentions: readonly Attention[] | undefined, orderId: string) =>
  (attentions ?? []).filter(({ order }) => order?._id === orderId);
