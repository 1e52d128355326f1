import { once } from 'node:events';
import type { Server } from 'node:http';
import { createServer, type Server as NetServer, type Socket } from 'node:net';

/** The host name that means loopback, on IPv4 and IPv6. */
const LOOPBACK = { name: 'localhost', ipv4: '127.0.0.1', ipv6: '::1' };

/** Error codes of a machine that lacks the address family. */
const MISSING_FAMILY_CODES = new Set(['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EPROTONOSUPPORT']);

/** The setting that names a port. */
export type PortSetting = 'PORT' | 'WORKER_PORT' | 'METRICS_PORT';

/** The IPv6 listener of each server on `localhost`. */
const ipv6Listeners = new WeakMap<Server, NetServer>();

/** Returns all listeners that accept connections for this server. */
const listenersOf = (server: Server): NetServer[] => {
  const ipv6Listener = ipv6Listeners.get(server);
  return ipv6Listener ? [server, ipv6Listener] : [server];
};

/**
 * Starts listening. `localhost` means the loopback addresses of both IPv4 and IPv6, as far as the
 * machine has them.
 * Throws the system's error with the name of the port's setting in `setting`.
 */
export async function listen(
  server: Server,
  { port, host, setting }: { port: number; host: string; setting: PortSetting },
): Promise<void> {
  try {
    if (host !== LOOPBACK.name) {
      await start(server, port, host);
      return;
    }
    const isIpv4 = await startIfPossible(server, port, LOOPBACK.ipv4);
    if (!isIpv4) {
      await start(server, port, LOOPBACK.ipv6);
      return;
    }
    const { port: ipv4Port } = server.address() as { port: number };
    const ipv6Listener = createServer((socket) => server.emit('connection', socket));
    if (await startIfPossible(ipv6Listener, ipv4Port, LOOPBACK.ipv6)) {
      ipv6Listeners.set(server, ipv6Listener);
    }
  } catch (error) {
    if (server.listening) server.close();
    throw Object.assign(error as Error, { setting });
  }
}

async function start(server: NetServer, port: number, host: string): Promise<void> {
  server.listen(port, host);
  // Rejects when the server emits 'error' first.
  await once(server, 'listening');
}

async function startIfPossible(server: NetServer, port: number, host: string): Promise<boolean> {
  try {
    await start(server, port, host);
    return true;
  } catch (error) {
    if (MISSING_FAMILY_CODES.has((error as NodeJS.ErrnoException).code ?? '')) return false;
    throw error;
  }
}

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
