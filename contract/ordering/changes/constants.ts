import type { Calls } from '#contract/platform/http/constants';
import type { ShortagePreference } from '#contract/platform/orders/constants';
import { estimateMinor, type PricedLine } from '#contract/platform/quantities/constants/quantities';

export const orderChangesApi = {
  wishes: { method: 'GET', path: '/orders/wishes' },
  propose: { method: 'POST', path: '/orders/:id/changes' },
  answer: { method: 'PUT', path: '/orders/:id/changes/:changeId/answer' },
  withdraw: { method: 'DELETE', path: '/orders/:id/changes/:changeId' },
  setWish: { method: 'PUT', path: '/orders/:id/lines/:lineId/preference' },
  shareShortage: { method: 'POST', path: '/farm/shortages' },
  readShortage: { method: 'GET', path: '/farm/shortages/:id' },
  changeItems: { method: 'PUT', path: '/orders/:id/items' },
} as const satisfies Calls;

// What may become of an order's lines between checkout and handover.

/** What a line is compared with how it was ordered. */
export const LINE_STATES = ['kept', 'reduced', 'removed', 'added'] as const;
export type LineState = (typeof LINE_STATES)[number];

/** What a proposal does with a line. `overweight` asks for the price of goods that weigh more than expected. */
export const PROPOSED_ACTIONS = ['reduce', 'remove', 'substitute', 'overweight'] as const;
export type ProposedAction = (typeof PROPOSED_ACTIONS)[number];

/** Why a farm is short of something. */
export const SHORT_REASONS = ['not_harvested', 'damaged', 'sold_out', 'quality', 'other'] as const;
export type ShortReason = (typeof SHORT_REASONS)[number];

/** Goods that a line loses for one of these do not exist, so they do not go back to the stock. */
export const WRITTEN_OFF_REASONS: readonly ShortReason[] = ['not_harvested', 'damaged', 'sold_out'];

/**
 * The states of a proposal; all but `open` are final: accepted as a whole, answered line by line, declined by
 * cancelling the order, not answered in time, taken back by the farm, or replaced by another one.
 */
export const PROPOSAL_STATUSES = [
  'open',
  'accepted',
  'answered',
  'declined',
  'expired',
  'withdrawn',
  'superseded',
] as const;
export type ProposalStatus = (typeof PROPOSAL_STATUSES)[number];

/**
 * What a consumer can say to one line of a proposal. `keep_limit` is for goods that weigh more than expected alone:
 * they pay what may be charged without their yes, and no more.
 */
export const LINE_ANSWERS = ['accept', 'keep_limit', 'leave_out'] as const;
export type LineAnswer = (typeof LINE_ANSWERS)[number];

/** How far an order is packed. */
export const PACKING_STATES = ['none', 'packing', 'packed'] as const;
export type PackingState = (typeof PACKING_STATES)[number];

/** How a farm shares what it has among the orders of a day. */
export const SHARE_RULES = ['first_come', 'fair', 'manual'] as const;
export type ShareRule = (typeof SHARE_RULES)[number];

export const PROPOSAL_NOTE_MAX = 300;
export const CRATES_MAX = 99;
/** Weights that one call can write. */
export const WEIGHTS_BATCH_MAX = 200;
/** Pieces of one line that can be weighed one by one. */
export const PIECES_MAX = 200;

/** Returns what a line costs as things stand, in minor units: what it weighs, else what is expected. */
export const lineMinor = (line: PricedLine & { finalMinor: number | null }): number =>
  line.finalMinor ?? estimateMinor(line);

/** Returns what a line is, compared with how it was ordered. */
export function lineStateOf(orderedMilli: number, quantityMilli: number): LineState {
  if (quantityMilli === 0) return 'removed';
  if (orderedMilli === 0) return 'added';
  return quantityMilli < orderedMilli ? 'reduced' : 'kept';
}

/** Returns whether goods that a line loses go back to the stock. */
export const returnsToStock = (reason: ShortReason): boolean =>
  !WRITTEN_OFF_REASONS.includes(reason);

/**
 * Returns whether what a farm wants of a line is done at once, as the consumer wished beforehand: the line is left out,
 * or comes something of the same category. Everything else asks them, and so does whatever is dearer: less of goods
 * that were weighed light can be, at its estimate.
 */
export function followsPreference(
  preference: ShortagePreference,
  action: Exclude<ProposedAction, 'overweight'>,
  { isSameCategory, isDearer }: { isSameCategory: boolean; isDearer: boolean },
): boolean {
  if (isDearer) return false;
  if (preference === 'leave_out') return action !== 'substitute';
  return preference === 'similar' && action === 'substitute' && isSameCategory;
}

/** What an entry of an order's timeline says of lines that came instead of others. */
interface LinesEntry {
  kind: string;
  detail?: unknown;
}

/** Returns the lines that came instead of others by the consumer's wish for a shortage, by the order's timeline. */
export const linesByPreference = (timeline: readonly LinesEntry[]): ReadonlySet<string> =>
  new Set(
    timeline.flatMap(({ kind, detail }) => {
      const { cause, differences = [] } = (detail ?? {}) as {
        cause?: string;
        differences?: { lineId: string; replaces?: string }[];
      };
      if (kind !== 'lines' || cause !== 'shortage') return [];
      return differences.filter(({ replaces }) => replaces).map(({ lineId }) => lineId);
    }),
  );
