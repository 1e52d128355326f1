import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { LOGGED_EVENT_NAMES } from '#contract/app/registry';
import { room } from '#contract/platform/events/constants';
import type { LoggedEventName } from '#contract/platform/events/event';
import type { Envelope } from '#contract/platform/events/socket';
import { until } from '../../../testing/until.ts';
import { reconnect } from '../../edge/realtime/testing/connections.ts';
import { record } from '../../platform/events/event-log.ts';
import {
  type Answer,
  type Caller,
  closeAfter,
  productInput,
  startTestMarket,
  type TestSocket,
} from '../market.ts';
import {
  createAudienceRecords,
  PARTIES,
  type Party,
  readsSame,
} from '../samples/audience-records.ts';
import { makeSlot, placeInput } from '../slots.ts';

// Every logged event reaches exactly its audience, live and when they come back: each declared member, and nobody
// else; and anyone who receives it reads the same by REST. The type of `record` checks only the kinds of rooms, not
// that all of them are there. A new event without a case does not compile.

/** What causes an event, and who receives it. */
interface Case {
  cause: () => Promise<Answer>;
  to: readonly Party[];
}

const EVERYONE = PARTIES;
const FARM = ['farmer', 'manager', 'packer', 'seller'] as const;
/** Those who may write the farm's messages. */
const WRITERS = ['farmer', 'manager', 'seller'] as const;
const PARTIES_OF_ORDER = ['consumer', ...FARM, 'admin'] as const;

const market = closeAfter(await startTestMarket());
const records = createAudienceRecords(market);
const { own, ids, post, put, remove, approve, movedOrder, newOrder, newProduct, pickedOrder } =
  records;
const { pausedForAMoment, takeAlert, tryAlert } = records;
const received = {} as Record<Party, Envelope[]>;
const callerOf = (party: Party): Caller | undefined =>
  party === 'visitor' || party === 'watcher' ? undefined : own[party];
const authOf = (party: Party) => ({ token: callerOf(party)?.token });
const idOf = ({ data }: Envelope) => ('_id' in data ? data._id : '');

function listen(party: Party, socket: TestSocket): void {
  received[party] = [];
  socket.onAny((_, envelope: Envelope) => received[party].push(envelope));
}

await records.prepare();
for (const party of PARTIES) {
  const { token } = authOf(party);
  const socket = await market.connect(token === undefined ? {} : { token });
  if (party === 'watcher') {
    await socket.emitWithAck('products.watch', { productIds: [ids.product] });
    await socket.emitWithAck('farms.watch', { farmIds: [own.farmer.id] });
  }
  listen(party, socket);
}

const note = (id: string) =>
  post(`/admin/users/${id}/notes`, own.admin, { content: 'They called.' });
const report = (id: string) =>
  post('/reports', own.consumer, { kind: 'product', id, reason: 'misleading' });
const aNotification = { kind: 'order.placed', title: 'New order', body: 'One.', link: '/orders' };
const notify = (userId: string) =>
  market.platform.db.notification.create({ data: { ...aNotification, userId, key: randomUUID() } });
const suspend = (id: string) =>
  put(`/users/${id}/suspension`, own.admin, { suspended: true, reason: 'Spam' });

