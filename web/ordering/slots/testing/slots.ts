import type { FarmSlot, OfferedSlot } from '#contract/farm/slots/slots';
import { addDays } from '#contract/platform/time/constants';

const MINUTE_MS = 60_000;

/** Two places of pickup. */
export const MARKET: OfferedSlot['place'] = {
  _id: '00000000-0000-4000-8000-000000000801',
  name: 'Market square',
  address: { street: '1 Main St', city: 'Putney', state: '', zipCode: '' },
  phone: '',
  directions: 'Beside the fountain.',
};
export const MILL: OfferedSlot['place'] = {
  _id: '00000000-0000-4000-8000-000000000802',
  name: 'Old mill',
  address: { street: '4 Mill Lane', city: 'Putney', state: '', zipCode: '' },
  phone: '',
  directions: '',
};

let count = 0;

/** Returns an open slot of half an hour without a limit, at a farm whose clock is UTC. */
export function aSlot(date: string, from: string, over: Partial<OfferedSlot> = {}): OfferedSlot {
  const startsAt = Date.parse(`${date}T${from}:00Z`);
  const endsAt = new Date(startsAt + 30 * MINUTE_MS).toISOString();
  count += 1;
  return {
    _id: `00000000-0000-4000-8000-${String(9_000 + count).padStart(12, '0')}`,
    place: MARKET,
    date,
    from,
    to: endsAt.slice(11, 16),
    startsAt: new Date(startsAt).toISOString(),
    endsAt,
    closesAt: new Date(startsAt).toISOString(),
    hasLimit: false,
    remaining: null,
    state: 'open',
    ...over,
  };
}

/** Returns an open slot as its farm sees it, without orders and without a limit. */
export function aFarmSlot(date: string, from: string, over: Partial<FarmSlot> = {}): FarmSlot {
  const { hasLimit: _, remaining: __, ...slot } = aSlot(date, from);
  return { ...slot, taken: 0, capacity: null, isDayClosed: false, ...over };
}

/** Returns the day so many days from now, by UTC. */
export const dayFromNow = (days: number): string =>
  addDays(new Date().toISOString().slice(0, 10), days);
