import { room } from '#contract/events';
import type { HiddenProduct } from '#contract/products';
import type { LoggedEvent } from '../events/event-log.ts';
import type { SessionUser } from '../http/sessions.ts';

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

/** Returns the rooms that a socket joins on connection; null is a visitor. */
export const roomsOf = (user: Viewer | null): string[] => [
  room.everyone,
  ...(user ? [room.user(user.id)] : []),
  ...(user?.membership ? [room.farm(user.membership.farmId)] : []),
  ...(user?.role === 'admin' ? [room.admins] : []),
];

/**
 * Returns who receives an event, and with which data, for live delivery and replay. A socket in several
 * audiences belongs only to the first.
 */
export function audiencesOf(event: LoggedEvent): Audience[] {
  if (event.name === 'slot.updated') return audiencesOfSlot(event);
  if (event.name !== 'product.updated' || event.data.isActive) {
    return [{ rooms: event.rooms, data: event.data }];
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

/** Returns the event as this user may see it, or undefined when they may not. */
export function seenBy(event: LoggedEvent, user: Viewer | null): SeenEvent | undefined {
  const own = roomsOf(user);
  const audience = audiencesOf(event).find(({ rooms }) =>
    rooms.some((name) => own.includes(name) || isOpen(name)),
  );
  return audience && withData(event, audience.data);
}

/** Returns the event as sent to clients, without fields for servers only. */
export const withData = (
  { seq, id, at, name, commandId }: LoggedEvent,
  data: Audience['data'],
): SeenEvent => ({ seq, id, at, name, data, ...(commandId ? { commandId } : {}) });
