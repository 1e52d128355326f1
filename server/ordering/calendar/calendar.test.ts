import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Order } from '#contract/ordering/orders/orders';
import { instantOf } from '../../platform/time/clock.ts';
import { makeResetLink } from '../../testing/mailed-links.ts';
import {
  type Caller,
  closeAfter,
  makeCategory,
  orderInput,
  productInput,
  startTestMarket,
} from '../../testing/market.ts';
import { hire } from '../../testing/staff.ts';

let owner: Caller;
let product: string;

const market = closeAfter(await startTestMarket({ MARKET_TIME_ZONE: 'Europe/Berlin' }));
const consumer = await market.join('consumer', 'Cora; Customer, and sons');
beforeEach(async () => {
  owner = await market.join('farmer', 'Ann Owner');
  const created = await market.post(
    '/products',
    owner,
    productInput(await makeCategory(market.platform), {
      name: 'Äpfel, “süß; sauer” \\ 🍎 in a name that is longer than a line of a calendar may be',
      quantityAvailable: 500,
    }),
  );
  product = created.body.data._id;
  await market.put('/users/farmers/profile', owner, {
    farmName: 'Green Valley',
    description: 'Good soil.',
    timeZone: 'Europe/Berlin',
  });
});

/** The days after today, by the calendar. */
const dayFromNow = (days: number): string =>
  new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

