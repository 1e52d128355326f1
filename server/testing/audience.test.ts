import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LOGGED_EVENT_NAMES, type LoggedEventName, room } from '#contract/events';
import { record } from '../events/event-log.ts';
import { createAudienceRecords, PARTIES, type Party } from './audience-records.ts';
import {
  type Answer,
  eventually,
  productInput,
  startTestMarket,
  type TestSocket,
} from './market.ts';
import { makeSlot, placeInput } from './slots.ts';

// Every logged event reaches exactly its audience: each declared member, and nobody else. The type of
// `record` checks only the kinds of rooms, not that all of them are there. A new event without a case
// does not compile.

/** What causes an event, and who receives it. */
interface Case {
  cause: () => Promise<Answer>;
  to: readonly Party[];
}

const EVERYONE = PARTIES;
const PARTIES_OF_ORDER = ['consumer', 'farmer', 'admin'] as const;

const market = await startTestMarket();
const records = createAudienceRecords(market);
const { own, ids, post, put, remove, approve, movedOrder, newOrder, newProduct, pickedOrder } =
  records;
const received = {} as Record<Party, { name: string; id: string }[]>;

function listen(party: Party, socket: TestSocket): void {
  received[party] = [];
  socket.onAny((name: string, { data }: { data: { _id?: string } }) => {
    received[party].push({ name, id: data._id ?? '' });
  });
}

beforeAll(async () => {
  await records.prepare();
  for (const party of PARTIES) {
    const isVisitor = party === 'visitor' || party === 'watcher';
    const socket = await market.connect(isVisitor ? {} : { token: own[party].token });
    if (party === 'watcher') {
      await socket.emitWithAck('products.watch', { productIds: [ids.product] });
      await socket.emitWithAck('farms.watch', { farmIds: [own.farmer.id] });
    }
    listen(party, socket);
  }
});
afterAll(() => market.close());

const note = (id: string) =>
  post(`/admin/users/${id}/notes`, own.admin, { content: 'They called.' });
const report = (id: string) =>
  post('/reports', own.consumer, { kind: 'product', id, reason: 'misleading' });
const suspend = (id: string) =>
  put(`/users/${id}/suspension`, own.admin, { suspended: true, reason: 'Spam' });

/** Those recorded by workers are tested in `workers/notifications`. */
const CASES: Record<LoggedEventName, Record<string, Case> | 'recorded by workers'> = {
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
  'order.unanswered': 'recorded by workers',
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
      to: ['farmer'],
    },
  },
  'picklist.printed': {
    '': {
      cause: () => post('/farm/picklist/prints', own.farmer, { date: '2030-01-05' }),
      to: ['farmer'],
    },
  },
  'picklist.seen': {
    '': {
      cause: async () => {
        const { date, orderId } = await pickedOrder();
        const body = { date, changes: [{ orderId, sequence: 1 }] };
        return put('/farm/picklist/seen', own.farmer, body);
      },
      to: ['farmer'],
    },
  },

  'member.changed': {
    '': {
      cause: () =>
        post('/farm/members', own.farmer, {
          email: `${randomUUID()}@farmgate.test`,
          role: 'packer',
        }),
      to: ['farmer'],
    },
  },

  'place.changed': {
    'a new place': {
      cause: () => post('/farm/places', own.farmer, placeInput()),
      to: ['watcher', 'farmer'],
    },
  },
  'slot.updated': {
    'closed by the farm': {
      cause: async () =>
        put(`/farm/slots/${await makeSlot(market, own.farmer)}`, own.farmer, { state: 'closed' }),
      to: ['watcher', 'farmer'],
    },
    'an order': {
      cause: newOrder,
      to: ['watcher', 'farmer'],
    },
  },

  'order.moveSeen': {
    'with others of the order': {
      cause: async () => {
        const order = await movedOrder();
        return put('/notifications/read', own.consumer, { subject: { kind: 'order', _id: order } });
      },
      to: ['farmer'],
    },
    'with all': {
      cause: async () => {
        await movedOrder();
        return put('/notifications/read', own.consumer, {});
      },
      to: ['farmer'],
    },
  },

  'message.created': {
    '': {
      cause: () => post('/messages', own.consumer, { receiver: own.farmer.id, content: 'Hello' }),
      to: ['consumer', 'farmer'],
    },
  },
  'messages.read': {
    '': {
      cause: async () => {
        await post('/messages', own.consumer, { receiver: own.farmer.id, content: 'Hello' });
        return put(`/messages/read/${own.consumer.id}`, own.farmer, {});
      },
      to: ['consumer', 'farmer'],
    },
  },

  'product.created': {
    active: {
      cause: () => post('/products', own.farmer, productInput(ids.category)),
      to: EVERYONE,
    },
    inactive: {
      cause: () => post('/products', own.farmer, productInput(ids.category, { isActive: false })),
      to: ['farmer', 'admin'],
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
      to: ['watcher', 'farmer'],
    },
    'a change by an admin': {
      cause: () => put(`/products/${ids.product}`, own.admin, { price: 4 }),
      to: ['watcher', 'farmer'],
    },
    'an order': { cause: newOrder, to: ['watcher', 'farmer'] },
    'a change while inactive': {
      cause: () => put(`/products/${ids.hidden}`, own.farmer, { price: 3 }),
      to: ['farmer', 'admin'],
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
      to: ['farmer', 'admin'],
    },
  },
  'product.hidingChanged': {
    '': {
      cause: async () => {
        const hiding = { hidden: true, reason: 'Spoilt' };
        return put(`/products/${await newProduct()}/hiding`, own.admin, hiding);
      },
      to: ['farmer', 'admin'],
    },
  },

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
    'an approval': { cause: approve, to: ['farmer', 'admin'] },
  },
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

  'notification.created': 'recorded by workers',
  'notifications.read': {
    '': {
      cause: async () => {
        await market.platform.db.notification.create({
          data: {
            userId: own.farmer.id,
            kind: 'order.placed',
            key: randomUUID(),
            title: 'New order',
            body: 'One item.',
            link: '/orders',
          },
        });
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

/** Waits until every socket has received all events so far: events arrive in the order of the log. */
async function untilAllDelivered(): Promise<void> {
  const _id = randomUUID();
  const { platform } = market;
  await record(platform.db, { name: 'category.changed', data: { _id }, rooms: [room.everyone] });
  await platform.eventLog.sequence();
  await eventually(() => PARTIES.every((party) => received[party].some(({ id }) => id === _id)));
  for (const party of PARTIES) {
    received[party] = received[party].filter(({ id }) => id !== _id);
  }
}

const tested = LOGGED_EVENT_NAMES.flatMap((name) => {
  const cases = CASES[name];
  return cases === 'recorded by workers' ? [] : [[name, cases] as const];
});

describe.each(tested)('%s', (name, cases) => {
  it.each(Object.entries(cases))('reaches exactly its audience %s', async (_, { cause, to }) => {
    await untilAllDelivered();
    for (const party of PARTIES) received[party] = [];
    const { status } = await cause();
    expect(status).toBeLessThan(300);
    await untilAllDelivered();
    const receivers = PARTIES.filter((party) => received[party].some((each) => each.name === name));
    expect(receivers).toEqual(PARTIES.filter((party) => to.includes(party)));
  });
});
