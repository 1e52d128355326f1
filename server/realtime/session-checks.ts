import { room } from '#contract/events';
import type { Sessions, SessionUser } from '../http/sessions.ts';
import { voiceOf } from '../messages/service.ts';
import type { Client, SocketServer } from './socket.ts';

/** The longest delay of `setTimeout`. */
const TIMER_MAX_MS = 2_147_483_647;

/** Creates functions that disconnect sockets whose session has ended or no longer is the same. */
export function createSessionChecks(io: SocketServer, sessions: Sessions) {
  /**
   * Disconnects a socket whose token is no longer valid. One whose person works for another farm now, or may
   * no longer write for it, only has its connection closed: the client reconnects with its new session.
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

/** Returns whether the rooms or the presence of a person's sockets follow from another membership now. */
const isOther = (now: SessionUser, before: SessionUser): boolean =>
  now.membership?.farmId !== before.membership?.farmId || voiceOf(now).id !== voiceOf(before).id;

/** Disconnects a socket when its token expires. */
export function disconnectAt(socket: Client, expiresAt: number): void {
  const timer = setTimeout(
    () => socket.disconnect(true),
    Math.min(Math.max(0, expiresAt - Date.now()), TIMER_MAX_MS),
  );
  timer.unref();
  socket.conn.once('close', () => clearTimeout(timer));
}
