import { randomUUID } from 'node:crypto';
import { hash } from '@node-rs/argon2';
import { describe, expect, it } from 'vitest';
import { createAdmin, NewAdmin } from '../../admin/setup/create-admin.ts';
import { makeResetLink } from '../../testing/mailed-links.ts';
import { type Caller, closeAfter, startTestMarket } from '../../testing/market.ts';

const market = closeAfter(await startTestMarket());

const apart = (password: string) => password.normalize('NFD');

/** One password as different keyboards write it: the normal form, and another. */
const SPELLINGS: [what: string, normal: string, typed: string][] = [
  ['letter and accent', 'Crème brûlée', apart('Crème brûlée')],
  ['a sign for another letter', '5 \u00c5ngstr\u00f6m', '5 \u212bngstro\u0308m'],
  [
    'Korean syllables',
    '\ub18d\uc7a5\uc5d0\uc11c\ub9cc\ub098',
    apart('\ub18d\uc7a5\uc5d0\uc11c\ub9cc\ub098'),
  ],
  ['a space that does not break', 'gate to market', 'gate\u00a0to\u00a0market'],
];

const register = async (password: string): Promise<{ as: Caller; email: string }> => {
  const email = `${randomUUID()}@farmgate.test`;
  const body = { name: 'Ana', email, password, acceptsTerms: true };
  const answer = await market.call('POST', '/auth/register', { body });
  expect(answer.status).toBe(201);
  const { _id: id } = answer.body.user;
  const as: Caller = { id, email, token: answer.body.token, role: 'consumer', name: 'Ana' };
  return { as, email };
};
const signIn = async (email: string, password: string) =>
  (await market.call('POST', '/auth/login', { body: { email, password } })).status;

describe.each(SPELLINGS)('a password with %s', (_, normal, typed) => {
  it('is one password, whichever way it was set and is typed', async () => {
    expect(typed).not.toBe(normal);
    for (const password of [normal, typed]) {
      const { email } = await register(password);
      expect([await signIn(email, normal), await signIn(email, typed)]).toEqual([200, 200]);
      expect(await signIn(email, `${typed}x`)).toBe(401);
    }
  });

  it('opens an account whose hash is of what was typed before there was a normal form', async () => {
    for (const old of [normal, typed]) {
      const { as, email } = await register('password123');
      const data = { passwordHash: await hash(old) };
      await market.platform.db.user.update({ where: { id: as.id }, data });
      expect(await signIn(email, old)).toBe(200);
      // The hash of an odd spelling matches that spelling alone.
      if (![normal, apart(normal)].includes(old)) continue;
      expect(await signIn(email, old === normal ? typed : normal)).toBe(200);
    }
  });

  it('is the same wherever it is asked for or set', async () => {
    const { as, email } = await register('password123');
    const change = (currentPassword: string, newPassword: string) =>
      market.put('/auth/password', as, { currentPassword, newPassword });
    expect((await change('password123', typed)).status).toBe(200);
    expect((await change(normal, typed)).status).toBe(200);
    const token = await makeResetLink(market, as.id);
    const reset = { body: { token, password: typed } };
    expect((await market.call('POST', '/auth/reset-password', reset)).status).toBe(200);
    expect(await signIn(email, normal)).toBe(200);

    const admin = `${randomUUID()}@farmgate.test`;
    const input = NewAdmin.parse({ email: admin, password: typed });
    await createAdmin(market.platform.db, input, 'https://farm.example');
    expect(await signIn(admin, normal)).toBe(200);
  });
});

it('counts the characters of the normal form', async () => {
  const letters = (count: number) => apart('é'.repeat(count));
  const { as, email } = await register(letters(200));
  expect(await signIn(email, letters(200))).toBe(200);
  expect(await signIn(email, letters(201))).toBe(400);
  for (const count of [5, 201]) {
    const body = { currentPassword: letters(200), newPassword: letters(count) };
    expect((await market.put('/auth/password', as, body)).status).toBe(400);
  }
});
