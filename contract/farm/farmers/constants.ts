import type { Calls } from '#contract/platform/http/constants';
import { ofMarket } from '#contract/platform/market/constants';

export const WEEKDAYS = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const;
export type Weekday = (typeof WEEKDAYS)[number];

const inMarketOrder = ofMarket(({ weekStart }): readonly Weekday[] => {
  // The settings count from Sunday, `WEEKDAYS` from Monday.
  const first = (weekStart + 6) % 7;
  return [...WEEKDAYS.slice(first), ...WEEKDAYS.slice(0, first)];
});

/** Returns the days of a week in the order in which the market shows them. */
export const weekdays = (): readonly Weekday[] => inMarketOrder();

export const DELIVERY_RADIUS_MAX_MILES = 10_000;
export const ESTABLISHED_YEAR_MIN = 1900;
/** The longest name of a farming practice, in characters. */
export const PRACTICE_LENGTH_MAX = 80;

/** Returns the name under which a farm is known: its own, or else the farmer's. */
export const farmNameOf = ({ farmName, name }: { farmName: string; name: string }): string =>
  farmName || name;

export const farmersApi = {
  list: { method: 'GET', path: '/users/farmers' },
  detail: { method: 'GET', path: '/users/farmers/:id' },
  updateProfile: { method: 'PUT', path: '/users/farmers/profile' },
} as const satisfies Calls;

/** Minutes that a consumer has to answer a proposal, unless the farm says otherwise, and the limits of that. */
export const ANSWER_MINUTES = { standard: 120, min: 10, max: 2880 } as const;

/** Percent that a weighed line may cost more than its estimate without the consumer's yes. */
export const WEIGHT_TOLERANCE_PERCENT = { standard: 20, min: 0, max: 20 } as const;
