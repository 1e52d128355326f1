import type { z } from 'zod';
import { room, SOCKET_LIMITS } from '#contract/platform/events/constants';
import { CLIENT_EVENTS, type ClientEventName } from '#contract/platform/events/socket';
import type { Role } from '#contract/platform/http/http';
import { canSeeProduct } from '../../catalogue/products/present.ts';
import { messageableRole, senderIdentityOf, senderRoom } from '../../farm/messages/people.ts';
import type { Platform } from '../../platform/http/platform.ts';
import type { ClosedFarms } from './closed-farms.ts';
import { type Client, ephemeralEnvelope } from './fan-out.ts';
import { type Presence, presenceRoom } from './presence.ts';
import type { Relay } from './relay.ts';

/** Engine.IO packets of any kind, pings and acknowledgements included. */
const PACKETS_PER_MINUTE = SOCKET_LIMITS.messagesPerMinute * 3;
const MINUTE_MS = 60_000;
/** Cached permissions to send `typing`, per socket. */
const TYPING_PERMISSIONS_MAX = 50;

/** Creates the handlers of client events; ignores events that do not match the contract. */
export function createClientEvents(
  platform: Platform,
  { presence, farms, relay }: { presence: Presence; farms: ClosedFarms; relay: () => Relay },
) {
  const { log, pool } = platform;

  /** Handles the socket's events once `caughtUp` resolves, when it has its rooms. */
  return function listen(socket: Client, caughtUp: Promise<void>): void {
    const { user } = socket.data;
    const handle = <Name extends ClientEventName>(
      name: Name,
      input: unknown,
      act: (data: z.output<(typeof CLIENT_EVENTS)[Name]['data']>) => Promise<void>,
    ) => {
      const parsed = CLIENT_EVENTS[name].data.safeParse(input);
      if (!parsed.success) return;
      caughtUp
        .then(() => act(parsed.data as z.output<(typeof CLIENT_EVENTS)[Name]['data']>))
        .catch((error: Error) => log.debug({ reason: error.message, name }, 'Client event failed'));
    };

    const allowed = new Map<string, Promise<Role | undefined>>();
    let allowedAt = farms.version;
    let isChecking = false;
    socket.on('typing', (input) =>
      handle('typing', input, async ({ to, isTyping }) => {
        if (!user) return;
        const identity = senderIdentityOf(user);
        // A farm that left the market takes conversations with it.
        if (allowedAt !== farms.version) allowed.clear();
        allowedAt = farms.version;
        let found = allowed.get(to);
        if (!found) {
          // Nobody types to several people at once: check one permission at a time.
          if (isChecking) return;
          isChecking = true;
          found = messageableRole(platform, identity, to).finally(() => {
            isChecking = false;
          });
          if (allowed.size > TYPING_PERMISSIONS_MAX) allowed.clear();
          allowed.set(to, found);
          found.catch(() => allowed.delete(to));
        }
        const role = await found;
        if (!role) {
          allowed.delete(to);
          return;
        }
        const name = identity.id === identity.authorId ? {} : { name: identity.name };
        relay().send({
          name: 'typing',
          room: senderRoom({ id: to, role }),
          data: { from: identity.id, isTyping, ...name },
        });
      }),
    );

    let watchRequests = 0;
    socket.on('presence.watch', (input) =>
      handle('presence.watch', input, async ({ userIds }) => {
        if (!user) return;
        const request = ++watchRequests;
        const watched = await presence.watchable(user, userIds);
        // Only the latest list counts, whichever query ends last.
        if (request !== watchRequests) return;
        replaceRooms(socket, presenceRoom(''), watched.map(presenceRoom));
        for (const state of await presence.states(watched)) {
          socket.emit('presence.changed', ephemeralEnvelope('presence.changed', state));
        }
      }),
    );

    socket.on('products.watch', (input, acknowledge) =>
      handle('products.watch', input, async ({ productIds }) => {
        // Join before reading the versions, so that a change in between is not lost.
        replaceRooms(socket, room.product(''), productIds.map(room.product));
        if (typeof acknowledge !== 'function') return;
        const { rows } = await pool.query<{
          id: string;
          version: number;
          isActive: boolean;
          farmerId: string;
          isFarmDraft: boolean;
        }>({
          name: 'watched_versions',
          text: `SELECT p.id, p.version, p.is_active AS "isActive", p.farmer_id AS "farmerId",
                   farm.user_id IS NOT NULL AND farm.approved_at IS NULL AS "isFarmDraft"
                 FROM products p JOIN users farmer ON farmer.id = p.farmer_id
                   LEFT JOIN farmer_profiles farm ON farm.user_id = p.farmer_id
                 WHERE p.id = ANY($1::uuid[]) AND farmer.deleted_at IS NULL`,
          values: [productIds],
        });
        // Leave out products that this user may not see, like unknown ones.
        const visible = rows.filter((product) => canSeeProduct(user, product));
        acknowledge(Object.fromEntries(visible.map(({ id, version }) => [id, version])));
      }),
    );

    socket.on('farms.watch', (input, acknowledge) =>
      handle('farms.watch', input, async ({ farmIds }) => {
        replaceRooms(socket, room.farmWatchers(''), farmIds.map(room.farmWatchers));
        if (typeof acknowledge === 'function') acknowledge();
      }),
    );
  };
}

/** Disconnects a socket that exceeds the message or packet limit. */
export function limitMessages(socket: Client): void {
  let since = Date.now();
  let messages = 0;
  let packets = 0;
  const startMinute = () => {
    if (Date.now() - since < MINUTE_MS) return;
    since = Date.now();
    messages = 0;
    packets = 0;
  };
  socket.use((_, next) => {
    startMinute();
    if (++messages > SOCKET_LIMITS.messagesPerMinute) socket.disconnect(true);
    else next();
  });
  socket.conn.on('packet', () => {
    startMinute();
    if (++packets > PACKETS_PER_MINUTE) socket.conn.close();
  });
}

/** Leaves all rooms that begin with `prefix` and joins these instead. */
function replaceRooms(socket: Client, prefix: string, rooms: readonly string[]): void {
  for (const name of [...socket.rooms]) {
    if (name.startsWith(prefix)) void socket.leave(name);
  }
  void socket.join([...rooms]);
}
