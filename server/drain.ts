import type { Server } from 'node:http';
import type { Socket } from 'node:net';

const LOOK_MS = 50;

/**
 * Follows a server's connections from the beginning, to end them in good order.
 * @returns a function that takes no new connection from then on, and resolves when all that was asked is
 * answered; what is not after `patienceMs` is cut off
 */
export function createDrain(server: Server): (patienceMs: number) => Promise<void> {
  const connections = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });

  return async (patienceMs) => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    // Browsers open lines on suspicion; nothing was asked on these.
    for (const socket of connections) if (socket.bytesRead === 0) socket.destroy();
    // A connection that is kept for a next request would hold the end up for a minute.
    const looking = setInterval(() => server.closeIdleConnections(), LOOK_MS);
    const cutting = setTimeout(() => server.closeAllConnections(), patienceMs);
    await closed;
    clearInterval(looking);
    clearTimeout(cutting);
  };
}
