import { createServer, request, type Server } from 'node:http';
import { connect } from 'node:net';

export type RunningProxy = Awaited<ReturnType<typeof startProxy>>;

/**
 * Starts a proxy on a port. Each request and each WebSocket goes to the next of its `targets`, which are ports: no
 * client has a server of its own. `Upgrade` is passed on only while `passesUpgrade` is set.
 */
export function startProxy(port: number, targets: number[]) {
  let requests = 0;
  const proxy = {
    targets,
    passesUpgrade: true,
    upgrades: 0,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
  const nextTarget = () => proxy.targets[requests++ % proxy.targets.length] ?? 0;
  const server: Server = createServer((incoming, outgoing) => {
    const { method, url: path, headers } = incoming;
    const forwarded = request(
      // A connection of its own each time, so that it is any process that answers.
      { host: '127.0.0.1', port: nextTarget(), method, path, headers, agent: false },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      },
    );
    forwarded.on('error', () => outgoing.destroy());
    outgoing.on('close', () => forwarded.destroy());
    incoming.pipe(forwarded);
  });
  server.on('upgrade', (incoming, client) => {
    if (!proxy.passesUpgrade) {
      client.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n');
      return;
    }
    proxy.upgrades++;
    const upstream = connect(nextTarget(), '127.0.0.1', () => {
      const lines = incoming.rawHeaders.map((text, index) =>
        index % 2 === 0 ? `${text}: ` : `${text}\r\n`,
      );
      upstream.write(`GET ${incoming.url} HTTP/1.1\r\n${lines.join('')}\r\n`);
      upstream.pipe(client).pipe(upstream);
    });
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
    }
  });
  return new Promise<typeof proxy>((resolve) =>
    server.listen(port, '127.0.0.1', () => resolve(proxy)),
  );
}
