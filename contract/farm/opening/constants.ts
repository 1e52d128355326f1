import type { Calls } from '#contract/platform/http/constants';

/** What a farm needs before it can sell, in the order in which it is done; `email` where the market asks for it. */
export const OPENING_STEPS = ['email', 'profile', 'address', 'hours', 'product'] as const;
export type OpeningStep = (typeof OPENING_STEPS)[number];

/** What a farm can sell without, but is not complete without. It may set aside what it does not need. */
export const FURTHER_STEPS = ['place', 'payment', 'people'] as const;
export type FurtherStep = (typeof FURTHER_STEPS)[number];

/**
 * Where a farm stands on its way into the market: it prepares, asks for approval, was sent back with a
 * reason, or is approved. All but the last are drafts, which only their people and admins see.
 */
export const APPROVAL_STATES = ['preparing', 'waiting', 'sent_back', 'approved'] as const;
export type ApprovalState = (typeof APPROVAL_STATES)[number];

/** The parts of the admins' list of farms. Farms that were sent back prepare again. */
export const FARM_QUEUES = ['waiting', 'preparing', 'approved'] as const;
export type FarmQueue = (typeof FARM_QUEUES)[number];

/** The longest reason for sending a farm back, in characters. */
export const APPROVAL_REASON_MAX = 500;

export const openingApi = {
  own: { method: 'GET', path: '/farm/opening' },
  ask: { method: 'POST', path: '/farm/opening' },
  setAside: { method: 'PUT', path: '/farm/opening' },
  farms: { method: 'GET', path: '/admin/farms' },
  decide: { method: 'PUT', path: '/users/farmers/:id/approval' },
} as const satisfies Calls;
