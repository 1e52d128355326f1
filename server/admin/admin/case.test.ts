import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type AdminNote, AdminPerson } from '#contract/admin/admin/admin';
import type { Message } from '#contract/farm/messages/messages';
import {
  closeAfter,
  makeCategory,
  orderInput,
  productInput,
  startTestMarket,
} from '../../testing/market.ts';

const market = closeAfter(await startTestMarket());
const [admin, otherAdmin] = await Promise.all([
  market.join('admin', 'Root'),
  market.join('admin', 'Second'),
]);
const category = await makeCategory(market.platform);

const get = (path: string, as = admin) => market.get(path, as);
const send = (method: string, path: string, body: unknown, as = admin) =>
  market.call(method, path, { as, body });
const auditOf = (targetId: string, action: string) =>
  market.platform.db.auditEntry.findMany({ where: { targetId, action } });

/** A consumer, a farmer, a product, and an order between them. */
async function dispute() {
  const [consumer, farmer] = await Promise.all([market.join('consumer'), market.join('farmer')]);
  const product = (await send('POST', '/products', productInput(category), farmer)).body.data;
  const input = orderInput(farmer.id, [{ product: product._id, quantity: 1 }]);
  const order: string = (await send('POST', '/orders', input, consumer)).body.data._id;
  return { consumer, farmer, product: product._id as string, order };
}

describe('internal notes', () => {
  it('are kept in their order with author and time, and reach other admins alone', async () => {
    const { order, farmer, consumer } = await dispute();
    const sockets = await Promise.all(
      [otherAdmin, farmer, consumer].map(({ token }) => market.connect({ token })),
    );
    const received: unknown[][] = sockets.map(() => []);
    for (const [index, socket] of sockets.entries()) {
      socket.on('order.noteAdded', ({ data }) => received[index]?.push(data));
    }
    const arrived = new Promise((resolve) => sockets[0]?.once('order.noteAdded', resolve));
    const path = `/admin/orders/${order}/notes`;
    const first = await send('POST', path, { content: '  Called the farm.  ' });
    expect(first.status).toBe(201);
    expect(first.body.data).toMatchObject({
      content: 'Called the farm.',
      author: { _id: admin.id, name: 'Root', role: 'admin' },
    });
    await arrived;
    await send('POST', path, { content: 'They will refund.' }, otherAdmin);
    const notes = (await get(path)).body.data as AdminNote[];
    expect(notes.map(({ content, author }) => [author.name, content])).toEqual([
      ['Root', 'Called the farm.'],
      ['Second', 'They will refund.'],
    ]);
    expect(received[0]?.[0]).toEqual({ _id: first.body.data._id, order });
    // The text is in no event: it stays in one place, where it can be erased.
    expect(JSON.stringify(received[0])).not.toContain('Called');
    // Whatever came for the parties has come before their own next event.
    const seen = [sockets[1], sockets[2]].map(
      (socket) => new Promise((resolve) => socket?.once('order.updated', resolve)),
    );
    await send('PUT', `/orders/${order}`, { status: 'accepted' }, farmer);
    await Promise.all(seen);
    expect(received.slice(1)).toEqual([[], []]);
    expect(await auditOf(order, 'order.noteAdded')).toHaveLength(2);
  });

  it('are stored once however often the same note is sent, also at once', async () => {
    const { order } = await dispute();
    const path = `/admin/orders/${order}/notes`;
    const body = { _id: randomUUID(), content: 'Once.' };
    const answers = await Promise.all([1, 2, 3, 4].map(() => send('POST', path, body)));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    const upper = await send('POST', path, { ...body, _id: body._id.toUpperCase() });
    expect(upper.body.data._id).toBe(body._id);
    expect((await get(path)).body.data).toHaveLength(1);
    expect(await auditOf(order, 'order.noteAdded')).toHaveLength(1);
    expect((await send('POST', path, body, otherAdmin)).status).toBe(409);
    const other = await dispute();
    expect((await send('POST', `/admin/orders/${other.order}/notes`, body)).status).toBe(409);
  });

  it('are not for the parties, not blank, and about orders that exist', async () => {
    const { order, consumer, farmer } = await dispute();
    const path = `/admin/orders/${order}/notes`;
    for (const as of [consumer, farmer]) {
      expect((await get(path, as)).status).toBe(403);
      expect((await send('POST', path, { content: 'Me too' }, as)).status).toBe(403);
    }
    expect((await send('POST', path, { content: '   ' })).status).toBe(400);
    expect((await send('POST', path, { content: 'x'.repeat(2001) })).status).toBe(400);
    expect((await get(`/admin/orders/${randomUUID()}/notes`)).status).toBe(404);
    const gone = await send('POST', `/admin/orders/${randomUUID()}/notes`, { content: 'x' });
    expect(gone.status).toBe(404);
    expect((await get(`/admin/orders/${order.toUpperCase()}/notes`)).status).toBe(200);
  });

  it('come page by page, each once, also among notes of one moment', async () => {
    const { order } = await dispute();
    const createdAt = new Date('2026-03-01T00:00:00.000Z');
    await market.platform.db.orderNote.createMany({
      data: Array.from({ length: 1000 }, (_, index) => ({
        orderId: order,
        authorId: admin.id,
        content: `Note ${index}`,
        createdAt: new Date(createdAt.getTime() + (index % 3)),
      })),
    });
    const seen: string[] = [];
    let cursor = '';
    do {
      const { body } = await get(`/admin/orders/${order}/notes?limit=187&cursor=${cursor}`);
      seen.push(...body.data.map(({ _id }: AdminNote) => _id));
      cursor = body.nextCursor ?? '';
    } while (cursor);
    expect(seen).toHaveLength(1000);
    expect(new Set(seen).size).toBe(1000);
  });
});

