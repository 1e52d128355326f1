import { z } from 'zod';
import { Id, Instant } from '#contract/platform';
import {
  CLIENT_EVENTS,
  type ClientEventName,
  EVENTS,
  type EventName,
  HandshakeAuth,
  LOGGED_EVENTS,
  SOCKET_LIMITS,
  WatchedVersions,
} from '#contract/realtime';
import { SHARED_SCHEMAS, tidy } from './schemas.ts';

export type AsyncApiDocument = ReturnType<typeof describeEvents>;

/** What each event tells, and who hears it. */
const TOLD: Record<EventName, string> = {
  'order.created': 'An order was placed. To its farmer, its consumer and admins.',
  'order.updated': 'An order changed. To its farmer, its consumer and admins.',
  'order.unanswered': 'A pending order waits too long for an answer. To its farmer and admins.',
  'message.created': 'A message was written. To its receiver and its sender.',
  'messages.read': 'Somebody read what another wrote. To both.',
  'product.created': 'A product came on the market. To everyone connected.',
  'product.updated': 'A product changed. To those watching it and its farmer.',
  'product.deleted': 'A product left the market. To everyone connected.',
  'category.changed': 'A category was made, changed or deleted. To everyone connected.',
  'farmer.updated': 'A farm or its farmer changed. To everyone connected.',
  'notification.created': 'There is something to know. To its user.',
  'notifications.read': 'Notifications were read, ids null being all. To their user.',
  'user.created': 'An account was opened. To admins.',
  'user.deleted': 'An account was deleted. To admins.',
  typing: 'Somebody is typing. To the other party.',
  'presence.changed': 'Somebody came or went. To those watching them.',
  'connected.changed': 'How many are connected now. To admins.',
  synced: 'The client is complete up to this number. To one client, after its catch-up.',
  resync: 'What was missed cannot be replayed: read everything anew. To one client.',
};

const SENT: Record<ClientEventName, string> = {
  typing: 'Tells somebody one may write to that one is typing.',
  'presence.watch': 'Names the people whose coming and going one wants to hear of.',
  'products.watch':
    'Names the products whose changes one wants to hear of; acknowledged with their versions now.',
};

const refTo = (kind: 'messages' | 'schemas', name: string) => ({
  $ref: `#/components/${kind}/${name}`,
});

/** The AsyncAPI 3 document of the live protocol, made from its contract. */
export function describeEvents(publicUrl: string) {
  const { protocol, host } = new URL(publicUrl);
  const received = Object.keys(EVENTS) as EventName[];
  const sent = Object.keys(CLIENT_EVENTS) as ClientEventName[];
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Farmgate live',
      version: '1.0.0',
      description:
        'What happens on the market, over Socket.IO. Every event has one argument, the envelope. ' +
        'Nothing is written over this line: writes are REST.',
    },
    defaultContentType: 'application/json',
    servers: {
      market: {
        host,
        protocol: protocol === 'https:' ? 'wss' : 'ws',
        pathname: '/socket.io/',
        description: `Socket.IO 4. Packets of at most ${SOCKET_LIMITS.packetBytes} bytes, ${SOCKET_LIMITS.messagesPerMinute} a minute, ${SOCKET_LIMITS.socketsPerUser} sockets a user.`,
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
      tell: {
        action: 'send',
        channel: { $ref: '#/channels/market' },
        summary: 'What the server tells.',
        messages: received.map((name) => ({ $ref: `#/channels/market/messages/${name}` })),
      },
      hear: {
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
            { name, summary: TOLD[name], payload: refTo('schemas', name) },
          ]),
        ),
        ...Object.fromEntries(
          sent.map((name) => [
            `client.${name}`,
            { name, summary: SENT[name], payload: refTo('schemas', `client.${name}`) },
          ]),
        ),
      },
      schemas: schemas(),
    },
  };
}

/** The envelope around one event's data, as it goes over the wire. */
const envelope = (name: EventName) =>
  z.object({
    ...(name in LOGGED_EVENTS ? { seq: z.number().int() } : {}),
    id: Id,
    at: Instant,
    name: z.literal(name),
    data: EVENTS[name],
  });

function schemas(): Record<string, object> {
  const named = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(SHARED_SCHEMAS)) named.add(schema, { id });
  for (const name of Object.keys(EVENTS) as EventName[]) named.add(envelope(name), { id: name });
  for (const [name, schema] of Object.entries(CLIENT_EVENTS)) {
    named.add(schema, { id: `client.${name}` });
  }
  named.add(HandshakeAuth, { id: 'HandshakeAuth' });
  named.add(WatchedVersions, { id: 'WatchedVersions' });
  const made = z.toJSONSchema(named, {
    uri: (id) => `#/components/schemas/${id}`,
    override: tidy,
  }).schemas;
  return Object.fromEntries(
    Object.entries(made).map(([id, { $schema, $id, ...schema }]) => [id, schema]),
  );
}
