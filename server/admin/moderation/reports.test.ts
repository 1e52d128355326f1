import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Report } from '#contract/admin/moderation/moderation';
import { until } from '../../../testing/until.ts';
import {
  type Caller,
  closeAfter,
  makeCategory,
  orderInput,
  productInput,
  startTestMarket,
} from '../../testing/market.ts';
import { hire } from '../../testing/staff.ts';

const market = closeAfter(await startTestMarket());
const { post } = market;
const { get, put } = market;
const [admin, farmer, consumer] = await Promise.all([
  market.join('admin', 'Root'),
  market.join('farmer', 'Fern'),
  market.join('consumer', 'Cleo'),
]);
const input = productInput(await makeCategory(market.platform), { name: 'Leeks' });
const product: string = (await post('/products', farmer, input)).body.data._id;
const order: string = (
  await post('/orders', consumer, orderInput(farmer.id, [{ product, quantity: 2 }]))
).body.data._id;

const report = (as: Caller | undefined, kind: string, id: string, over = {}) =>
  post('/reports', as, { kind, id, reason: 'misleading', ...over });
const settle = (id: string, outcome: string, note = '', as = admin) =>
  put(`/admin/reports/${id}`, as, { outcome, note });
const list = async (query = ''): Promise<Report[]> =>
  (await get(`/admin/reports?${query}`, admin)).body.data;

/** Writes a message. @returns its id */
async function write(from: Caller, to: string, content: string): Promise<string> {
  const { status, body } = await post('/messages', from, { receiver: to, content });
  expect(status).toBe(201);
  return body.data._id;
}

describe('a report', () => {
  it('shows admins what was reported as it was then', async () => {
    const { status, body } = await report(consumer, 'product', product, { text: ' Not organic ' });
    expect([status, body.data]).toMatchObject([
      200,
      { kind: 'product', subjectId: product, reason: 'misleading', text: 'Not organic' },
    ]);
    await put(`/products/${product}`, farmer, { name: 'Golden leeks' });
    const [shown] = await list('kind=product');
    expect(shown).toMatchObject({
      _id: body.data._id,
      subject: { name: 'Leeks', text: 'Sweet and crunchy.', amount: 2.5 },
      about: { _id: farmer.id, name: 'Fern', role: 'farmer' },
      reporter: { _id: consumer.id, name: 'Cleo' },
      outcome: null,
    });
  });

  it('of the same by the same person stays one while it is open, also at once', async () => {
    const reporter = await market.join('consumer');
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => report(reporter, 'farm', farmer.id)),
    );
    const [first] = answers;
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(new Set(answers.map(({ body }) => body.data._id)).size).toBe(1);
    // In another spelling it is the same farm.
    const again = await report(reporter, 'farm', farmer.id.toUpperCase(), { reason: 'spam' });
    expect(again.body.data).toEqual(first?.body.data);
    await settle(first?.body.data._id, 'dismissed');
    const later = await report(reporter, 'farm', farmer.id);
    expect(later.body.data._id).not.toBe(first?.body.data._id);
    const other = await report(await market.join('consumer'), 'farm', farmer.id);
    expect(other.body.data._id).not.toBe(later.body.data._id);
  });

  it('is only of what its reporter may see', async () => {
    const stranger = await market.join('consumer');
    const message = await write(consumer, farmer.id, 'Hello');
    const answer = await write(farmer, consumer.id, 'Hello yourself');
    const statuses = async (as: Caller, cases: [string, string][]) =>
      Promise.all(cases.map(async ([kind, id]) => (await report(as, kind, id)).status));
    expect(
      await statuses(stranger, [
        ['message', message],
        ['order', order],
        ['product', randomUUID()],
        ['farm', consumer.id],
        ['message', randomUUID()],
      ]),
    ).toEqual([404, 404, 404, 404, 404]);
    // A message only by whom it was written to.
    expect((await report(consumer, 'message', message)).status).toBe(404);
    expect((await report(consumer, 'message', answer)).status).toBe(200);
    expect((await report(farmer, 'message', message)).status).toBe(200);
    const hidden = (
      await post(
        '/products',
        farmer,
        productInput(await makeCategory(market.platform), { isActive: false }),
      )
    ).body.data._id;
    expect((await report(consumer, 'product', hidden)).status).toBe(404);
    expect((await report(undefined, 'product', product)).status).toBe(401);
    expect((await report(admin, 'product', product)).status).toBe(403);
  });

  it('is not of what is one’s own, also for those who work there', async () => {
    const seller = await hire(market, farmer, 'seller');
    for (const as of [farmer, seller]) {
      expect((await report(as, 'product', product)).status).toBe(403);
      expect((await report(as, 'farm', farmer.id)).status).toBe(403);
    }
    // Anyone who writes for the farm reports what was written to it.
    const message = await write(consumer, farmer.id, 'Rude words');
    expect((await report(seller, 'message', message)).status).toBe(200);
    const made = await report(farmer, 'order', order);
    expect(made.status).toBe(200);
    const [shown] = await list('kind=order');
    expect(shown?.about._id).toBe(consumer.id);
  });

  it('refuses what is not of the form', async () => {
    for (const over of [{ reason: 'dislike' }, { kind: 'star' }, { text: 'x'.repeat(1001) }]) {
      expect((await report(consumer, 'farm', farmer.id, over)).status).toBe(400);
    }
    expect((await get('/admin/reports?state=lost', admin)).status).toBe(400);
    expect((await get('/admin/reports', consumer)).status).toBe(403);
  });

  it('reaches admins live', async () => {
    const socket = await market.connect({ token: admin.token });
    const received: string[] = [];
    socket.on('report.changed', ({ data }) => received.push(data._id));
    const reporter = await market.join('consumer');
    const { _id } = (await report(reporter, 'product', product)).body.data;
    await until(() => received.includes(_id));
    received.length = 0;
    await settle(_id, 'acted');
    await until(() => received.includes(_id));
  });
});

