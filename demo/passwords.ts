import { randomInt } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { BlockList, isIP } from 'node:net';
import path from 'node:path';
import { z } from 'zod';
import type { Database } from '../prisma/client.ts';
import { hashPassword, verifyPassword } from '../server/people/auth/password.ts';
import { record } from '../server/platform/events/event-log.ts';
import { farms, idOf } from './data/farms.ts';
import { admin, consumers, DEMO_PASSWORD } from './data/people.ts';
import { staff } from './data/staff.ts';

/** Emails of all demo accounts. */
const emails: readonly string[] = [
  admin.email,
  ...farms.map(({ farmer }) => farmer.email),
  ...staff.map(({ email }) => email),
  ...consumers.map(({ email }) => email),
];

const GeneratedPasswords = z.record(
  z.string(),
  z.object({ password: z.string(), hash: z.string() }),
);
/** By email. The hash shows whether an account still has its generated password. */
export type GeneratedPasswords = z.infer<typeof GeneratedPasswords>;

/** Returns the file of generated passwords, so that the next start prints the same. */
export const passwordsFile = (dataDirectory: string): string =>
  path.join(dataDirectory, 'demo-passwords.json');

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** Returns true when only this machine can reach a server on this host. */
export function isLoopback(host: string): boolean {
  if (host.toLowerCase() === 'localhost') return true;
  const family = isIP(host);
  return family !== 0 && loopback.check(host, family === 6 ? 'ipv6' : 'ipv4');
}

/** Letters and digits without similar-looking ones. */
const PASSWORD_ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';

function generatePassword(): string {
  const group = () =>
    Array.from({ length: 4 }, () => PASSWORD_ALPHABET[randomInt(PASSWORD_ALPHABET.length)]).join(
      '',
    );
  return [group(), group(), group(), group()].join('-');
}

function readGenerated(file: string): GeneratedPasswords | undefined {
  try {
    return GeneratedPasswords.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return undefined;
  }
}

/** Returns the generated passwords of all demo accounts; generates and stores them the first time. */
export async function generatePasswords(dataDirectory: string): Promise<GeneratedPasswords> {
  const file = passwordsFile(dataDirectory);
  const stored = readGenerated(file);
  if (stored && emails.every((email) => stored[email])) return stored;
  const generated: GeneratedPasswords = { ...stored };
  for (const email of emails) {
    if (generated[email]) continue;
    const password = generatePassword();
    generated[email] = { password, hash: await hashPassword(password) };
  }
  mkdirSync(dataDirectory, { recursive: true });
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, JSON.stringify(generated, null, 2), { mode: 0o600 });
  try {
    // An unreadable file is replaced.
    if (!stored && readGenerated(file) === undefined) rmSync(file, { force: true });
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    if (stored) writeFileSync(file, JSON.stringify(generated, null, 2), { mode: 0o600 });
  } finally {
    rmSync(draft);
  }
  // If another process wrote the file first, its passwords are used.
  return readGenerated(file) ?? generated;
}

/**
 * Sets the password of every demo account: the generated one when other machines can reach the server, else the
 * known one. Accounts whose password a person changed keep it. An account's sessions end when its password
 * changes. Returns the passwords of existing accounts by email, undefined where unknown.
 */
export async function settlePasswords(
  db: Database,
  { dataDirectory, isPublic }: { dataDirectory: string; isPublic: boolean },
): Promise<Map<string, string | undefined>> {
  const rows = await db.user.findMany({
    where: { id: { in: emails.map((email) => idOf('user', email)) }, deletedAt: null },
    select: { id: true, email: true, passwordHash: true },
  });
  const passwords = new Map<string, string | undefined>();
  if (rows.length === 0) return passwords;
  const generated = isPublic
    ? await generatePasswords(dataDirectory)
    : (readGenerated(passwordsFile(dataDirectory)) ?? {});

  // Seeded accounts share one hash, so it is usually verified once for all.
  const knownHashes = new Map<string, Promise<boolean>>();
  const hasKnownPassword = (hash: string): Promise<boolean> => {
    const isKnown = knownHashes.get(hash) ?? verifyPassword(hash, DEMO_PASSWORD).catch(() => false);
    knownHashes.set(hash, isKnown);
    return isKnown;
  };

  let knownHash: string | undefined;
  for (const { id, email, passwordHash } of rows) {
    const own = generated[email];
    const hasGenerated = own?.hash === passwordHash;
    if (isPublic && own) {
      if (!hasGenerated && !(await hasKnownPassword(passwordHash))) passwords.set(email, undefined);
      else {
        if (!hasGenerated) await changePassword(db, { id, from: passwordHash, to: own.hash });
        passwords.set(email, own.password);
      }
    } else if (hasGenerated) {
      knownHash ??= await hashPassword(DEMO_PASSWORD);
      await changePassword(db, { id, from: passwordHash, to: knownHash });
      passwords.set(email, DEMO_PASSWORD);
    } else {
      const isKnown = await hasKnownPassword(passwordHash);
      passwords.set(email, isKnown ? DEMO_PASSWORD : undefined);
    }
  }
  return passwords;
}

const changePassword = (db: Database, { id, from, to }: { id: string; from: string; to: string }) =>
  db.$transaction(async (tx) => {
    const { count } = await tx.user.updateMany({
      where: { id, passwordHash: from },
      data: { passwordHash: to, tokenVersion: { increment: 1 } },
    });
    if (count > 0) await record(tx, { name: 'session.changed', data: { _id: id }, rooms: [] });
  });

/** The accounts that a start prints. */
const PRINTED_ACCOUNTS = [
  ['admin@farmgate.test', 'admin'],
  ['farmer@farmgate.test', 'farmer, Green Valley Farm'],
  ['farmer2@farmgate.test', 'farmer'],
  ['ada@farmgate.test', 'farmer with pickup places'],
  ['consumer@farmgate.test', 'consumer'],
  ['consumer2@farmgate.test', 'consumer'],
  ['noor@farmgate.test', 'farmer who reads Urdu'],
  ['zainab@farmgate.test', 'consumer who reads Urdu'],
] as const;

/** Returns the text that a start prints about the demo accounts; empty without them. */
export function describeAccounts(passwords: ReadonlyMap<string, string | undefined>): string {
  const existing = PRINTED_ACCOUNTS.filter(([email]) => passwords.has(email));
  if (existing.length === 0) return '';
  const isSamePassword = existing.every(([email]) => passwords.get(email) === DEMO_PASSWORD);
  const column = (text: string, width: number) => text.padEnd(width);
  return [
    isSamePassword ? `Demo accounts, password "${DEMO_PASSWORD}" for all:` : 'Demo accounts:',
    ...existing.map(([email, title]) => {
      const password = passwords.get(email) ?? '(was changed)';
      return `  ${column(email, 24)} ${isSamePassword ? '' : column(password, 20)}${title}`;
    }),
    '',
  ].join('\n');
}