async function order(pickupDetails: object = {}): Promise<Order> {
  const details = { date: dayFromNow(5), time: '10:00', location: 'Farm gate', ...pickupDetails };
  const body = orderInput(owner.id, [{ product, quantity: 2 }], { pickupDetails: details });
  const answer = await market.post('/orders', consumer, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.data;
}
const move = (id: string, status: string, as = owner) =>
  market.put(`/orders/${id}`, as, { status });

/** Returns the fields of each event of a file: unfolded and unescaped as RFC 5545 has it. */
function eventsIn(file: string): Record<string, string>[] {
  expect(file.split('\r\n').every((line) => Buffer.byteLength(line) <= 75)).toBe(true);
  expect(file.replaceAll('\r\n', '')).not.toContain('\n');
  const lines = file.replace(/\r\n[ \t]/g, '').split('\r\n');
  const events: Record<string, string>[] = [];
  for (const line of lines) {
    const [, name = '', value = ''] = /^([\w-]+)[^:]*:(.*)$/.exec(line) ?? [];
    if (line === 'BEGIN:VEVENT') events.push({});
    const event = events.at(-1);
    if (event && name !== 'BEGIN' && name !== 'END') {
      event[name] = value.replace(/\\([\\;,nN])/g, (_, escaped: string) =>
        escaped.toLowerCase() === 'n' ? '\n' : escaped,
      );
    }
  }
  return events;
}

/** Formats an instant as iCalendar has it. */
const stamp = (instant: Date): string => instant.toISOString().replace(/[-:]|\.\d+/g, '');

describe("an order's calendar file", () => {
  it('has the pickup at its instant, with all that the customer needs', async () => {
    const placed = await order();
    const { status, body } = await market.get(`/orders/${placed._id}/calendar`, consumer);
    expect(status).toBe(200);
    expect(body.data.fileName).toBe(`order-${placed._id.slice(0, 8)}.ics`);
    const [event, ...others] = eventsIn(body.data.content);
    expect(others).toEqual([]);
    const start = instantOf({ date: dayFromNow(5), time: '10:00' }, 'Europe/Berlin');
    expect(event).toMatchObject({
      UID: `${placed._id}@farmgate`,
      SUMMARY: 'Pick up at Green Valley',
      LOCATION: 'Farm gate',
      STATUS: 'TENTATIVE',
      DTSTART: stamp(start),
      DTEND: stamp(new Date(+start + 30 * 60_000)),
      SEQUENCE: '1',
    });
    expect(event?.DESCRIPTION).toContain('Äpfel, “süß; sauer” \\ 🍎 in a name');
    await move(placed._id, 'accepted');
    const later = await market.get(`/orders/${placed._id}/calendar`, consumer);
    expect(eventsIn(later.body.data.content)[0]).toMatchObject({
      UID: event?.UID,
      STATUS: 'CONFIRMED',
      SEQUENCE: '2',
    });
  });

  it('marks a total that is still an estimate', async () => {
    await market.platform.db.product.update({
      where: { id: product },
      data: { unit: 'kg', pieceMilli: 1800, stepMilli: null },
    });
    const { _id } = await order();
    const { body } = await market.get(`/orders/${_id}/calendar`, consumer);
    expect(eventsIn(body.data.content)[0]?.DESCRIPTION).toMatch(/^Order #\w+, ≈ ₨/);
  });

  it('has a delivery at its address', async () => {
    await market.put('/users/farmers/profile', owner, {
      farmName: 'Green Valley',
      description: 'Good soil.',
      acceptsDelivery: true,
    });
    const body = orderInput(owner.id, [{ product, quantity: 1 }], {
      pickupDetails: undefined,
      deliveryDetails: {
        address: { street: '1 Elm St', city: 'Putney', state: 'VT', zipCode: '05346' },
        date: dayFromNow(5),
        time: '18:00',
      },
    });
    const placed = await market.post('/orders', consumer, body);
    const { body: file } = await market.get(`/orders/${placed.body.data._id}/calendar`, consumer);
    expect(eventsIn(file.data.content)).toMatchObject([
      { SUMMARY: 'Delivery from Green Valley', LOCATION: '1 Elm St, Putney, VT 05346' },
    ]);
  });
});

describe("a farm's private calendar", () => {
  const addressFor = async (as: Caller): Promise<string> =>
    (await market.call('POST', '/farm/calendar', { as })).body.data.url;
  /** Asks as a calendar does: without signing in. The port is that of the test's server. */
  const ask = (address: string, headers: Record<string, string> = {}) =>
    fetch(`${market.url}${new URL(address).pathname}`, { headers });
  const read = async (address: string) => eventsIn(await (await ask(address)).text());

  it('has the days with one entry for what is handed over together', async () => {
    const address = await addressFor(owner);
    const together = [await order(), await order()];
    await order({ time: '11:00' });
    await order({ location: 'Market square' });
    const gone = await order();
    await move(gone._id, 'rejected');
    for (const { _id } of together) await move(_id, 'accepted');

    const events = await read(address);
    const start = stamp(instantOf({ date: dayFromNow(5), time: '10:00' }, 'Europe/Berlin'));
    expect(events).toHaveLength(3);
    expect(events).toContainEqual(
      expect.objectContaining({
        SUMMARY: '2 pickups',
        DTSTART: start,
        LOCATION: 'Farm gate',
        STATUS: 'CONFIRMED',
      }),
    );
    expect(events).toContainEqual(
      expect.objectContaining({ SUMMARY: '1 pickup (1 to answer)', LOCATION: 'Market square' }),
    );
    const text = JSON.stringify(events);
    expect(text).toContain('Cora; Customer, and sons');
    expect(text).not.toContain(consumer.email);
    // An entry keeps its id when somebody joins it.
    const before = events.find(({ SUMMARY }) => SUMMARY === '2 pickups');
    await order();
    const after = (await read(address)).find(({ SUMMARY }) => SUMMARY?.startsWith('3 pickups'));
    expect(after?.UID).toBe(before?.UID);
    expect(Number(after?.SEQUENCE)).toBeGreaterThan(Number(before?.SEQUENCE));
  });

  it('has the closed days as whole days, those in a row together', async () => {
    const address = await addressFor(owner);
    const close = (...days: number[]) =>
      market.put('/farm/schedule', owner, {
        mode: 'notice',
        cutoff: null,
        atCutoff: 'remind',
        exceptions: days.map((days) => ({ date: dayFromNow(days), skip: true })),
      });
    expect((await close(3, 4, 9)).status).toBe(200);
    const day = (days: number) => dayFromNow(days).replaceAll('-', '');
    const file = await (await ask(address)).text();
    expect(file).toContain(`DTSTART;VALUE=DATE:${day(3)}`);
    const closed = eventsIn(file);
    expect(closed).toMatchObject([
      { SUMMARY: 'Closed', DTSTART: day(3), DTEND: day(5), STATUS: 'CONFIRMED' },
      { SUMMARY: 'Closed', DTSTART: day(9), DTEND: day(10) },
    ]);
    // One that goes on keeps its id, and one that is open again is gone.
    await close(3, 4, 5);
    const [longer, ...others] = await read(address);
    expect(longer).toMatchObject({ UID: closed[0]?.UID, DTEND: day(6) });
    expect(Number(longer?.SEQUENCE)).toBeGreaterThan(Number(closed[0]?.SEQUENCE));
    expect(others).toEqual([]);
  });

  it('is sent again only when something has changed', async () => {
    const address = await addressFor(owner);
    const first = await ask(address);
    expect(first.headers.get('content-type')).toBe('text/calendar; charset=utf-8');
    expect(first.headers.get('cache-control')).toBe('private, no-cache');
    const tag = first.headers.get('etag') ?? '';
    // Without the second header `fetch` asks for a copy that no cache has answered.
    const known = { 'if-none-match': tag, 'cache-control': 'max-age=0' };
    expect((await ask(address, known)).status).toBe(304);
    await order();
    expect((await ask(address, known)).status).toBe(200);
  });

  it('reads no orders for a calendar that has not changed', async () => {
    const address = await addressFor(owner);
    const placed = await order();
    const tag = (await ask(address)).headers.get('etag') ?? '';
    const known = { 'if-none-match': tag, 'cache-control': 'max-age=0' };
    const statements: string[] = [];
    const { pool } = market.platform;
    const query = vi.spyOn(pool, 'query');
    expect((await ask(address, known)).status).toBe(304);
    for (const [statement] of query.mock.calls as unknown as [{ text?: string } | string][]) {
      statements.push(typeof statement === 'string' ? statement : (statement.text ?? ''));
    }
    expect(statements.length).toBeGreaterThan(0);
    expect(statements.filter((text) => /order_lines|order_timeline/.test(text))).toEqual([]);
    // It changes with a status, with the name of a customer, and with a closed day.
    await move(placed._id, 'accepted');
    const second = await ask(address, known);
    expect(second.status).toBe(200);
    query.mockClear();
    await market.platform.db.user.update({ where: { id: consumer.id }, data: { name: 'Cora' } });
    const third = await ask(address, {
      ...known,
      'if-none-match': second.headers.get('etag') ?? '',
    });
    expect([third.status, await third.text()]).toEqual([200, expect.stringContaining('Cora #')]);
    await market.platform.db.user.update({
      where: { id: consumer.id },
      data: { name: consumer.name },
    });
    vi.restoreAllMocks();
  });

  it('never counts down when an order leaves an entry, by being moved or called off', async () => {
    const address = await addressFor(owner);
    const [one, two, three] = [await order(), await order(), await order()];
    for (const { _id } of [one, two, three]) await move(_id, 'accepted');
    const entry = async () => {
      const [found] = (await read(address)).filter(({ SUMMARY }) => SUMMARY?.includes('pickup'));
      return {
        summary: found?.SUMMARY,
        uid: found?.UID,
        sequence: Number(found?.SEQUENCE),
        stamp: found?.DTSTAMP ?? '',
      };
    };
    const before = await entry();
    await move(three._id, 'cancelled');
    const cancelled = await entry();
    await market.platform.db.order.update({
      where: { id: two._id },
      data: { startsAt: new Date(Date.now() + 40 * 86_400_000), version: { increment: 1 } },
    });
    const moved = await entry();
    expect([before, cancelled, moved].map(({ summary }) => summary)).toEqual([
      '3 pickups',
      '2 pickups',
      '1 pickup',
    ]);
    expect(new Set([before, cancelled, moved].map(({ uid }) => uid)).size).toBe(1);
    expect(cancelled.sequence).toBeGreaterThan(before.sequence);
    expect(moved.sequence).toBeGreaterThan(cancelled.sequence);
    expect([before.stamp <= cancelled.stamp, cancelled.stamp <= moved.stamp]).toEqual([true, true]);
  });

  it('leads nowhere once it was renewed, ended, or its member is removed', async () => {
    const hand = await hire(market, owner, 'packer');
    const ofOwner = await addressFor(owner);
    const ofHand = await addressFor(hand);
    expect(ofHand).not.toBe(ofOwner);
    expect((await market.get('/farm/calendar', hand)).body.data.url).toBe(ofHand);

    const renewed = await addressFor(owner);
    expect((await ask(ofOwner)).status).toBe(404);
    expect((await ask(renewed)).status).toBe(200);
    await market.delete('/farm/calendar', owner);
    expect((await ask(renewed)).status).toBe(404);
    expect((await market.get('/farm/calendar', owner)).body.data.url).toBeNull();

    expect((await ask(ofHand)).status).toBe(200);
    await market.delete(`/farm/members/${hand.memberId}`, owner);
    expect((await ask(ofHand)).status).toBe(404);
  });

  describe('gets a new address with', () => {
    const changePassword = (as: Caller, choice: object = {}) =>
      market.put('/auth/password', as, {
        currentPassword: 'password123',
        newPassword: 'another one',
        ...choice,
      });
    const reset = async (as: Caller) =>
      market.call('POST', '/auth/reset-password', {
        body: { token: await makeResetLink(market, as.id), password: 'another one' },
      });
    const signOutOthers = (as: Caller) => market.delete('/auth/sessions', as);

    it.each([
      ['a reset', reset, true],
      ['signing out everywhere else', signOutOthers, true],
      ['a new password', changePassword, true],
      [
        'a new password that is to renew it',
        (as: Caller) => changePassword(as, { renewsCalendar: true }),
        true,
      ],
      [
        'no new password that is to keep it',
        (as: Caller) => changePassword(as, { renewsCalendar: false }),
        false,
      ],
    ] as const)('%s', async (_, change, isRenewed) => {
      const hand = await hire(market, owner, 'packer');
      const [ofOwner, ofHand] = [await addressFor(owner), await addressFor(hand)];
      expect((await change(hand)).status).toBe(200);
      expect((await ask(ofHand)).status).toBe(isRenewed ? 404 : 200);
      expect((await ask(ofOwner)).status).toBe(200);
      const { body } = await market.call('POST', '/auth/login', {
        body: {
          email: hand.email,
          password: change === signOutOthers ? 'password123' : 'another one',
        },
      });
      const as = { ...hand, token: body.token };
      const { url } = (await market.get('/farm/calendar', as)).body.data;
      expect(url === ofHand).toBe(!isRenewed);
      expect((await ask(url)).status).toBe(200);
    });

    it('nothing where there is none', async () => {
      expect((await signOutOthers(owner)).status).toBe(200);
      const { body } = await market.get('/farm/calendar', owner);
      expect(body.data.url).toBeNull();
    });
  });

  it('is found by its whole address alone', async () => {
    const address = await addressFor(owner);
    const other = await addressFor(await hire(market, owner, 'seller'));
    const [, , memberId = '', file = ''] = new URL(address).pathname.split('/');
    const signatureOfOther = new URL(other).pathname.split('/')[3];
    const wrong = [
      `/calendars/${memberId}/${signatureOfOther}`,
      `/calendars/${randomUUID()}/${file}`,
      `/calendars/${memberId}/${file.replace('.ics', '')}`,
      `/calendars/${memberId}/${'A'.repeat(43)}.ics`,
      `/calendars/${memberId}/${file.toUpperCase()}`,
      `/calendars/${memberId}/`,
      '/calendars/%00/%ff.ics',
      '/calendars/',
    ];
    for (const path of wrong) {
      const answer = await fetch(`${market.url}${path}`);
      expect([path, answer.status]).toEqual([path, 404]);
    }
    // A member's id in upper case is the same id.
    const upper = `${market.url}/calendars/${memberId.toUpperCase()}/${file}`;
    expect((await fetch(upper)).status).toBe(200);
  });
});
