// @long It waits for limits to pass.
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { scaled, WAIT_MS } from '../../../testing/until.ts';
import { type BodyProgress, limitBodyTime, limitByProgress } from './body-time.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function serve(maxMs: number, listener: RequestListener): Promise<number> {
  const server = createServer(listener);
  limitBodyTime(server, maxMs);
  servers.push(server.listen(0, '127.0.0.1'));
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** Answers with the number of bytes of the body once it is complete. */
const countBytes: RequestListener = async (request, response) => {
  let bytes = 0;
  try {
    for await (const chunk of request) bytes += chunk.length;
    response.end(String(bytes));
  } catch {
    // The connection was closed.
  }
};

/** Counts too, but under progress limits instead of a total time. */
const countByProgress =
  (limits: BodyProgress, onCut: (reason: unknown) => void = () => {}): RequestListener =>
  (request, response) => {
    const signal = limitByProgress(request, limits);
    signal.addEventListener('abort', () => onCut(signal.reason));
    void countBytes(request, response);
  };

const generous: BodyProgress = {
  silenceMaxMs: WAIT_MS,
  windowMs: WAIT_MS,
  windowMinBytes: 1,
  totalMaxMs: WAIT_MS,
  totalMaxBytes: 1_000_000,
};

/** Resolves when a connection is closed, also by a reset, on which `once` would reject. */
const closing = (socket: Socket): Promise<void> =>
  new Promise((resolve) => {
    socket.once('close', () => resolve());
  });

/**
 * Posts some single bytes of a body, one every `pauseMs`: how slow it is, is what is tested. @returns the raw response
 */
async function trickle(port: number, bytes: number, pauseMs: number, length = bytes) {
  const socket = connect(port, '127.0.0.1');
  let answer = '';
  socket.setEncoding('utf8').on('data', (text) => {
    answer += text;
  });
  socket.on('error', () => {});
  const closed = closing(socket);
  socket.write(
    `POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: ${length}\r\n\r\n`,
  );
  for (let sent = 0; sent < bytes && !socket.destroyed; sent++) {
    await sleep(pauseMs);
    socket.write('x');
  }
  await closed;
  return answer;
}

it('closes a body that takes too long, with 408', async () => {
  const port = await serve(200, countBytes);
  expect(await trickle(port, 10_000, 10)).toMatch(/^HTTP\/1.1 408/);
});

it('closes a body that stalls, also when its request was answered already', async () => {
  const port = await serve(200, countBytes);
  expect(await trickle(port, 1, 1, 1000)).toMatch(/^HTTP\/1.1 408/);
  const refusing = await serve(200, (_, response) => {
    response.writeHead(401, { connection: 'keep-alive' }).end('no');
  });
  expect(await trickle(refusing, 10_000, 10)).toMatch(/^HTTP\/1.1 401/);
});

it('allows a complete request, however long its answer takes', async () => {
  const bodyMaxMs = scaled(500);
  const port = await serve(bodyMaxMs, (request, response) => {
    request.resume();
    setTimeout(() => response.end('done'), 3 * bodyMaxMs);
  });
  const answers = [undefined, 'abc', ''].map(async (body) => {
    const method = body === undefined ? 'GET' : 'POST';
    const response = await fetch(`http://127.0.0.1:${port}`, { method, body: body ?? null });
    return response.text();
  });
  expect(await Promise.all(answers)).toEqual(['done', 'done', 'done']);
});

it('allows a slow body while it makes progress', async () => {
  const port = await serve(100, countByProgress(generous));
  expect(await trickle(port, 60, 10)).toMatch(/^HTTP\/1.1 200[\s\S]*60$/);
});

it.each([
  ['silent', 'too_slow', { silenceMaxMs: 200 }, 1, 1],
  ['slower than it must be', 'too_slow', { windowMs: 200, windowMinBytes: 1000 }, 10_000, 10],
  ['too long under way', 'too_slow', { totalMaxMs: 200 }, 10_000, 10],
  ['too large', 'too_large', { totalMaxBytes: 20 }, 10_000, 5],
] as const)('cuts one that is %s', async (_, reason, limits, bytes, pauseMs) => {
  const reasons: unknown[] = [];
  const port = await serve(
    WAIT_MS,
    countByProgress({ ...generous, ...limits }, (why) => reasons.push(why)),
  );
  await trickle(port, bytes, pauseMs, 100_000);
  expect(reasons).toEqual([reason]);
});

it('checks each window separately, whatever came before', async () => {
  const reasons: unknown[] = [];
  const limits = { ...generous, windowMs: 300, windowMinBytes: 500 };
  const port = await serve(
    WAIT_MS,
    countByProgress(limits, (why) => reasons.push(why)),
  );
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  socket.resume();
  const closed = closing(socket);
  socket.write(
    `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 900000\r\n\r\n${'x'.repeat(100_000)}`,
  );
  const trickle = setInterval(() => socket.write('x'), 20);
  await closed;
  clearInterval(trickle);
  expect(reasons).toEqual(['too_slow']);
});
