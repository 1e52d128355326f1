import { room } from '#contract/events';
import type { Sessions, SessionUser } from '../http/sessions.ts';
import { voiceOf } from '../messages/service.ts';
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
   * Disconnects a socket whose token is no longer valid. One whose person works for another farm now, or may
   * no longer write for it, only has its connection closed: the client reconnects with its new session.
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

/** Returns whether the rooms or the presence of a person's sockets follow from another membership now. */
const isOther = (now: SessionUser, before: SessionUser): boolean =>
  now.membership?.farmId !== before.membership?.farmId || voiceOf(now).id !== voiceOf(before).id;
