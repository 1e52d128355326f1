import { WEEKDAYS, type Weekday } from '#contract/farm/farmers/constants';
import { spansOf } from '#contract/farm/farmers/constants/hours';
import {
  BusinessHours,
  type FarmerDetail,
  type FarmProfile,
  type Handoff,
  type OpeningHours,
} from '#contract/farm/farmers/farmers';
import type { Position } from '#contract/farm/places/places';
import { type DayRules, HANDOFF_DAYS_AHEAD } from '#contract/farm/schedule/constants';
import { addDays, DEFAULT_TIME_ZONE, dayIn } from '#contract/platform/time/constants';
import type { FarmerProfile, User } from '../../../prisma/generated/client.ts';
import { presentAddress } from '../../people/users/present.ts';
import { jsonFields } from '../../platform/stores/sql.ts';
import { presentCertificate } from '../certificate/policy.ts';
import { quietHoursOf } from '../escalation/quiet.ts';
import { type PauseRow, presentPause } from '../pause/policy.ts';
import { isDraftFarm } from './policy.ts';

/** The columns of a position, both null without one. */
export interface PositionRow {
  latitude?: number | null;
  longitude?: number | null;
}

/** Presents where a farm or a place is; null where it does not say. */
export const presentPosition = ({ latitude, longitude }: PositionRow): Position | null =>
  latitude == null || longitude == null ? null : { latitude, longitude };

/** Returns the columns of a position; none where it stays as it is. */
export const toPositionRow = (position: Position | null | undefined): PositionRow =>
  position === undefined ? {} : (position ?? { latitude: null, longitude: null });

/** The columns of the account that carries a farm's id, for the farm's contact. */
type CarrierRow = Pick<User, 'isFarm' | 'phone' | 'street' | 'city' | 'state' | 'zipCode'>;

/** Presents a farm's public profile; with its contact, if the row of `users` that carries its id was read. */
export const presentFarmProfile = (row: FarmerProfile, carrier?: CarrierRow): FarmProfile => ({
  farmName: row.farmName,
  description: row.description,
  establishedYear: row.establishedYear,
  socialMedia: { facebook: row.facebook, instagram: row.instagram, twitter: row.twitter },
  farmingPractices: row.farmingPractices,
  // Days that were never set are closed.
  businessHours: BusinessHours.parse(row.businessHours),
  showsEmail: row.showsEmail,
  acceptsPickup: row.acceptsPickup,
  acceptsDelivery: row.acceptsDelivery,
  deliveryRadius: row.deliveryRadius,
  deliveryAreas: row.deliveryAreas,
  photo: row.photo,
  cover: row.cover,
  version: row.version,
  timeZone: row.timeZone,
  hasSlots: row.hasSlots,
  answerMinutes: row.answerMinutes,
  weightTolerancePercent: row.weightTolerancePercent,
  position: presentPosition(row),
  quietHours: quietHoursOf(row.escalation),
  certificate: presentCertificate(row),
  ...presentPause(row),
  ...(carrier ? { contact: presentFarmContact(carrier) } : {}),
});

const presentFarmContact = (row: CarrierRow): FarmProfile['contact'] =>
  row.isFarm ? { phone: row.phone, address: presentAddress(row) } : null;

/** Presents a farmer with the farm's profile and its pickup places, for everyone. */
export const presentFarmer = (
  row: User & { farm: FarmerProfile },
  places: FarmerDetail['places'],
): FarmerDetail => ({
  farmer: {
    _id: row.id,
    name: row.name,
    email: row.isFarm || !row.farm.showsEmail ? '' : row.email,
    phone: row.phone,
    address: presentAddress(row),
    createdAt: row.createdAt.toISOString(),
  },
  profile: presentFarmProfile(row.farm, row),
  handoff: presentHandoff(row.farm),
  places,
  ...(row.suspendedAt ? { isSuspended: true } : {}),
  ...(isDraftFarm(row.farm) ? { isDraft: true as const } : {}),
});

/** The columns from which a farm's days follow. */
const DAY_RULES_FIELDS = [
  ...(['businessHours', 'cutoffDaysBefore', 'cutoffTime', 'closedDays', 'bookableDays'] as const),
];
/** The columns of a farm's profile that say how its goods can be had. */
export const HANDOFF_FIELDS = [
  ...([
    'acceptsPickup',
    'acceptsDelivery',
    'deliveryRadius',
    'timeZone',
    'pickupOpenings',
    'pickupPlaces',
    'pausedUntil',
    'pauseNote',
  ] as const),
  ...DAY_RULES_FIELDS,
];

