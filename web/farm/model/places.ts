import type { FarmerCard, Handoff } from '#contract/farm/farmers/farmers';
import { milesBetween } from '#contract/farm/places/constants/positions';
import type { Position } from '#contract/farm/places/places';
import {
  HANDOFF_DAYS_AHEAD,
  possibleDays,
  type WallMoment,
} from '#contract/farm/schedule/constants';
import {
  formatDistance,
  isMetric,
  KM_PER_MILE,
} from '#contract/platform/quantities/constants/quantities';
import { t } from '#contract/platform/text/constants/texts';
import { addDays, clockMs, wallClockIn } from '#contract/platform/time/constants';
import { dayRulesOf, formatMoment, formatOpenings, formatWhen, nextHandoff } from './handoff.ts';

/** Returns the next days for which one can order, with their hours: 'today 4–6 PM', 'Sat 8 AM–2 PM'. */
export function nextTimes(handoff: Handoff, now: Date | number = clockMs(), most = 3): string[] {
  const clock = wallClockIn(handoff.timeZone, now);
  const days = { from: clock.date, to: addDays(clock.date, HANDOFF_DAYS_AHEAD) };
  return possibleDays(dayRulesOf(handoff), clock, days)
    .slice(0, most)
    .map((day) => formatWhen(day, clock.date));
}

/** Returns until when one can order: 'order until Fri 6 PM', 'order until 6 PM today'. */
export const formatUntil = (until: WallMoment, today: string): string =>
  t('order until {moment}', { moment: formatMoment(until, today) });

/**
 * Returns the town in which one picks up, of several places none: `own` is the farm's, with its state as the country
 * writes it.
 */
export const pickupTown = ({ places = [] }: Handoff, own: string): string =>
  places.length === 0 ? own : places.length === 1 ? (places[0]?.town ?? '') : '';

/** Returns 'Pickup Sat 8 AM–2 PM in Putney, VT', or undefined if the farm offers none. */
export function pickupSentence(handoff: Handoff, place = ''): string | undefined {
  if (!handoff.pickup) return undefined;
  const times = formatOpenings(handoff);
  if (times === '') return place === '' ? t('Pickup') : t('Pickup in {place}', { place });
  return place === ''
    ? t('Pickup {times}', { times })
    : t('Pickup {times} in {place}', { times, place });
}

/** Where a farm is from a reader: how far, and what a card says of it. */
interface Nearby {
  miles: number;
  words: string;
}

type Located = Pick<FarmerCard, 'handoff' | 'position'>;

/**
 * Returns how far a farm is: its nearest pickup place or, where none says where it is, the farm itself; and when one can
 * pick up there next: '12 km · next pickup Thu'. Undefined where nothing is known.
 */
export function nearbyOf(
  { handoff, position }: Located,
  here: Position,
  now: Date | number = clockMs(),
): Nearby | undefined {
  const [nearest] = (handoff?.places ?? [])
    .flatMap((place) =>
      place.position ? [{ place, miles: milesBetween(here, place.position) }] : [],
    )
    .sort((one, other) => one.miles - other.miles);
  if (!nearest && !position) return undefined;
  const miles = nearest?.miles ?? milesBetween(here, position ?? here);
  const distance = formatDistance(
    isMetric() ? Math.max(1 / KM_PER_MILE, miles) : Math.max(1, Math.round(miles)),
  );
  const at = handoff && (nearest ? { ...handoff, places: [nearest.place] } : handoff);
  const next = at?.pickup ? nextHandoff(at, now) : undefined;
  if (!at || !next) return { miles, words: distance };
  const day = formatWhen({ ...next, open: null }, wallClockIn(at.timeZone, now).date);
  return { miles, words: t('{distance} · next pickup {day}', { distance, day }) };
}

/** Returns the farms by how far they are, those of which that is not known last, as they came. */
export function nearestFirst<Farm extends Located>(
  farms: readonly Farm[],
  here: Position,
): { farm: Farm; words?: string | undefined }[] {
  const far = (miles = Number.POSITIVE_INFINITY) => miles;
  return farms
    .map((farm) => ({ farm, ...nearbyOf(farm, here) }))
    .sort((one, other) =>
      far(one.miles) < far(other.miles) ? -1 : Number(far(one.miles) > far(other.miles)),
    );
}

/** Text with a house number and a comma is an address; 'The red gate' is not. */
const looksLikeAddress = (text: string): boolean => /\d/.test(text) && text.includes(',');

/**
 * Returns a link that searches the way to a pickup on a map, which the consumer opens. A location in free
 * words is looked for at the farm's own address. Undefined if neither is an address.
 */
export function directionsLink(location: string, farmAddress: string): string | undefined {
  const destination = looksLikeAddress(location) ? location : farmAddress;
  if (destination.trim() === '') return undefined;
  return `https://www.google.com/maps/dir/?${new URLSearchParams({ api: '1', destination })}`;
}
