import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { AuditRecord, ExportPart } from '#contract/admin/admin/admin';
import type { Order } from '#contract/ordering/orders/orders';
import type { User } from '#contract/people/users/users';
import {
  type Caller,
  closeAfter,
  makeCategory,
  orderInput,
  productInput,
  startTestMarket,
} from '../../testing/market.ts';

/** The last moment of one UTC day and the first of the next, and one in between days after. */
const EDGES = ['2026-03-01T23:59:59.999Z', '2026-03-02T00:00:00.000Z', '2026-03-04T12:00:00.000Z'];
const ROWS = 1200;

const market = closeAfter(await startTestMarket());
const [admin, farmer, consumer] = await Promise.all([
  market.join('admin', 'Root'),
  market.join('farmer', 'Fern'),
  market.join('consumer', '=cmd|calc'),
]);
const { db } = market.platform;
await db.user.update({ where: { id: consumer.id }, data: { phone: '+1 (802) 555-0142' } });
const category = await makeCategory(market.platform);
const body = productInput(category, { name: 'Blue Potatoes', quantityAvailable: 100 });
const product: string = (await market.post('/products', farmer, body)).body.data._id;
// Few instants and few totals, so that pages end between rows that differ only in their id.
await db.order.createMany({
  data: Array.from({ length: ROWS }, (_, index) => ({
    consumerId: consumer.id,
    farmerId: farmer.id,
    status: 'completed' as const,
    totalMinor: 100 * (1 + (index % 3)),
    isPickup: true,
    date: new Date('2026-03-05'),
    time: '10:00',
    createdAt: new Date(EDGES[index % 3] ?? 0),
  })),
});

const get = async (path: string, query: Record<string, string> = {}, as = admin) =>
  market.get(`${path}?${new URLSearchParams(query)}`, as);

async function pages<Row>(path: string, query: Record<string, string>): Promise<Row[]> {
  const rows: Row[] = [];
  let cursor: string | null = '';
  do {
    const { status, body } = await get(path, { limit: '200', ...query, cursor: cursor ?? '' });
    expect({ status, message: body.message }).toEqual({ status: 200, message: undefined });
    rows.push(...body.data);
    cursor = body.nextCursor;
  } while (cursor);
  return rows;
}

const compare = <T extends string | number>(a: T, b: T) => (a < b ? -1 : a > b ? 1 : 0);

describe('the list of orders', () => {
  it.each([
    ['newest', (a: Order, b: Order) => compare(b.createdAt, a.createdAt) || compare(b._id, a._id)],
    ['oldest', (a: Order, b: Order) => compare(a.createdAt, b.createdAt) || compare(a._id, b._id)],
    [
      'total-asc',
      (a: Order, b: Order) => compare(a.totalAmount, b.totalAmount) || compare(a._id, b._id),
    ],
    [
      'total-desc',
      (a: Order, b: Order) => compare(b.totalAmount, a.totalAmount) || compare(b._id, a._id),
    ],
  ])('has each order once, sorted by %s, among many ties', async (sort, order) => {
    const rows = await pages<Order>('/orders', { sort });
    expect(new Set(rows.map(({ _id }) => _id)).size).toBe(ROWS);
    expect(rows.map(({ _id }) => _id)).toEqual(rows.toSorted(order).map(({ _id }) => _id));
  });

  it('ends its days at midnight UTC, both ends included', async () => {
    const count = async (query: Record<string, string>) =>
      (await pages<Order>('/orders', query)).length;
    expect(await count({ from: '2026-03-01', to: '2026-03-01' })).toBe(ROWS / 3);
    expect(await count({ from: '2026-03-02', to: '2026-03-02' })).toBe(ROWS / 3);
    expect(await count({ from: '2026-03-02' })).toBe((ROWS * 2) / 3);
    expect(await count({ to: '2026-03-02' })).toBe((ROWS * 2) / 3);
    expect(await count({ from: '2026-03-03', to: '2026-03-03' })).toBe(0);
    expect(await count({ from: '', to: '' })).toBe(ROWS);
    const empty = await get('/orders', { from: '2026-03-02', to: '2026-03-01' });
    expect(empty.body.message).toBe("The last day can't be before the first.");
    for (const day of ['yesterday', '2026-02-30', '0000-01-01', '9999-12-31']) {
      expect((await get('/orders', { to: day })).status).toBe(400);
    }
  });

  it('refuses a cursor of another sort', async () => {
    const { body } = await get('/orders', { sort: 'total-asc', limit: '1' });
    for (const sort of ['newest', 'oldest', 'total-desc']) {
      expect((await get('/orders', { sort, cursor: body.nextCursor })).status).toBe(400);
    }
    expect((await get('/orders', { sort: 'price' })).status).toBe(400);
  });

  it('is found by phone number however it is grouped, email, and the name of a product', async () => {
    const body = orderInput(farmer.id, [{ product, quantity: 1 }]);
    const placed = await market.post('/orders', consumer, body);
    const id = placed.body.data._id;
    const finds = async (search: string) =>
      (await pages<Order>('/orders', { search, status: 'pending' })).map(({ _id }) => _id);
    for (const search of [
      '+1 (802) 555-0142',
      '18025550142',
      '802.555',
      '5550142',
      consumer.email,
      consumer.email.toUpperCase(),
      'blue potato',
      'POTATOES',
      id.slice(0, 8).toUpperCase(),
    ]) {
      expect({ search, found: await finds(search) }).toEqual({ search, found: [id] });
    }
    expect(await finds('555-9999')).toEqual([]);
    expect(await finds('blue%potato')).toEqual([]);
    // A line keeps the name it was bought under.
    await market.put(`/products/${product}`, farmer, { name: 'Red Roots' });
    expect(await finds('potato')).toEqual([id]);
    await market.put(`/orders/${id}`, consumer, { status: 'cancelled' });
    await market.platform.db.order.delete({ where: { id } });
  });
});