describe('the conversation about an order', () => {
  it('is all that its parties wrote to each other, and reading it is audited once a day', async () => {
    const { order, consumer, farmer } = await dispute();
    const words = [
      [consumer, farmer, 'Are they ripe?'],
      [farmer, consumer, 'Very.'],
      [consumer, farmer, 'They were not.'],
    ] as const;
    for (const [from, to, content] of words) {
      const about = content === 'They were not.' ? { relatedOrder: order } : {};
      await send('POST', '/messages', { receiver: to.id, content, ...about }, from);
    }
    await send('POST', '/messages', { receiver: farmer.id, content: 'From the market' });
    const path = `/admin/orders/${order}/messages`;
    const { body } = await get(path);
    expect(body.data.map(({ content }: Message) => content)).toEqual(words.map((word) => word[2]));
    expect(body.data[2].relatedOrder).toBe(order);
    const last = await get(`${path}?limit=2`);
    expect(last.body.nextCursor).toBe(body.data[1]._id);
    const earlier = await get(`${path}?limit=2&before=${last.body.nextCursor}`);
    expect(earlier.body.data.map(({ content }: Message) => content)).toEqual(['Are they ripe?']);
    expect(await auditOf(order, 'order.conversationRead')).toHaveLength(1);
    await get(path, otherAdmin);
    expect(await auditOf(order, 'order.conversationRead')).toHaveLength(2);
    // Reading as an admin marks nothing as read.
    const inbox = await get('/messages', farmer);
    expect(inbox.body.unreadCount).toBe(3);
    const stranger = await dispute();
    expect((await get(`/admin/orders/${stranger.order}/messages`)).body.data).toEqual([]);
    expect((await get(path, consumer)).status).toBe(403);
  });
});

