import { room } from '#contract/events';
import type { Sessions, SessionUser } from '../http/sessions.ts';
import type { Client, SocketServer } from './socket.ts';

/** The longest delay of `setTimeout`. */
const TIMER_MAX_MS = 2_147_483_647;

/** Creates functions that disconnect sockets whose session has ended or no longer is the same. */
export function createSessionChecks(io: SocketServer, sessions: Sessions) {
  /**
   * Disconnects a socket whose token is no longer valid. One whose person works for another farm now, or has another
   * role there, only has its connection closed: the client reconnects with its new session, into the rooms of that role.
   */
  async function check(socket: Client): Promise<void> {
    const { token } = socket.data;
    if (token === undefined || !socket.connected) return;
    try {
      const session = await sessions.verify(token);
      if (!session) socket.disconnect(true);
      else if (socket.data.user && isOther(session.user, socket.data.user)) socket.conn.close();
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

/** Disconnects a socket when its token expires. */
export function disconnectAt(socket: Client, expiresAt: number): void {
  const timer = setTimeout(
    () => socket.disconnect(true),
    Math.min(Math.max(0, expiresAt - Date.now()), TIMER_MAX_MS),
  );
  timer.unref();
  socket.conn.once('close', () => clearTimeout(timer));
}
