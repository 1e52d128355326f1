import { z } from 'zod';
import { SOCKET_LIMITS } from '#contract/platform/events/constants';
import type { EventName, EventRegistry } from '#contract/platform/events/event';
import {
  CLIENT_EVENTS,
  type ClientEventName,
  HandshakeAuth,
  WatchedVersions,
} from '#contract/platform/events/socket';
import { Id, Instant } from '#contract/platform/http/http';
import { namedWithin, simplify } from './openapi.ts';

export type AsyncApiDocument = ReturnType<typeof describeEvents>;

const refTo = (kind: 'messages' | 'schemas', name: string) => ({
  $ref: `#/components/${kind}/${name}`,
});

const sent = Object.keys(CLIENT_EVENTS) as ClientEventName[];

/** The AsyncAPI 3 document of the live protocol, made from its contract: all events that there are. */
export function describeEvents(publicUrl: string, events: EventRegistry) {
  const received = Object.keys(events) as EventName[];
  const summaryOf = (name: EventName): string =>
    `${events[name].summary} To: ${events[name].audience}`;
  const { protocol, host } = new URL(publicUrl);
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Farmgate live',
      version: '1.0.0',
      description:
        'What happens on the market, over Socket.IO. Every event has one argument, the envelope. ' +
        'Nothing is written over this line: writes are REST. ' +
        'Where no WebSocket can be opened, GET /api/events reads the same events over HTTP.',
    },
    defaultContentType: 'application/json',
    servers: {
      market: {
        host,
        protocol: protocol === 'https:' ? 'wss' : 'ws',
        pathname: '/socket.io/',
        description: `Socket.IO 4. Packets of at most ${SOCKET_LIMITS.packetBytes} bytes, ${SOCKET_LIMITS.messagesPerMinute} a minute, ${SOCKET_LIMITS.socketsPerUser} sockets a user, ${SOCKET_LIMITS.visitorSocketsPerAddress} sockets of visitors an address.`,
        bindings: { ws: { bindingVersion: '0.1.0' } },
      },
    },
    channels: {
      market: {
        address: '/',
        title: 'The default namespace',
        description:
          'The handshake brings auth: a token and the last number seen, both optional. Rooms are joined by the server alone.',
        messages: Object.fromEntries([
          ...received.map((name) => [name, refTo('messages', name)]),
          ...sent.map((name) => [`client.${name}`, refTo('messages', `client.${name}`)]),
        ]),
      },
    },
    operations: {
      sendEvents: {
        action: 'send',
        channel: { $ref: '#/channels/market' },
        summary: 'What the server sends.',
        messages: received.map((name) => ({ $ref: `#/channels/market/messages/${name}` })),
      },
      receiveEvents: {
        action: 'receive',
        channel: { $ref: '#/channels/market' },
        summary: 'What a client may send; nothing of it is stored.',
        messages: sent.map((name) => ({ $ref: `#/channels/market/messages/client.${name}` })),
      },
    },
    components: {
      messages: {
        ...Object.fromEntries(
          received.map((name) => [
            name,
            { name, summary: summaryOf(name), payload: refTo('schemas', name) },
          ]),
        ),
        ...Object.fromEntries(
          sent.map((name) => [
            `client.${name}`,
            {
              name,
              summary: CLIENT_EVENTS[name].summary,
              payload: refTo('schemas', `client.${name}`),
            },
          ]),
        ),
      },
      schemas: schemas(events),
    },
  };
}

const CommandId = Id.describe(
  'The Idempotency-Key of the command that caused it, if that was a UUID.',
);

/** The envelope around one event's data, as it goes over the wire. */
const envelope = (name: EventName, { isLogged, data }: EventRegistry[EventName]) =>
  z.object({
    ...(isLogged ? { seq: z.number().int() } : {}),
    id: Id,
    at: Instant,
    name: z.literal(name),
    data,
    ...(isLogged ? { commandId: CommandId.optional() } : {}),
  });

function schemas(events: EventRegistry): Record<string, object> {
  const received = Object.keys(events) as EventName[];
  const own = new Map<string, z.ZodType>([
    ...received.map((name) => [name, envelope(name, events[name])] as const),
    ...sent.map((name) => [`client.${name}`, CLIENT_EVENTS[name].data] as const),
  ]);
  const named = z.registry<{ id: string }>();
  const shared = namedWithin([...own.values(), HandshakeAuth, WatchedVersions]);
  for (const [id, schema] of [...shared, ...own]) named.add(schema, { id });
  const made = z.toJSONSchema(named, {
    uri: (id) => `#/components/schemas/${id}`,
    override: simplify,
  }).schemas;
  return Object.fromEntries(
    Object.entries(made).map(([id, { $schema, $id, ...schema }]) => [id, schema]),
  );
}
