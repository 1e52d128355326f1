import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A message as a gateway received it. */
interface ReceivedText {
  to: string;
  text: string;
  /** When it came, in milliseconds since the epoch. */
  at: number;
}

/** What a gateway does with a message: answers a status, or not at all. */
export type Behaviour =
  | number
  /** Answers 202 late. */
  | 'late'
  /** Never answers. */
  | 'hangs'
  /** Sends `103 Early Hints` repeatedly and never an answer. */
  | 'endless hints'
  /** Takes the message and closes the connection instead of answering. */
  | 'answer lost'
  /** Closes the connection before the message is read. */
  | 'reset'
  /** Answers 200 with a body that never ends. */
  | 'floods'
  /** Redirects to an address of its own that takes every message. */
  | 'redirects';

/** Starts a gateway for text messages on this machine. It takes every message until it is told otherwise. */
export async function openSmsGateway() {
  const texts: ReceivedText[] = [];
  const attempts: { headers: IncomingHttpHeaders; path: string; method: string }[] = [];
  /** What is done with the next messages, in this order, and then with all others. */
  const next: Behaviour[] = [];
  let otherwise: Behaviour = 202;

  const server = createServer(async (request, response) => {
    const { headers, url: path = '', method = '' } = request;
    attempts.push({ headers, path, method });
    const way = path === '/redirected' ? 202 : (next.shift() ?? otherwise);
    if (way === 'reset') {
      request.socket.resetAndDestroy();
      return;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const isTaken =
      way === 'late' ||
      way === 'answer lost' ||
      way === 'floods' ||
      (typeof way === 'number' && way < 300);
    if (isTaken)
      texts.push({ ...JSON.parse(Buffer.concat(chunks).toString('utf8')), at: Date.now() });
    answer(way, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    url: `${url}/send`,
    texts,
    attempts,
    /** Says what is done with the messages that come next; the last one stands for all others with `andOthers`. */
    behave: (...ways: Behaviour[]) => void next.push(...ways),
    behaveAlways: (way: Behaviour) => {
      otherwise = way;
    },
    textsTo: (to: string) => texts.filter((each) => each.to === to).map(({ text }) => text),
    countConnections: () =>
      new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count))),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function answer(way: Exclude<Behaviour, 'reset'>, response: ServerResponse): void {
  const { socket } = response;
  if (way === 'answer lost') socket?.destroy();
  else if (way === 'late') setTimeout(() => response.writeHead(202).end(), 300);
  else if (way === 'redirects') response.writeHead(307, { location: '/redirected' }).end();
  else if (way === 'endless hints') {
    const timer = setInterval(() => socket?.write('HTTP/1.1 103 Early Hints\r\n\r\n'), 50);
    socket?.once('close', () => clearInterval(timer));
  } else if (way === 'floods') {
    response.writeHead(200);
    const flood = () => {
      while (response.write(Buffer.alloc(64 * 1024)));
    };
    response.on('drain', flood);
    flood();
  } else if (typeof way === 'number') response.writeHead(way).end('{"id":1}');
}
