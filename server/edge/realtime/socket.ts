import { randomUUID } from 'node:crypto';
import type { Server, Socket } from 'socket.io';
import type { EphemeralEventName } from '#contract/platform/events/event';
import type {
  ClientToServerEvents,
  Envelope,
  ServerToClientEvents,
} from '#contract/platform/events/socket';
import { clockMs } from '#contract/platform/time/constants';
import type { SessionUser } from '../../platform/sessions/sessions.ts';

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
