import { randomUUID } from 'node:crypto';
import type { Server, Socket } from 'socket.io';
import type { EphemeralEventName } from '#contract/platform/events/event';
import type {
  ClientToServerEvents,
  Envelope,
  ServerToClientEvents,
} from '#contract/platform/events/socket';
import { clockMs } from '#contract/platform/time/constants';
import type { LoggedEvent } from '../../platform/events/event-log.ts';
import { createYielder } from '../../platform/events/follow.ts';
import { eventsDelivered } from '../../platform/metrics/metrics.ts';
import type { SessionUser } from '../../platform/sessions/sessions.ts';
import type { ClosedFarms } from './closed-farms.ts';
import type { Ephemeral } from './relay.ts';
import { audiencesOf, viewersOf, withData } from './visibility.ts';

interface SocketData {
  /** Null for a visitor. */
  user: SessionUser | null;
  token: string | undefined;
  /** The last event number the client knows. */
  after: number | undefined;
  /** The epoch that `after` is of, if the client says. */
  epoch: string | undefined;
}

type NoEvents = Record<string, never>;
export type Client = Socket<ClientToServerEvents, ServerToClientEvents, NoEvents, SocketData>;
export type SocketServer = Server<ClientToServerEvents, ServerToClientEvents, NoEvents, SocketData>;

/** Wraps an ephemeral event in an envelope. */
export const ephemeralEnvelope = <Name extends EphemeralEventName>(
  name: Name,
  data: Envelope<Name>['data'],
): Envelope<Name> => ({ id: randomUUID(), at: new Date(clockMs()).toISOString(), name, data });

/** Socket.IO types each event by its name; here the name is only known at run time. */
type Emit = (name: string, envelope: unknown) => unknown;

/** Emits an envelope under its own name. */
export function emitEnvelope(
  target: { emit: (...args: never[]) => unknown },
  envelope: { name: string },
): void {
  (target.emit as unknown as Emit).call(target, envelope.name, envelope);
}

/** Sockets that an event is written to between two checks whether to yield. */
const SLICE_SOCKETS = 250;

/**
 * Creates functions that write events to the sockets of this process, in slices. `epoch` is that of the log.
 */
export function createFanOut(io: SocketServer, epoch: string, farms: ClosedFarms) {
  const yieldIfLong = createYielder();
  const { adapter, sockets } = io.of('/');
  const { rooms: members } = adapter;

  const userOf = (id: string) => sockets.get(id)?.data.user ?? null;

  /** Returns the ids of the sockets in these rooms. */
  function socketsIn(rooms: Iterable<string>): Set<string> {
    const ids = new Set<string>();
    for (const name of rooms) for (const id of members.get(name) ?? []) ids.add(id);
    return ids;
  }

  async function emitTo(ids: readonly string[], envelope: { name: string }): Promise<void> {
    for (let start = 0; start < ids.length; start += SLICE_SOCKETS) {
      // Socket.IO encodes a packet once per emit, however many sockets receive it.
      emitEnvelope(io.to(ids.slice(start, start + SLICE_SOCKETS)), envelope);
      await yieldIfLong();
    }
  }

  /**
   * Delivers an event of the log. Its receivers are fixed before the first write: a socket that connects
   * meanwhile gets the event by its catch-up.
   */
  async function deliver(event: LoggedEvent): Promise<void> {
    const settled = new Set<string>();
    const maySee = viewersOf(event, farms);
    const parts = audiencesOf(event).map(({ rooms, data }) => {
      const ids = [...socketsIn(rooms)].filter(
        (id) => !settled.has(id) && (!maySee || maySee(userOf(id))),
      );
      for (const id of ids) settled.add(id);
      return { ids, envelope: withData(event, data) };
    });
    if (settled.size === 0) return;
    eventsDelivered.inc({ name: event.name });
    for (const { ids, envelope } of parts) await emitTo(ids, envelope);
  }

  /** Emits `resync` to every socket, after a gap in the log that cannot be replayed. */
  async function resyncAll(seq: number): Promise<void> {
    await emitTo([...sockets.keys()], ephemeralEnvelope('resync', { seq, epoch }));
  }

  function emitEphemeral({ name, room, data }: Ephemeral): void {
    const envelope = ephemeralEnvelope(name, data as never);
    if (name !== 'presence.changed' || !farms.hasAny([data.userId])) {
      emitEnvelope(io.to(room), envelope);
      return;
    }
    // They watched the farm before it left the market.
    const ids = [...socketsIn([room])].filter((id) =>
      farms.maySee(userOf(id), data.userId, 'conversation'),
    );
    if (ids.length > 0) emitEnvelope(io.to(ids), envelope);
  }

  return { deliver, resyncAll, emitEphemeral };
}
