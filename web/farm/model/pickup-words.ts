import type { WallMoment } from '#contract/farm/schedule/constants';
import { t } from '#contract/platform/text/constants/texts';
import { formatMoment } from './handoff.ts';

// What is said of a pickup beyond cards and lists.

/** Returns until when one can order: 'order until Fri 6 PM', 'order until 6 PM today'. */
export const formatUntil = (until: WallMoment, today: string): string =>
  t('order until {moment}', { moment: formatMoment(until, today) });

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
