import { describe, expect, it } from 'vitest';
import { EVENTS, type EventName } from '#contract/realtime';
import { EVENT_FORMS } from './event-forms.ts';
import { isEventName, readEnvelope } from './read-envelope.ts';

const ID = '8f14e45f-ceea-4d7e-a3c1-1a2b3c4d5e6f';
const AT = '2026-11-01T08:30:00.000Z';
const address = { street: 'Mill Lane 1', city: 'Ashby', state: 'VT', zipCode: '05001' };
const contact = { _id: ID, name: 'Cleo', email: 'cleo@farmgate.test', phone: '555' };

const samples = {
  'order.updated': {
    _id: ID,
    createdAt: AT,
    status: 'pending',
    totalAmount: 5.5,
    paymentMethod: 'cash',
    notes: '',
    consumer: contact,
    farmer: { ...contact, farmName: 'Green Valley' },
    items: [
      {
        _id: ID,
        product: { _id: null, name: 'Carrots', images: [], unit: 'bunch' },
        quantity: 2,
        price: 2.75,
      },
    ],
    deliveryDetails: { address, date: '2026-11-02', time: '10:00' },
    version: 1,
    timeline: [
      {
        status: 'pending',
        at: AT,
        by: { _id: ID, name: 'Cleo', role: 'consumer' },
        reason: 'Late',
      },
    ],
  },
  'product.updated': {
    _id: ID,
    name: 'Carrots',
    description: 'Sweet.',
    category: { _id: ID, name: 'Roots' },
    price: 2.75,
    unit: 'bunch',
    quantityAvailable: 3,
    images: ['https://pictures.farmgate.test/1.webp'],
    isOrganic: true,
    harvestDate: null,
    availableUntil: '2026-11-05',
    isActive: true,
    farmer: { _id: ID, name: 'Fern', farmName: 'Green Valley', address },
    createdAt: AT,
    version: 4,
  },
  'notifications.read': { ids: [ID], unreadCount: 0 },
  'presence.changed': { userId: ID, online: true, lastSeenAt: null },
  'connected.changed': { visitor: 1, consumer: 2, farmer: 3, admin: 4 },
  synced: { seq: 12 },
} satisfies { [Name in EventName]?: unknown };

const WRONG = [undefined, null, 7, 1.5, -1, '', 'other', true, [], {}, [7]];

/** The sample with each of its values, however deep, taken away or replaced by something else. */
function* spoilt(value: unknown): Generator<unknown> {
  yield* WRONG;
  if (typeof value !== 'object' || value === null) return;
  for (const key of Object.keys(value)) {
    const part = (value as Record<string, unknown>)[key];
    for (const wrong of spoilt(part)) {
      if (Array.isArray(value)) yield value.with(Number(key), wrong);
      else yield { ...value, [key]: wrong };
    }
    if (Array.isArray(value)) continue;
    const { [key]: _, ...rest } = value as Record<string, unknown>;
    yield rest;
  }
}

const isTaken = (name: EventName, data: unknown) => {
  try {
    readEnvelope(name, { id: ID, at: AT, name, data });
    return true;
  } catch {
    return false;
  }
};

describe('the check of what comes in', () => {
  it.each(Object.entries(samples))(
    'takes and refuses of %s what the contract does',
    (name, data) => {
      const schema = EVENTS[name as EventName];
      expect(schema.safeParse(data).success).toBe(true);
      expect(isTaken(name as EventName, data)).toBe(true);
      for (const wrong of spoilt(data)) {
        // JSON has no undefined: what is not there is not there.
        const sent: unknown = wrong === undefined ? undefined : JSON.parse(JSON.stringify(wrong));
        const told = `${name}: ${JSON.stringify(sent)}`;
        const { success, data: read } = schema.safeParse(sent);
        // The server sends everything: what the contract would have to fill in is not taken.
        const isWhole = success && JSON.stringify(read) === JSON.stringify(sent);
        expect([told, isTaken(name as EventName, sent)]).toEqual([told, isWhole]);
      }
    },
  );

  it('lets through what a newer server adds', () => {
    expect(isTaken('synced', { seq: 12, further: true })).toBe(true);
  });

  it('knows the events of the contract and no others', () => {
    expect(Object.keys(EVENT_FORMS.properties).sort()).toEqual(Object.keys(EVENTS).sort());
    expect(isEventName('order.updated')).toBe(true);
    expect(isEventName('toString')).toBe(false);
  });

  it('refuses an envelope without its head', () => {
    expect(() => readEnvelope('synced', { data: { seq: 1 } })).toThrow('id');
    expect(() => readEnvelope('synced', undefined)).toThrow();
  });
});