describe('the list of users', () => {
  const names = ['Zoë', 'anna', 'Anna', 'Änne', '李小龍'.repeat(33)];
  beforeAll(async () => {
    await market.platform.db.user.createMany({
      data: Array.from({ length: ROWS }, (_, index) => ({
        name: names[index % names.length] ?? '',
        email: `${randomUUID()}@lists.test`,
        passwordHash: '',
        role: 'consumer' as const,
        phone: index === 7 ? '(0044) 20-7946 0018' : '',
        createdAt: new Date(EDGES[index % 3] ?? 0),
      })),
    });
  });

  it.each(['newest', 'oldest', 'name'])('has each user once, sorted by %s', async (sort) => {
    const rows = await pages<User>('/users', { sort, search: '@lists.test' });
    expect(new Set(rows.map(({ _id }) => _id)).size).toBe(ROWS);
    const keys = rows.map(({ createdAt, name }) => (sort === 'name' ? name : createdAt));
    const sorted = keys.toSorted(sort === 'name' ? new Intl.Collator('en').compare : undefined);
    expect(keys).toEqual(sort === 'newest' ? sorted.reverse() : sorted);
  });

  it('is found by phone number and by the day they joined', async () => {
    const found = await pages<User>('/users', { search: '2079460018' });
    expect(found.map(({ phone }) => phone)).toEqual(['(0044) 20-7946 0018']);
    const day = { from: '2026-03-01', to: '2026-03-01', role: 'consumer' };
    expect(await pages<User>('/users', day)).toHaveLength(ROWS / 3);
  });
});

describe('the audit', () => {
  let other: Caller;
  beforeAll(async () => {
    other = await market.join('admin', 'Second');
    await market.platform.db.auditEntry.createMany({
      data: Array.from({ length: ROWS }, (_, index) => ({
        adminId: index % 2 ? admin.id : other.id,
        action: index % 3 ? 'category.created' : 'product.hidden',
        targetId: index % 3 ? randomUUID() : product,
        detail: index % 3 ? { name: 'Herbs' } : { farmer: farmer.id, name: 'Old name' },
        at: new Date(EDGES[index % 3] ?? 0),
      })),
    });
  });

  it('is filtered by admin, action, day and person, and sorted both ways', async () => {
    const count = async (query: Record<string, string>) =>
      (await pages<AuditRecord>('/admin/audit', query)).length;
    expect(await count({ admin: other.id.toUpperCase() })).toBe(ROWS / 2);
    expect(await count({ action: 'product.hidden' })).toBe(ROWS / 3);
    expect(await count({ action: 'product.hidden', admin: other.id })).toBe(ROWS / 6);
    expect(await count({ from: '2026-03-02', to: '2026-03-02' })).toBe(ROWS / 3);
    expect(await count({ user: farmer.id })).toBe(ROWS / 3);
    expect(await count({ user: consumer.id })).toBe(0);
    expect((await get('/admin/audit', { action: 'no.such' })).status).toBe(400);
    const days = { to: '2026-03-05' };
    const newest = await pages<AuditRecord>('/admin/audit', days);
    const oldest = await pages<AuditRecord>('/admin/audit', { ...days, sort: 'oldest' });
    expect(newest).toHaveLength(ROWS);
    expect(oldest.map(({ _id }) => _id)).toEqual(newest.map(({ _id }) => _id).reverse());
    const named = newest.filter(({ targetId }) => targetId === product);
    expect(new Set(named.map(({ targetName }) => targetName))).toEqual(new Set(['Red Roots']));
  });

  it('shows what happened to a person: their account, their orders, their products', async () => {
    const { order } = market.platform.db;
    const { id } = await order.findFirstOrThrow({ where: { consumerId: consumer.id } });
    await market.post(`/admin/orders/${id}/notes`, admin, { content: 'Hm.' });
    const [entry] = (await get('/admin/audit', { user: consumer.id })).body.data;
    expect(entry).toMatchObject({ action: 'order.noteAdded', targetId: id });
  });
});

