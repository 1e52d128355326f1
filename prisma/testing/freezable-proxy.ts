import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/**
 * A way to a server that can be frozen: connections stay, new ones are taken, and nothing comes through
 * until it is thawed, as with a process that is stopped. It can also be slow: everything comes through late.
 */
export async function startFreezableProxy(url: string) {
  let target = new URL(url);
  const sockets = new Set<Socket>();
  let isFrozen = false;
  let delayMs = 0;
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      if (isFrozen) from.pause();
      from.on('data', (chunk) => {
        if (delayMs === 0) to.write(chunk);
        else setTimeout(() => to.write(chunk), delayMs);
      });
      from.on('error', () => {});
      from.once('close', () => {
        sockets.delete(from);
        to.destroy();
      });
      if (isFrozen) from.pause();
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const own = new URL(url);
  own.hostname = '127.0.0.1';
  own.port = String((server.address() as AddressInfo).port);
  return {
    url: own.toString(),
    freeze: () => {
      isFrozen = true;
      for (const socket of sockets) socket.pause();
    },
    thaw: () => {
      isFrozen = false;
      for (const socket of sockets) socket.resume();
    },
    /** Delays whatever comes through, in both directions, by so many milliseconds; 0 ends that. */
    slow: (ms: number) => {
      delayMs = ms;
    },
    /** Leads new connections to another server; those that are open stay where they are. */
    pointTo: (other: string) => {
      target = new URL(other);
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
