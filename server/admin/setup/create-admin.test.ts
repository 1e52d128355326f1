import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { closeAfter, startTestMarket } from '../../testing/market.ts';
import { createAdmin, NewAdmin } from './create-admin.ts';

const market = closeAfter(await startTestMarket());

const create = (input: object) =>
  createAdmin(market.platform.db, NewAdmin.parse(input), 'https://farm.example');
const signIn = async (email: string, password: string) =>
  (await market.call('POST', '/auth/login', { body: { email, password } })).body;
const anAddress = () => `${randomUUID()}@farmgate.test`;

it('an admin with a password can sign in at once and rules the market', async () => {
  const address = anAddress();
  const made = await create({ email: `  ${address.toUpperCase()} `, password: 'password123' });
  expect(made).toEqual({ email: address, link: undefined });
  const { token, user } = await signIn(address, 'password123');
  expect(user).toMatchObject({ role: 'admin', name: 'Admin' });
  const as = { id: user._id, token, role: 'admin' as const, email: address, name: 'Admin' };
  const body = { name: randomUUID() };
  expect((await market.post('/categories', as, body)).status).toBe(201);
});

it('an admin without a password chooses one by the link, once', async () => {
  const address = anAddress();
  const { link } = await create({ email: address, name: 'Ada' });
  const url = new URL(link ?? '');
  expect(url.origin + url.pathname).toBe('https://farm.example/reset-password');
  const body = { token: url.searchParams.get('token'), password: 'chosen one' };
  const choose = async () => (await market.call('POST', '/auth/reset-password', { body })).status;
  expect([await choose(), await choose()]).toEqual([200, 400]);
  expect((await signIn(address, 'chosen one')).user.name).toBe('Ada');
});

it('an address that has an account is refused with what to do', async () => {
  const address = anAddress();
  await create({ email: address, password: 'password123' });
  await expect(create({ email: address })).rejects.toThrow(/is an admin already/);
  const farmer = await market.join('farmer');
  await expect(create({ email: farmer.email })).rejects.toThrow(/account of a farmer/);
  const people = await market.platform.db.user.count({ where: { email: farmer.email } });
  expect(people).toBe(1);
});

it('of two at once for one address one is made', async () => {
  const email = anAddress();
  const made = await Promise.allSettled([create({ email }), create({ email })]);
  expect(made.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
});

it.each([
  [{ email: 'nonsense' }],
  [{}],
  [{ email: 'a@farmgate.test', password: 'short' }],
  [{ email: 'a@farmgate.test', name: 'two\nlines' }],
])('refuses %j', (input) => {
  expect(NewAdmin.safeParse(input).success).toBe(false);
});