describe('settling a report', () => {
  it('moves it to the settled ones, once, and is audited', async () => {
    const reporter = await market.join('consumer');
    const { _id } = (await report(reporter, 'product', product)).body.data;
    const settled = await settle(_id, 'acted', 'Talked to them.');
    expect(settled).toMatchObject({
      status: 200,
      body: { data: { outcome: 'acted', note: 'Talked to them.', settledBy: { name: 'Root' } } },
    });
    expect((await settle(_id, 'acted', 'Again')).body.data.note).toBe('Talked to them.');
    expect(await settle(_id, 'dismissed')).toMatchObject({
      status: 409,
      body: { code: 'REPORT_SETTLED' },
    });
    expect((await list()).some((each) => each._id === _id)).toBe(false);
    expect((await list('state=settled&kind=product')).some((each) => each._id === _id)).toBe(true);
    expect((await settle(randomUUID(), 'acted')).status).toBe(404);
    const { body } = await get(`/admin/audit?action=report.settled&user=${farmer.id}`, admin);
    const entries = body.data.filter(({ targetId }: { targetId: string }) => targetId === _id);
    expect(entries).toMatchObject([{ detail: { outcome: 'acted', kind: 'product' } }]);
  });

  it('has one outcome when two admins settle it at once', async () => {
    const { _id } = (await report(await market.join('consumer'), 'product', product)).body.data;
    const other = await market.join('admin');
    const answers = await Promise.all([settle(_id, 'acted'), settle(_id, 'dismissed', '', other)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });
});

describe('the messages of a report', () => {
  it('are the reported one and five on each side, and reading them is audited once a day', async () => {
    const [writer, farm] = [await market.join('consumer'), await market.join('farmer')];
    const ids: string[] = [];
    for (let number = 0; number < 14; number++) {
      ids.push(await write(writer, farm.id, `Words ${number}`));
    }
    // Of another conversation, in between.
    await write(consumer, farm.id, 'Other words');
    const { _id } = (await report(farm, 'message', ids[6] ?? '')).body.data;
    const read = () => get(`/admin/reports/${_id}/messages`, admin);
    expect((await read()).body.data.map((each: { _id: string }) => each._id)).toEqual(
      ids.slice(1, 12),
    );
    await read();
    const { body } = await get('/admin/audit?action=report.messagesRead', admin);
    expect(body.data.filter(({ targetId }: { targetId: string }) => targetId === _id)).toHaveLength(
      1,
    );
    expect((await get(`/admin/reports/${_id}/messages`, farm)).status).toBe(403);
  });

  it('are there at the beginning of a conversation, and not of other reports', async () => {
    const [writer, farm] = [await market.join('consumer'), await market.join('farmer')];
    const only = await write(writer, farm.id, 'The only words');
    const { _id } = (await report(farm, 'message', only)).body.data;
    const { body } = await get(`/admin/reports/${_id}/messages`, admin);
    expect(body.data).toMatchObject([{ _id: only }]);
    const ofProduct = (await report(writer, 'product', product)).body.data._id;
    expect((await get(`/admin/reports/${ofProduct}/messages`, admin)).status).toBe(404);
  });
});

it('lists many reports page by page, each once', async () => {
  const { db } = market.platform;
  const createdAt = new Date(Date.now() - 86_400_000);
  await db.report.createMany({
    data: Array.from({ length: 1000 }, (_, number) => ({
      reporterId: consumer.id,
      aboutId: farmer.id,
      kind: 'farm' as const,
      subjectId: farmer.id,
      reason: 'spam',
      subject: { name: `Farm ${number}`, text: '', image: null, amount: null },
      createdAt,
    })),
  });
  const seen = new Set<string>();
  let cursor = '';
  let rows = 0;
  do {
    const { body } = await get(`/admin/reports?limit=200&kind=farm&cursor=${cursor}`, admin);
    for (const { _id } of body.data) seen.add(_id);
    rows += body.count;
    cursor = body.nextCursor ?? '';
  } while (cursor);
  expect(seen.size).toBe(rows);
  expect(rows).toBeGreaterThanOrEqual(1000);
  await db.report.deleteMany({ where: { createdAt } });
});

it('erases what reports say of a deleted account, and what it reported', async () => {
  const [writer, farm] = [await market.join('consumer'), await market.join('farmer')];
  const message = await write(writer, farm.id, 'My secret words');
  const key = { 'idempotency-key': randomUUID() };
  const body = { kind: 'message', id: message, reason: 'spam', text: 'A secret text' };
  const made = await market.call('POST', '/reports', { as: farm, body, headers: key });
  await settle(made.body.data._id, 'acted', 'A secret note');
  const note = { content: 'A secret about them' };
  await post(`/admin/users/${writer.id}/notes`, admin, note);
  await market.delete(`/users/${writer.id}`, admin);

  const { db } = market.platform;
  const [report_, notes, commands, entries] = await Promise.all([
    db.report.findUniqueOrThrow({ where: { id: made.body.data._id } }),
    db.userNote.findMany({ where: { userId: writer.id } }),
    db.command.findMany(),
    db.auditEntry.findMany({ where: { targetId: { in: [writer.id, made.body.data._id] } } }),
  ]);
  expect(JSON.stringify([report_, notes, commands, entries])).not.toMatch(/secret/);
  expect(notes).toHaveLength(1);
  const shown = (await list('state=settled&kind=message')).find(
    (each) => each._id === made.body.data._id,
  );
  expect(shown?.about.name).toBe('Deleted user');
});

describe('what needs attention', () => {
  const attention = async () => (await get('/admin/stats', admin)).body.data.attention;

  it('counts what its lists hold', async () => {
    const before = await attention();
    const [empty, buyer] = [await market.join('farmer'), await market.join('consumer')];
    const draft = await market.join('farmer');
    await market.platform.db.farmerProfile.update({
      where: { userId: draft.id },
      data: { approvedAt: null, askedAt: new Date() },
    });
    const made = await post('/products', farmer, productInput(await makeCategory(market.platform)));
    await put(`/products/${made.body.data._id}/hiding`, admin, { hidden: true, reason: 'Spoilt' });
    await report(buyer, 'farm', farmer.id);
    await put(`/users/${buyer.id}/suspension`, admin, { suspended: true });
    const placed = await post(
      '/orders',
      consumer,
      orderInput(farmer.id, [{ product, quantity: 1 }]),
    );
    await market.platform.db.order.update({
      where: { id: placed.body.data._id },
      data: { createdAt: new Date(Date.now() - 86_400_000) },
    });
    const after = await attention();
    expect(after).toEqual({
      unansweredOrders: before.unansweredOrders + 1,
      openReports: before.openReports + 1,
      waitingFarms: before.waitingFarms + 1,
      farmsWithNothingForSale: before.farmsWithNothingForSale + 1,
      hiddenProducts: before.hiddenProducts + 1,
      suspendedPeople: before.suspendedPeople + 1,
      newPeople: before.newPeople + 3,
    });
    const ids = async (path: string) =>
      (await get(path, admin)).body.data.map(({ _id }: { _id: string }) => _id);
    const empties = await ids('/users?state=nothingForSale&limit=200');
    expect(empties).toHaveLength(after.farmsWithNothingForSale);
    expect(empties).toContain(empty.id);
    expect(empties).not.toContain(farmer.id);
    expect(await ids('/users?state=suspended')).toContain(buyer.id);
    expect(await ids('/admin/hidden-products')).toContain(made.body.data._id);
    expect((await list()).length).toBe(after.openReports);
  });

  it('lists hidden products page by page', async () => {
    const category = await makeCategory(market.platform);
    for (let number = 0; number < 3; number++) {
      const { body } = await post('/products', farmer, productInput(category));
      await put(`/products/${body.data._id}/hiding`, admin, { hidden: true, reason: 'Spoilt' });
    }
    const first = (await get('/admin/hidden-products?limit=2', admin)).body;
    const second = (await get(`/admin/hidden-products?limit=2&cursor=${first.nextCursor}`, admin))
      .body;
    const seen = [...first.data, ...second.data].map(({ _id }: { _id: string }) => _id);
    expect(new Set(seen).size).toBe(seen.length);
    expect(first.data[0].hiddenReason).toBe('Spoilt');
  });
});

describe('notes on a person', () => {
  it('are kept in order, reach admins live, and repeat as one', async () => {
    const person = await market.join('consumer');
    const path = `/admin/users/${person.id}/notes`;
    const socket = await market.connect({ token: admin.token });
    const received: string[] = [];
    socket.on('user.noteAdded', ({ data }) => received.push(data.user));
    const _id = randomUUID();
    const answers = await Promise.all([
      post(path, admin, { _id, content: 'They called.' }),
      post(path, admin, { _id, content: 'They called.' }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    await post(path, admin, { content: 'They called again.' });
    const { body } = await get(path, admin);
    expect(body.data).toMatchObject([
      { _id, content: 'They called.', author: { name: 'Root' } },
      { content: 'They called again.' },
    ]);
    await until(() => received.filter((id) => id === person.id).length === 2);
    expect((await get(path, person)).status).toBe(403);
    expect((await get(`/admin/users/${randomUUID()}/notes`, admin)).status).toBe(404);
    // An id is one note's, of people and orders each.
    const elsewhere = `/admin/users/${consumer.id}/notes`;
    expect((await post(elsewhere, admin, { _id, content: 'Other' })).status).toBe(409);
    expect((await post(path, admin, { content: '  ' })).status).toBe(400);
  });
});
