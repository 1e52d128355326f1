import type { FarmQueue } from '#contract/farm/opening/constants';

/** The keys of farms on their way into the market; each begins with `all`. */
export const openingKeys = {
  all: ['opening'] as const,
  /** Of the signed-in farmer's farm. */
  own: () => ['opening', 'own'] as const,
  /** The admins' lists of farms; `queue(state)` begins with it. */
  queues: () => ['opening', 'farms'] as const,
  queue: (state: FarmQueue) => ['opening', 'farms', state] as const,
};
