import { room } from '#contract/platform/events/constants';
import type { Sessions, SessionUser } from '../../platform/sessions/sessions.ts';
import type { Client, SocketServer } from './socket.ts';

/** The longest delay of `setTimeout`. */
const TIMER_MAX_MS = 2_147_483_647;

/** Creates functions that disconnect sockets whose session has ended or no longer is the same. */
export function createSessionChecks(io: SocketServer, sessions: Sessions) {
  const timers = new WeakMap<Client, NodeJS.Timeout>();

  /** Checks a socket when its session is to end; use of it may have moved its end on by then. */
  function checkAfter(socket: Client, leftMs: number): void {
    const earlier = timers.get(socket);
    if (earlier) clearTimeout(earlier);
    else socket.conn.once('close', () => clearTimeout(timers.get(socket)));
    const timer = setTimeout(() => void check(socket), Math.min(leftMs, TIMER_MAX_MS));
    timers.set(socket, timer.unref());
  }

  /**
   * Disconnects a socket whose token is no longer valid. One whose person works for another farm now, or has another
   * role there, only has its connection closed: the client reconnects with its new session, into the rooms of that role.
   */
  async function check(socket: Client): Promise<void> {
    const { token } = socket.data;
    if (token === undefined || !socket.connected) return;
    try {
      const session = await sessions.peek(token);
      if (!session) socket.disconnect(true);
      else if (socket.data.user && isOther(session.user, socket.data.user)) socket.conn.close();
      else checkAfter(socket, session.leftMs);
    } catch {
      // The database is away: close the connection, so that the client reconnects and is checked then.
      socket.conn.close();
    }
  }

  /** Checks every socket of a user after `session.changed`. */
  async function checkUser(userId: string): Promise<void> {
    sessions.invalidate(userId);
    const { adapter, sockets } = io.of('/');
    for (const socketId of [...(adapter.rooms.get(room.user(userId)) ?? [])]) {
      const socket = sockets.get(socketId);
      if (socket) await check(socket);
    }
  }

  return { check, checkUser };
}

/** Returns whether what a person's sockets may see and do follows from another membership now. */
const isOther = ({ membership: now }: SessionUser, { membership: before }: SessionUser): boolean =>
  now?.farmId !== before?.farmId || now?.role !== before?.role;