const CASES: Record<LoggedEventName, Record<string, Case>> = {
  'order.created': { '': { cause: newOrder, to: PARTIES_OF_ORDER } },
  'order.updated': {
    '': {
      cause: async () => {
        const { body } = await newOrder();
        return put(`/orders/${body.data._id}`, own.farmer, { status: 'accepted' });
      },
      to: PARTIES_OF_ORDER,
    },
  },
  'order.unanswered': {
    'as a worker records it': {
      cause: async () => {
        const answer = await newOrder();
        const { data } = answer.body;
        await record(market.platform.db, { name: 'order.unanswered', data, rooms: [room.admins] });
        return answer;
      },
      to: ['admin'],
    },
  },
  'attention.changed': { '': { cause: takeAlert, to: [...FARM, 'admin'] } },
  'attention.tried': { '': { cause: tryAlert, to: ['farmer'] } },
  'order.noteAdded': {
    '': {
      cause: async () => {
        const { body } = await newOrder();
        return post(`/admin/orders/${body.data._id}/notes`, own.admin, { content: 'Called them.' });
      },
      to: ['admin'],
    },
  },

  'pick.ticked': {
    '': {
      cause: async () => {
        const { date } = await pickedOrder();
        const body = { date, productId: ids.product, unit: 'bunch', quantity: 1 };
        return put('/farm/picklist/ticks', own.farmer, body);
      },
      to: FARM,
    },
  },
  'picklist.printed': {
    '': {
      cause: () => post('/farm/picklist/prints', own.farmer, { date: '2030-01-05' }),
      to: FARM,
    },
  },
  'picklist.seen': {
    '': {
      cause: async () => {
        const { date, orderId } = await pickedOrder();
        const body = { date, changes: [{ orderId, sequence: 1 }] };
        return put('/farm/picklist/seen', own.farmer, body);
      },
      to: FARM,
    },
  },

  'member.changed': {
    '': {
      cause: () =>
        post('/farm/members', own.farmer, {
          email: `${randomUUID()}@farmgate.test`,
          role: 'packer',
        }),
      to: FARM,
    },
  },

  'place.changed': {
    'a new place': {
      cause: () => post('/farm/places', own.farmer, placeInput()),
      to: ['watcher', ...FARM],
    },
  },
  'slot.updated': {
    'closed by the farm': {
      cause: async () =>
        put(`/farm/slots/${await makeSlot(market, own.farmer)}`, own.farmer, { state: 'closed' }),
      to: ['watcher', ...FARM],
    },
    'an order': {
      cause: newOrder,
      to: ['watcher', ...FARM],
    },
  },

  'order.moveSeen': {
    'with others of the order': {
      cause: async () => {
        const order = await movedOrder();
        return put('/notifications/read', own.consumer, { subject: { kind: 'order', _id: order } });
      },
      to: FARM,
    },
    'with all': {
      cause: async () => {
        await movedOrder();
        return put('/notifications/read', own.consumer, {});
      },
      to: FARM,
    },
  },

  'message.created': {
    '': {
      cause: () => post('/messages', own.consumer, { receiver: own.farmer.id, content: 'Hello' }),
      to: ['consumer', ...WRITERS],
    },
  },
  'messages.read': {
    '': {
      cause: async () => {
        await post('/messages', own.consumer, { receiver: own.farmer.id, content: 'Hello' });
        return put(`/messages/read/${own.consumer.id}`, own.farmer, {});
      },
      to: ['consumer', ...WRITERS],
    },
  },

  'product.created': {
    active: {
      cause: () => post('/products', own.farmer, productInput(ids.category)),
      to: EVERYONE,
    },
    inactive: {
      cause: () => post('/products', own.farmer, productInput(ids.category, { isActive: false })),
      to: [...FARM, 'admin'],
    },
    'shown again': {
      cause: async () =>
        put(`/products/${await newProduct({ isActive: false })}`, own.farmer, { isActive: true }),
      to: EVERYONE,
    },
  },
  'product.updated': {
    'a change': {
      cause: () => put(`/products/${ids.product}`, own.farmer, { price: 3 }),
      to: ['watcher', ...FARM],
    },
    'a change by an admin': {
      cause: () => put(`/products/${ids.product}`, own.admin, { price: 4 }),
      to: ['watcher', ...FARM],
    },
    'an order': { cause: newOrder, to: ['watcher', ...FARM] },
    'a change while inactive': {
      cause: () => put(`/products/${ids.hidden}`, own.farmer, { price: 3 }),
      to: [...FARM, 'admin'],
    },
    'hiding it': {
      cause: async () => put(`/products/${await newProduct()}`, own.farmer, { isActive: false }),
      to: EVERYONE,
    },
  },
  'product.deleted': {
    active: {
      cause: async () => remove(`/products/${await newProduct()}`, own.farmer),
      to: EVERYONE,
    },
    inactive: {
      cause: async () => remove(`/products/${await newProduct({ isActive: false })}`, own.farmer),
      to: [...FARM, 'admin'],
    },
  },
  'product.hidingChanged': {
    '': {
      cause: async () => {
        const hiding = { hidden: true, reason: 'Spoilt' };
        return put(`/products/${await newProduct()}/hiding`, own.admin, hiding);
      },
      to: [...FARM, 'admin'],
    },
  },

  'import.progressed': { '': { cause: records.applyImport, to: FARM } },
  'category.changed': {
    '': {
      cause: () => put(`/categories/${ids.category}`, own.admin, { name: randomUUID() }),
      to: EVERYONE,
    },
  },
  'market.updated': {
    '': {
      cause: () => put('/market', own.admin, { tagline: 'Fresh every day' }),
      to: EVERYONE,
    },
  },
  'farmer.updated': {
    'the farm': {
      cause: () =>
        put('/users/farmers/profile', own.farmer, { farmName: 'Aster Farm', description: 'Good.' }),
      to: EVERYONE,
    },
    'the farmer': {
      cause: () => put('/users/profile', own.farmer, { name: 'Fern' }),
      to: EVERYONE,
    },
    'an approval': { cause: approve, to: EVERYONE },
  },
  'farm.approvalChanged': {
    'an approval': { cause: approve, to: [...FARM, 'admin'] },
  },
  'farm.paused': { '': { cause: pausedForAMoment, to: [...FARM, 'admin'] } },
  'farmer.deleted': {
    '': {
      cause: async () => remove(`/users/${(await market.join('farmer')).id}`, own.admin),
      to: EVERYONE,
    },
  },

  'farmer.listingChanged': {
    'a farm is suspended': {
      cause: async () => suspend((await market.join('farmer')).id),
      to: EVERYONE,
    },
  },
  'user.suspensionChanged': {
    '': { cause: async () => suspend((await market.join('consumer')).id), to: ['admin'] },
  },
  'user.noteAdded': { '': { cause: () => note(own.consumer.id), to: ['admin'] } },
  'report.changed': { '': { cause: () => report(ids.product), to: ['admin'] } },

  'notification.created': {
    'as a worker records it': {
      cause: async () => {
        await notify(own.farmer.id);
        const answer = await market.get('/notifications', own.farmer);
        const [data] = answer.body.data;
        const rooms = [room.user(own.farmer.id)];
        await record(market.platform.db, { name: 'notification.created', data, rooms });
        return answer;
      },
      to: ['farmer'],
    },
  },
  'notifications.read': {
    '': {
      cause: async () => {
        await notify(own.farmer.id);
        return put('/notifications/read', own.farmer, {});
      },
      to: ['farmer'],
    },
  },

  'user.created': {
    '': {
      cause: () =>
        post('/auth/register', undefined, {
          name: 'Somebody',
          email: `${randomUUID()}@farmgate.test`,
          password: 'password123',
          role: 'consumer',
        }),
      to: ['admin'],
    },
  },
  'account.changed': {
    '': { cause: () => put('/notifications/preferences', own.farmer, {}), to: ['farmer'] },
  },
  'user.deleted': {
    '': {
      cause: async () => remove(`/users/${(await market.join('consumer')).id}`, own.admin),
      to: ['admin'],
    },
  },
};

