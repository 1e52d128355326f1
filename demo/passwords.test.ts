import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { OpenDatabase } from '../prisma/client.ts';
import { hashPassword, verifyPassword } from '../server/people/auth/password.ts';
import { createTestDatabase, openTestDatabase } from '../server/testing/database.ts';
import { idOf } from './data/farms.ts';
import {
  describeAccounts,
  generatePasswords,
  isLoopback,
  passwordsFile,
  settlePasswords,
} from './passwords.ts';

const EMAILS = ['admin@farmgate.test', 'farmer@farmgate.test', 'consumer@farmgate.test'];
const KNOWN = 'password123';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let market: OpenDatabase;
let dataDirectory: string;
let knownHash: string;

beforeAll(async () => {
  database = await createTestDatabase();
  market = openTestDatabase(database.url, 4);
  knownHash = await hashPassword(KNOWN);
});
afterAll(async () => {
  await market.close();
  await database.drop();
});

beforeEach(async () => {
  dataDirectory = mkdtempSync(path.join(tmpdir(), 'farmgate-demo-'));
  await market.db.user.deleteMany();
  await market.db.user.createMany({
    data: EMAILS.map((email) => ({
      id: idOf('user', email),
      name: 'Somebody',
      email,
      role: 'consumer' as const,
      passwordHash: knownHash,
    })),
  });
});
afterEach(() => rmSync(dataDirectory, { recursive: true, force: true }));

const settle = (isPublic: boolean) => settlePasswords(market.db, { dataDirectory, isPublic });
const stored = (email: string) => market.db.user.findUniqueOrThrow({ where: { email } });
const canSignIn = async (email: string, password: string) =>
  verifyPassword((await stored(email)).passwordHash, password);

describe('a host', () => {
  it.each(['localhost', 'LOCALHOST', '127.0.0.1', '127.8.9.1', '::1', '0:0:0:0:0:0:0:1'])(
    '%s is loopback',
    (host) => expect(isLoopback(host)).toBe(true),
  );
  it.each(['0.0.0.0', '::', '192.168.1.5', '128.0.0.1', '::2', 'farm.example', '127.1', '', '1'])(
    '%j may be reached by others',
    (host) => expect(isLoopback(host)).toBe(false),
  );
});

describe('the demo accounts', () => {
  it('keep the known password while only this machine can reach them', async () => {
    const before = await market.db.user.findMany();
    expect(Object.fromEntries(await settle(false))).toEqual(
      Object.fromEntries(EMAILS.map((email) => [email, KNOWN])),
    );
    expect(await market.db.user.findMany()).toEqual(before);
  });

  it('get generated passwords when others can reach them, the same at every start, and lose their sessions', async () => {
    const first = await settle(true);
    expect(new Set(first.values()).size).toBe(EMAILS.length);
    for (const email of EMAILS) {
      const password = first.get(email) ?? '';
      expect(password).toMatch(/^[a-z2-9]{4}(-[a-z2-9]{4}){3}$/);
      expect(await canSignIn(email, KNOWN)).toBe(false);
      expect(await canSignIn(email, password)).toBe(true);
      expect((await stored(email)).tokenVersion).toBe(2);
    }
    const events = await market.db.eventOutbox.findMany({ where: { name: 'session.changed' } });
    expect(events).toHaveLength(EMAILS.length);
    expect(await settle(true)).toEqual(first);
    expect((await stored(EMAILS[0] ?? '')).tokenVersion).toBe(2);
    expect(statSync(passwordsFile(dataDirectory)).mode & 0o777).toBe(0o600);
  });

  it('return to the known password, and to the same generated one later', async () => {
    const first = await settle(true);
    expect(new Set((await settle(false)).values())).toEqual(new Set([KNOWN]));
    for (const email of EMAILS) expect(await canSignIn(email, KNOWN)).toBe(true);
    expect(await settle(true)).toEqual(first);
    for (const email of EMAILS) expect(await canSignIn(email, KNOWN)).toBe(false);
  });

  it('keep a password that a person set', async () => {
    const [email = ''] = EMAILS;
    const passwordHash = await hashPassword('a password of my own');
    await market.db.user.update({ where: { email }, data: { passwordHash } });
    for (const isPublic of [true, false, true]) {
      expect((await settle(isPublic)).get(email)).toBeUndefined();
      expect(await canSignIn(email, 'a password of my own')).toBe(true);
    }
  });

  it('get the same passwords from two concurrent starts', async () => {
    const [one, two] = await Promise.all([settle(true), settle(true)]);
    for (const [email, password] of await settle(true)) {
      expect(password).toBeDefined();
      expect(await canSignIn(email, password ?? '')).toBe(true);
      expect([one.get(email), two.get(email)]).toContain(password);
    }
  });

  it('get new passwords when their file is broken', async () => {
    writeFileSync(passwordsFile(dataDirectory), '{');
    const generated = await generatePasswords(dataDirectory);
    expect(JSON.parse(readFileSync(passwordsFile(dataDirectory), 'utf8'))).toEqual(generated);
    for (const [email, password] of await settle(true)) {
      expect(password).toBe(generated[email]?.password);
    }
  });

  it('are not created when missing', async () => {
    await market.db.user.deleteMany();
    expect((await settle(true)).size).toBe(0);
    expect(describeAccounts(await settle(true))).toBe('');
  });

  it('are printed with their passwords', async () => {
    expect(describeAccounts(await settle(false))).toBe(
      [
        'Demo accounts, password "password123" for all:',
        '  admin@farmgate.test      admin',
        '  farmer@farmgate.test     farmer, Green Valley Farm',
        '  consumer@farmgate.test   consumer',
        '',
      ].join('\n'),
    );
    const generated = await settle(true);
    const printed = describeAccounts(generated);
    expect(printed).not.toContain(KNOWN);
    for (const [email, password] of generated)
      expect(printed).toContain(`${email.padEnd(24)} ${password}`);
  });
});