/** JSON has the hours as they are, and days as texts. */
export interface DayRulesRow
  extends Pick<FarmerProfile, 'cutoffDaysBefore' | 'cutoffTime' | 'bookableDays'> {
  businessHours: unknown;
  closedDays: readonly (string | Date)[];
}

export interface HandoffRow
  extends DayRulesRow,
    PauseRow,
    Pick<FarmerProfile, 'acceptsPickup' | 'acceptsDelivery' | 'deliveryRadius' | 'timeZone'> {
  /** JSON, as it is: when one can pick up at the farm's places; empty without any that has hours. */
  pickupOpenings: unknown;
  /** JSON, as it is: these places. */
  pickupPlaces: unknown;
}

/** The fields of a {@link DayRulesRow} for `json_build_object`; `farm` names a row of `farmer_profiles`. */
export const dayRulesFields = (farm: string): string => jsonFields(farm, DAY_RULES_FIELDS);

/**
 * Returns the rules of a farm's days; closed days may include some that are over. A farm without a profile
 * has none.
 */
export function dayRulesOf(
  row: DayRulesRow | null | undefined,
): DayRules & Pick<Handoff, 'openings'> {
  const { cutoffDaysBefore: daysBefore = null, cutoffTime: time = null } = row ?? {};
  return {
    openings: presentOpenings(row?.businessHours),
    cutoff: daysBefore === null || time === null ? null : { daysBefore, time },
    closedDays: (row?.closedDays ?? []).map((day) =>
      typeof day === 'string' ? day : day.toISOString().slice(0, 10),
    ),
    bookableDays: row?.bookableDays,
  };
}

/** Returns a farm's time zone: that of its profile, or UTC without one. */
export const zoneOf = (farm: { timeZone: string } | null | undefined): string =>
  farm?.timeZone ?? DEFAULT_TIME_ZONE;

type Hours = Partial<Record<Weekday, Partial<OpeningHours> | null>>;

/**
 * Presents how and when a farm's goods can be had: at its pickup places by their hours, else by its own. A farm
 * without a profile offers pickup and no delivery, as for its orders. It is part of every product of a list, so it
 * parses nothing: writes have.
 */
export function presentHandoff(row: HandoffRow | null): Handoff {
  const { acceptsPickup = true, acceptsDelivery = false, deliveryRadius = null } = row ?? {};
  const timeZone = zoneOf(row);
  const places = (row?.pickupPlaces ?? []) as NonNullable<Handoff['places']>;
  const { openings, cutoff, closedDays, bookableDays } = dayRulesOf(row);
  const atPlaces = (acceptsPickup && (row?.pickupOpenings as Handoff['openings'])) || [];
  return {
    pickup: acceptsPickup,
    delivery: acceptsDelivery,
    deliveryRadius,
    ...(atPlaces.length > 0 ? { openings: atPlaces, ownOpenings: openings } : { openings }),
    ...(acceptsPickup && places.length > 0 && { places }),
    timeZone,
    cutoff,
    closedDays: closedDays.length === 0 ? [] : ofNextWeeks(closedDays, dayIn(timeZone)),
    bookableDays,
    ...(row?.pausedUntil && presentPause(row)),
  };
}

const ofNextWeeks = (days: readonly string[], today: string): string[] => {
  const last = addDays(today, HANDOFF_DAYS_AHEAD);
  return days.filter((day) => day >= today && day <= last);
};

/** Puts days with the same hours together, by their first day. @param hours by day and time */
export function openingsOf(
  hours: Iterable<{ day: Weekday; open: string; close: string }>,
): Handoff['openings'] {
  const byTime = new Map<string, Handoff['openings'][number]>();
  for (const { day, open, close } of hours) {
    const same = byTime.get(`${open} ${close}`);
    if (same) same.days.push(day);
    else byTime.set(`${open} ${close}`, { days: [day], open, close });
  }
  return [...byTime.values()];
}

/** Presents the hours of a farm, as they are stored; days with the same hours together. */
export const presentOpenings = (hours: unknown): Handoff['openings'] =>
  openingsOf(
    WEEKDAYS.flatMap((day) => {
      const { open, close, more } = (hours as Hours | null | undefined)?.[day] ?? {};
      return typeof open === 'string' && typeof close === 'string'
        ? spansOf({ open, close, more }).map((span) => ({ day, ...span }))
        : [];
    }),
  );
