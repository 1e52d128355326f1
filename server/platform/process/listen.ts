import { once } from 'node:events';
import type { Server } from 'node:http';
import { createServer, type Server as NetServer } from 'node:net';

/** The host name that means loopback, on IPv4 and IPv6. */
const LOOPBACK = { name: 'localhost', ipv4: '127.0.0.1', ipv6: '::1' };

/** Error codes of a machine that lacks the address family. */
const MISSING_FAMILY_CODES = new Set(['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EPROTONOSUPPORT']);

/** The setting that names a port. */
export type PortSetting = 'PORT' | 'WORKER_PORT' | 'METRICS_PORT';

/** The IPv6 listener of each server on `localhost`. */
const ipv6Listeners = new WeakMap<Server, NetServer>();

/** Returns all listeners that accept connections for this server. */
export const listenersOf = (server: Server): NetServer[] => {
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
