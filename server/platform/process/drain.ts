import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { listenersOf } from './listen.ts';

const IDLE_CHECK_INTERVAL_MS = 50;

/**
 * Tracks a server's connections from the start, so that they can be drained.
 *
 * Ours because a server has two listeners here, of which http-terminator and stoppable would end one,
 * and Node itself now does the rest.
 * @returns a function that stops accepting connections and resolves when all requests are answered;
 * connections still open after `graceMs` milliseconds are closed
 */
export function createDrain(server: Server): (graceMs: number) => Promise<void> {
  const connections = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });

  return async (graceMs) => {
    const closed = Promise.all(
      listenersOf(server).map(
        (listener) => new Promise<void>((resolve) => listener.close(() => resolve())),
      ),
    );
    // Close speculative connections that sent no request.
    for (const socket of connections) if (socket.bytesRead === 0) socket.destroy();
    // An idle keep-alive connection would delay the shutdown by a minute.
    const idleCheck = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_INTERVAL_MS);
    const forcedClose = setTimeout(() => server.closeAllConnections(), graceMs);
    await closed;
    clearInterval(idleCheck);
    clearTimeout(forcedClose);
  };
}