/** Events that only say that all before them have arrived. */
const marks = new Set<string>();
/** Waits until every socket has received all events so far: events arrive in the order of the log. */
async function untilAllDelivered(): Promise<void> {
  const _id = randomUUID();
  marks.add(_id);
  const { platform } = market;
  await record(platform.db, { name: 'category.changed', data: { _id }, rooms: [room.everyone] });
  await platform.eventLog.sequence();
  await until(() =>
    PARTIES.every((party) => received[party].some((envelope) => idOf(envelope) === _id)),
  );
  for (const party of PARTIES) {
    received[party] = received[party].filter((envelope) => !marks.has(idOf(envelope)));
  }
}

describe.each(LOGGED_EVENT_NAMES.map((name) => [name, CASES[name]] as const))(
  '%s',
  (name, cases) => {
    it.each(Object.entries(cases))(
      'reaches exactly its audience %s, who read the same',
      async (_, { cause, to }) => {
        await untilAllDelivered();
        const after = await market.platform.eventLog.head();
        for (const party of PARTIES) received[party] = [];
        const { status } = await cause();
        expect(status).toBeLessThan(300);
        await untilAllDelivered();
        const isIt = (each: Envelope) => each.name === name && !marks.has(idOf(each));
        const live = PARTIES.filter((party) => received[party].some(isIt));
        expect(live).toEqual(PARTIES.filter((party) => to.includes(party)));

        // What anybody may watch is replayed to everybody: nobody knows who watched it before.
        const comesBack = to.includes('watcher') ? EVERYONE : to;
        for (const party of PARTIES) {
          const replayed = await reconnect(market.url, { ...authOf(party), after });
          // A visitor's handshake reads nothing from the log: after an account was deleted they fetch all again.
          if (replayed.some((each) => each.name === 'resync')) continue;
          const found = replayed.filter(isIt);
          expect(found.length > 0, `${party} comes back`).toBe(comesBack.includes(party));
          for (const envelope of [...found, ...received[party].filter(isIt)]) {
            const isSame = await readsSame(market, callerOf(party), envelope);
            expect(isSame, `${party} reads it`).toBe(true);
          }
        }
      },
    );
  },
);
