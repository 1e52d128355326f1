import { theMarket } from '#contract/platform/market/constants';
import { formatCount } from '#contract/platform/text/constants/formats';

// Distances are miles on the wire and in the database. A metric market reads and types whole kilometres.

const KM_PER_MILE = 1.609344;

const isMetric = (): boolean => theMarket().unitSystem === 'metric';

/** The unit of distances that people type. */
export const distanceUnit = (): 'km' | 'miles' => (isMetric() ? 'km' : 'miles');

/** Returns miles in the market's unit: whole kilometres, of which any distance has at least one, or miles as they are. */
export function toShownDistance(miles: number): number {
  if (!isMetric() || miles === 0) return miles;
  return Math.max(1, Math.round(miles * KM_PER_MILE));
}

/** Returns the miles of a distance in the market's unit. */
export const toMiles = (shown: number): number => (isMetric() ? shown / KM_PER_MILE : shown);

/** Returns the longest distance that can be typed where this many miles are the limit. */
export const longestShown = (miles: number): number =>
  isMetric() ? Math.floor(miles * KM_PER_MILE) : miles;

/** Formats a distance: '40 km', '25 miles', '1 mile'. */
export function formatDistance(miles: number): string {
  const shown = toShownDistance(miles);
  const unit = !isMetric() && shown === 1 ? 'mile' : distanceUnit();
  return `${formatCount(shown)} ${unit}`;
}
