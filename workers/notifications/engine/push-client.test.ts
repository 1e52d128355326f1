import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readEnv } from '../../../server/platform/process/env.ts';
import { readVapid } from '../../../server/platform/process/push.ts';
import { scaled, until, WAIT_MS } from '../../../testing/until.ts';
import { type Misbehaviour, openPushService } from '../../testing/push-service.ts';
import {
  createPushClient,
  type PushClient,
  type PushClientOptions,
  type PushPayload,
} from './push-client.ts';

const env = readEnv({ ...process.env, NODE_ENV: 'test', JWT_SECRET: 'x'.repeat(32) });
const payload: PushPayload = {
  title: 'Hello',
  body: 'There are beets.',
  link: '/orders/1',
  tag: 'a-b-c',
  lang: 'en',
  dir: 'ltr',
};
/** For requests that are answered, which a busy machine may be slow to bring. */
const LONG_DEADLINE = { deadlineMs: scaled(20_000) };

let service: Awaited<ReturnType<typeof openPushService>>;
const clients: PushClient[] = [];

beforeEach(async () => {
  service = await openPushService();
  service.expectSender(readVapid(env).publicKey);
});
afterEach(async () => {
  for (const client of clients.splice(0)) client.close();
  await service.close();
});

function openClient(options: PushClientOptions = {}): PushClient {
  const client = createPushClient(env, { ca: service.cert, deadlineMs: 700, ...options });
  clients.push(client);
  return client;
}

const target = (way?: Misbehaviour) => {
  const { endpoint, keys } = service.subscribe(way ?? 'phone', way);
  return { endpoint, ...keys };
};

/** Returns the outcome: 'sent', the error's message, or 'never settled'. */
const outcome = (sending: Promise<void>): Promise<string> =>
  Promise.race([
    sending.then(
      () => 'sent',
      (error: Error) => error.message,
    ),
    new Promise<string>((resolve) => setTimeout(resolve, WAIT_MS, 'never settled').unref()),
  ]);

describe('a push service that misbehaves', () => {
  const TIMED_OUT = 'The push service did not answer within 700 ms.';

  it.each([
    ['no-tls', TIMED_OUT],
    ['no-answer', TIMED_OUT],
    ['endless-hints', TIMED_OUT],
    ['half-a-status-line', TIMED_OUT],
    ['hangs-up-before', 'socket hang up'],
    // The status alone says that the message was accepted.
    ['hangs-up-within', 'sent'],
    ['no-body', 'sent'],
    ['trickles', 'sent'],
    ['floods', 'sent'],
    ['redirects', 'The push service answered 307.'],
  ] as const)('is given up and its connection closed (%s)', async (way, expected) => {
    const client = openClient(expected === TIMED_OUT ? {} : LONG_DEADLINE);
    expect(await outcome(client.send(target(way), payload))).toBe(expected);
    const kept = way === 'redirects' ? 1 : 0;
    await until(async () => (await service.countConnections()) <= kept);
    expect(service.attempts).not.toContain('redirected');
  });

  it('does not delay other requests to the same service', async () => {
    const client = openClient({ deadlineMs: WAIT_MS });
    const hanging = Array.from({ length: 40 }, () => client.send(target('no-answer'), payload));
    for (const each of hanging) each.catch(() => {});
    expect(await outcome(client.send(target(), payload))).toBe('sent');
    expect(service.received.map(({ browser }) => browser)).toEqual(['phone']);
  });
});

it('reuses the connection to a working push service', async () => {
  const client = openClient(LONG_DEADLINE);
  const phone = target();
  for (let count = 0; count < 3; count++) await client.send(phone, payload);
  expect(service.received).toHaveLength(3);
  expect(await service.countConnections()).toBe(1);
});

it('does not wait for a name server that never answers', async () => {
  const nameServer = createSocket('udp4').bind(0, '127.0.0.1');
  await once(nameServer, 'listening');
  const resolver = new Resolver({ timeout: WAIT_MS, tries: 2 });
  resolver.setServers([`127.0.0.1:${nameServer.address().port}`]);
  try {
    // Long enough for those that are served, on this machine too.
    const deadlineMs = scaled(4000);
    const client = openClient({ resolver, deadlineMs });
    const { endpoint: _, ...keys } = target();
    const lost = { endpoint: 'https://push.example.com/1', ...keys };
    const attempts = Array.from({ length: 20 }, () => outcome(client.send(lost, payload)));
    // While those wait for DNS, others are served.
    expect(await outcome(client.send(target(), payload))).toBe('sent');
    expect(new Set(await Promise.all(attempts))).toEqual(
      new Set([`The push service did not answer within ${deadlineMs} ms.`]),
    );
  } finally {
    nameServer.close();
  }
});

it('rejects a name that resolves to a private address', async () => {
  const { endpoint: _, ...keys } = target();
  const inner = ['10.0.0.1', '169.254.169.254', '192.168.1.1'];
  const resolver = {
    resolve4: async () => inner,
    resolve6: async () => ['::1', 'fd00::1'],
    cancel: () => {},
  } as unknown as Resolver;
  const client = openClient({ resolver });
  expect(
    await outcome(client.send({ endpoint: 'https://push.example.com/1', ...keys }, payload)),
  ).toBe('The address is not on the open internet.');
  expect(await outcome(client.send({ endpoint: 'https://10.0.0.1/1', ...keys }, payload))).toBe(
    'The address is not on the open internet.',
  );
});