describe('a person', () => {
  it('has their farm, their figures, their orders and their products, inactive ones too', async () => {
    const { consumer, farmer, product, order } = await dispute();
    await send('PUT', `/products/${product}`, { isActive: false }, farmer);
    await send('PUT', `/orders/${order}`, { status: 'accepted' }, farmer);
    await send('PUT', `/orders/${order}`, { status: 'completed' }, farmer);
    const seller = (await get(`/admin/users/${farmer.id.toUpperCase()}`)).body.data;
    expect(AdminPerson.parse(seller)).toEqual(seller);
    expect(seller).toMatchObject({
      user: { _id: farmer.id, role: 'farmer', email: farmer.email },
      isDeleted: false,
      ordersByStatus: { completed: 1, pending: 0 },
      completedTotal: 2.5,
      productCount: 1,
    });
    const buyer = (await get(`/admin/users/${consumer.id}`)).body.data;
    expect(buyer).toMatchObject({ farm: null, completedTotal: 2.5, productCount: 0 });
    for (const { id } of [consumer, farmer]) {
      const orders = (await get(`/admin/users/${id}/orders`)).body.data;
      expect(orders.map(({ _id }: { _id: string }) => _id)).toEqual([order]);
    }
    const products = (await get(`/admin/users/${farmer.id}/products`)).body.data;
    expect(products).toMatchObject([{ _id: product, isActive: false }]);
    for (const rest of ['', '/orders', '/products']) {
      expect((await get(`/admin/users/${randomUUID()}${rest}`)).status).toBe(404);
      expect((await get(`/admin/users/${farmer.id}${rest}`, farmer)).status).toBe(403);
    }
  });

  it('whose account was deleted is shown without contact, with their orders', async () => {
    const { consumer, order } = await dispute();
    await market.delete(`/users/${consumer.id}`, admin);
    const { data } = (await get(`/admin/users/${consumer.id}`)).body;
    expect(data.isDeleted).toBe(true);
    expect(data.user).toMatchObject({ name: 'Deleted user', email: '', phone: '' });
    const orders = (await get(`/admin/users/${consumer.id}/orders`)).body.data;
    expect(orders).toMatchObject([{ _id: order, consumer: { name: 'Deleted user', email: '' } }]);
    const { csv } = (await get(`/admin/exports/orders?search=${order}`)).body.data;
    expect(csv).toContain(`${order},`);
    expect(csv).toContain(',Deleted user,,,');
    expect(csv).not.toContain(consumer.name);
  });
});

describe('deleting an account', () => {
  it('empties the notes on its orders and the reasons for hiding its products', async () => {
    const { order, farmer, consumer, product } = await dispute();
    const secret = `Secret-${randomUUID().slice(0, 8)}`;
    await send('POST', `/admin/orders/${order}/notes`, { content: `${secret} called.` });
    await send('PUT', `/products/${product}/hiding`, { hidden: true, reason: `${secret} asked.` });
    await send('PUT', `/products/${product}`, { name: 'Renamed' }, farmer);
    const untouched = await dispute();
    await send('POST', `/admin/orders/${untouched.order}/notes`, { content: 'Stays.' });

    expect((await market.delete(`/users/${farmer.id}`, admin)).status).toBe(200);
    await market.platform.eventLog.sequence();
    const { rows: tables } = await market.platform.pool.query<{ name: string }>(
      "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'",
    );
    for (const { name } of tables) {
      const { rows } = await market.platform.pool.query(
        `SELECT 1 FROM "${name}" t WHERE t::text LIKE $1`,
        [`%${secret}%`],
      );
      expect({ name, rows: rows.length }).toEqual({ name, rows: 0 });
    }
    const notes = (await get(`/admin/orders/${order}/notes`)).body.data;
    expect(notes).toMatchObject([{ content: '', author: { name: 'Root' } }]);
    const others = (await get(`/admin/orders/${untouched.order}/notes`)).body.data;
    expect(others).toMatchObject([{ content: 'Stays.' }]);
    // The other party's account takes nothing more with it.
    await market.delete(`/users/${consumer.id}`, admin);
    expect((await get(`/admin/orders/${order}/notes`)).body.data).toHaveLength(1);
  });
});