describe('an export', () => {
  async function download(list: string, query: Record<string, string> = {}) {
    const parts: ExportPart[] = [];
    let cursor: string | null = '';
    do {
      const { status, body } = await get(`/admin/exports/${list}`, {
        ...query,
        cursor: cursor ?? '',
      });
      expect(status).toBe(200);
      parts.push(body.data);
      cursor = body.data.nextCursor;
    } while (cursor);
    const csv = parts.map((part) => part.csv).join('');
    return { csv, lines: csv.split('\r\n').slice(0, -1), parts };
  }

  it('has every order once below one header, and no cell that runs as a formula', async () => {
    const { lines, parts } = await download('orders', { sort: 'total-asc' });
    expect(parts.length).toBeGreaterThan(1);
    expect(lines).toHaveLength(ROWS + 1);
    expect(lines[0]).toMatch(/^Order,Placed \(UTC\),Status,Customer,/);
    expect(new Set(lines.map((line) => line.split(',')[0])).size).toBe(ROWS + 1);
    expect(lines[1]).toContain(",'=cmd|calc,");
    expect(lines[1]).toContain(',+1 (802) 555-0142,');
    expect(lines[1]).toMatch(/,1,cash,pickup,2026-03-05,10:00,/);
  });

  it('follows the filters of its list', async () => {
    const day = { from: '2026-03-01', to: '2026-03-01' };
    expect((await download('orders', day)).lines).toHaveLength(ROWS / 3 + 1);
    expect((await download('orders', { status: 'rejected' })).lines).toHaveLength(1);
    const users = await download('users', { role: 'farmer' });
    expect(users.lines[1]).toContain(farmer.email);
    const entries = await download('audit', { action: 'product.hidden', sort: 'oldest' });
    expect(entries.lines).toHaveLength(ROWS / 3 + 1);
    expect(entries.lines[1]).toContain('"{""name"":""Old name"",""farmer"":');
  });

  it('says who is suspended and who has verified their email', async () => {
    const [plain, bad] = [await market.join('consumer'), await market.join('consumer')];
    const body = { suspended: true, reason: 'Spam' };
    await market.put(`/users/${bad.id}/suspension`, admin, body);
    await market.platform.db.user.update({
      where: { id: bad.id },
      data: { emailVerifiedAt: new Date() },
    });
    const rowOf = async ({ email }: Caller) =>
      (await download('users', { search: email })).lines[1] ?? '';
    const { lines } = await download('users', { search: bad.email });
    expect(lines[0]).toMatch(/,Joined \(UTC\),Email verified,Suspended$/);
    expect(await rowOf(bad)).toMatch(/,\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,yes,yes$/);
    expect(await rowOf(plain)).toMatch(/:\d\d,no,no$/);
  });

  it('has headings and words in the language of the admin, whatever the browser prefers', async () => {
    const { body } = await market.get('/market');
    const { version, announcement: _, pages: __, ...present } = body.data;
    const offer = async (languages: string[], expectedVersion: number) =>
      (await market.put('/market', admin, { ...present, languages, expectedVersion })).body.data
        .version;
    const offered = await offer(['en', 'de'], version);
    await market.put('/users/profile', admin, { language: 'de' });
    const { lines } = await download('users', { search: '@lists.test' });
    await market.put('/users/profile', admin, { language: 'en' });
    await offer(['en'], offered);
    expect(lines[0]).toMatch(/^Benutzer,Name,E-Mail,Rolle,Telefon,Straße und Hausnummer,Ort,/);
    expect(lines[1]).toMatch(/,(Kunde|Landwirt),/);
    expect(lines[1]).toMatch(/,(ja|nein)$/);
  });

  it('is audited once, without what was searched for, and leaves deleted accounts out', async () => {
    const gone = await market.join('consumer', 'Gone Person');
    await market.delete(`/users/${gone.id}`, admin);
    const { auditEntry } = market.platform.db;
    const exported = () =>
      auditEntry.findMany({ where: { action: 'list.exported', targetId: 'users' } });
    const before = await exported();
    const { csv, parts } = await download('users', { search: '@lists.test' });
    expect(parts.length).toBeGreaterThan(1);
    const after = await exported();
    expect(after).toHaveLength(before.length + 1);
    expect(JSON.stringify(after)).not.toContain('lists.test');
    expect(csv).not.toContain('Gone');
  });

  it('is for admins alone and refuses too large parts', async () => {
    for (const list of ['orders', 'users', 'audit']) {
      expect((await get(`/admin/exports/${list}`, {}, farmer)).status).toBe(403);
      expect((await get(`/admin/exports/${list}`, { limit: '501' })).status).toBe(400);
    }
  });
});
