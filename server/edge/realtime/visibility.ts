import type { HiddenProduct } from '#contract/catalogue/products/product';
import { room } from '#contract/platform/events/constants';
import { canActFor, type FarmPermission } from '#contract/platform/session/constants';
import type { FarmPart } from '../../farm/farmers/policy.ts';
import type { LoggedEvent } from '../../platform/events/event-log.ts';
import type { SessionUser } from '../../platform/sessions/sessions.ts';
import type { ClosedFarms } from './closed-farms.ts';

/** Rooms that receive an event, and the data they receive. */
interface Audience {
  rooms: readonly string[];
  data: LoggedEvent['data'] | HiddenProduct;
}

/** An event as a client receives it. */
export interface SeenEvent {
  seq: number;
  id: string;
  at: string;
  name: LoggedEvent['name'];
  data: Audience['data'];
  /** By this a client recognizes what its own command caused. */
  commandId?: string;
}

type Viewer = Pick<SessionUser, 'id' | 'role' | 'membership'>;

/** What somebody must be allowed to do for a farm to be in each of its rooms, as for reading the same by REST. */
const FARM_ROOMS: readonly (readonly [FarmPermission, (farmId: string) => string])[] = [
  ['read', room.farm],
  ['writeMessages', room.farmMessages],
];

const farmRoomsOf = ({ membership }: Viewer): string[] =>
  FARM_ROOMS.flatMap(([permission, nameOf]) =>
    membership && canActFor({ membership }, membership.farmId, permission)
      ? [nameOf(membership.farmId)]
      : [],
  );

/** Returns the rooms that a socket joins on connection; null is a visitor. */
export const roomsOf = (user: Viewer | null): string[] => [
  room.everyone,
  ...(user ? [room.user(user.id), ...farmRoomsOf(user)] : []),
  ...(user?.role === 'admin' ? [room.admins] : []),
];

/**
 * Returns the rooms of an event. What was recorded of messages before farms had a room for them went to all of the
 * farm's people.
 */
const roomsOfEvent = ({ name, rooms }: LoggedEvent): readonly string[] =>
  name === 'message.created' || name === 'messages.read'
    ? rooms.map((each) => each.replace(/^farm:/, room.farmMessages('')))
    : rooms;

/** Returns which part of which farms an event shows; ids of people are allowed. Undefined for other events. */
function farmPartOf(event: LoggedEvent): { part: FarmPart; ids: string[] } | undefined {
  switch (event.name) {
    case 'farmer.updated':
      return { part: 'page', ids: [event.data._id] };
    case 'place.changed':
    case 'slot.updated':
      return { part: 'offer', ids: [event.data.farmId] };
    case 'product.created':
    case 'product.updated':
      return { part: 'offer', ids: [event.data.farmer._id] };
    case 'message.created':
      return { part: 'conversation', ids: [event.data.sender._id, event.data.receiver._id] };
    case 'messages.read':
      return { part: 'conversation', ids: [event.data.sender, event.data.reader] };
    default:
      return undefined;
  }
}

/**
 * Returns who of an event's rooms may see the farm that it shows, or undefined where all may. Where a farm stands now
 * decides, not where it stood at the event: replay shows nothing that a read refuses.
 */
export function viewersOf(
  event: LoggedEvent,
  farms: ClosedFarms,
): ((viewer: Viewer | null) => boolean) | undefined {
  const shown = farmPartOf(event);
  if (!shown || !farms.hasAny(shown.ids)) return undefined;
  return (viewer) => shown.ids.every((id) => farms.maySee(viewer, id, shown.part));
}

/**
 * Returns who receives an event, and with which data, for live delivery and replay. A socket in several
 * audiences belongs only to the first.
 */
export function audiencesOf(event: LoggedEvent): Audience[] {
  if (event.name === 'slot.updated') return audiencesOfSlot(event);
  if (event.name !== 'product.updated' || event.data.isActive) {
    return [{ rooms: roomsOfEvent(event), data: event.data }];
  }
  const { _id, version, farmer } = event.data;
  const mayReadInactive: string[] = [room.farm(farmer._id), room.admins];
  return [
    { rooms: event.rooms.filter((name) => mayReadInactive.includes(name)), data: event.data },
    {
      rooms: event.rooms.filter((name) => !mayReadInactive.includes(name)),
      data: { _id, isActive: false, version },
    },
  ];
}

/** Only the farm learns what exactly is taken of a slot. */
function audiencesOfSlot({
  rooms,
  data,
}: Extract<LoggedEvent, { name: 'slot.updated' }>): Audience[] {
  const { taken: _, capacity: __, ...publicData } = data;
  const own = room.farm(data.farmId);
  return [
    { rooms: rooms.filter((name) => name === own), data },
    { rooms: rooms.filter((name) => name !== own), data: publicData },
  ];
}

/**
 * Returns whether everyone may join the room. Replay includes its events, since it cannot know whether
 * the client had joined before it disconnected.
 */
const isOpen = (name: string): boolean =>
  name.startsWith(room.product('')) || name.startsWith(room.farmWatchers(''));

/**
 * Returns the event as this user may see it, or undefined when they may not. `isWatched` says which of the rooms that
 * everyone may join count as joined; all of them by default.
 */
export function seenBy(
  event: LoggedEvent,
  user: Viewer | null,
  farms: ClosedFarms,
  isWatched: (room: string) => boolean = isOpen,
): SeenEvent | undefined {
  if (viewersOf(event, farms)?.(user) === false) return undefined;
  const own = roomsOf(user);
  const audience = audiencesOf(event).find(({ rooms }) =>
    rooms.some((name) => own.includes(name) || isWatched(name)),
  );
  return audience && withData(event, audience.data);
}

/** Returns the event as sent to clients, without fields for servers only. */
export const withData = (
  { seq, id, at, name, commandId }: LoggedEvent,
  data: Audience['data'],
): SeenEvent => ({ seq, id, at, name, data, ...(commandId ? { commandId } : {}) });
