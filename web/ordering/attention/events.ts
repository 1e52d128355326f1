import type { QueryClient } from '@tanstack/react-query';
import { refetch } from '../../platform/realtime/in-flight.ts';
import { isReplayOfLastVisit } from '../../platform/realtime/position.ts';
import { byField, type FeatureReducers, upsert } from '../../platform/realtime/reducer.ts';
import { attentionKeys } from './queries.ts';

const oldestFirst = byField('createdAt', 'asc');

const refetchPlan = (cache: QueryClient): void => refetch(cache, attentionKeys.plan());

/** Keeps current what waits for an answer, and rings who tries it out. */
export const attentionReducers = {
  'attention.changed': (cache, { data }) =>
    upsert(cache, attentionKeys.list(), data, {
      order: oldestFirst,
      belongs: ({ state }) => state !== 'resolved',
    }),
  'attention.tried': (_, { data }) => {
    if (isReplayOfLastVisit()) return;
    // Few people try it, so what rings is loaded for them alone.
    void import('./ringing.ts').then(({ tryRing }) => tryRing(data.at));
  },
  // Who works there, and what reaches them, is whom it rings and whether it reaches anybody.
  'member.changed': (cache) => refetch(cache, attentionKeys.all),
  'account.changed': (cache) => refetch(cache, attentionKeys.all),
  'user.deleted': (cache) => refetch(cache, attentionKeys.all),
  'farmer.updated': refetchPlan,
} satisfies FeatureReducers;
